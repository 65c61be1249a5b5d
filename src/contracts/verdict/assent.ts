/** Words that may stand around an approval and take nothing from it. */
const NEUTRAL = new Set(
  "i we my our hereby fully can now all both is are it its this that these those the a an change changes changeset patch diff pr work revision code implementation fix task wave plan review result verdict outcome decision final reviewed tested checked verified and everything holds to me us for merge merging merged ship shipping release good great very well done unconditionally without any looks lgtm ok okay yes status mark marked have has having thanks thank you nice job as as-is stands with tests checks test check suite lint build".split(
    " ",
  ),
);
const ASSENT =
  /^(?:approv(?:e|es|ed|ing)|accept(?:ed|able|s)?|sign(?:ed|ing)?|off|sign-off|signoff|lgtm|looks)$/;
/** Where a reason begins, or ended. */
const APART = /[:;.,()\n–—]+|\s[-/]\s|\b(?:because|since|so|therefore|hence|thus)\b/;
/** What a plain word may be written with; an unknown sign may deny or doubt it. */
const SIGNS = /^(?:[\p{L}\s.,:;'()|/…–—-]|!(?!\s*[\p{L}=]))*$/u;

/** Faults that are told of as mended. */
const MENDED =
  /\b(?:fix(?:es|ed)|adds|added|removes|removed|restores|restored|nothing to)(?:\s+[\w'-]+){1,4}/g;
/** What an approval without doubt has no reason to tell of: demands, faults, other moments, half a mind. */
const UNSETTLED =
  /\b(?:please|must|should|fix|needs?|missing|untested|unverified|broken|critical|crash\w*|bugs?|first|before (?:it|this|the|merg\w+|ship\w*|releas\w+|deploy\w*)|later|tomorrow|soon|eventually|next time|revoked|withdrawn|retracted|rescinded|expired|premature|maybe|perhaps|possibly|probably|guess|confidence|despite|in spite|anyway|only|partly|in part|reluctant\w*|modulo|apart from|aside from|minus|wrote|said)\b/;
/** Words that deny, doubt or bind in languages that reviewers write beside English; none is a usual English one. */
const FOREIGN =
  /(?<!\p{L})(?:nicht|kein(?:e[nmrs]?)?|non|nein|noch|erst|sobald|wenn|falls|sofern|aber|allerdings|jedoch|vorbehalt\p{L}*|ohne|nach|fehl\p{L}*|ne|pas|sans|sauf|mais|après|avant|quand|réserves?|conditions?|sin|pero|cuando|después|salvo|excepto|aunque|senza|quando|dopo|però|não|sem|após|depois|niet|geen|zodra|maar|mits|nie|bez|jeśli|gdy|ale|не|нет|без|но|если|когда|после|пока)(?![\p{L}-])|[不未没沒否非但若只待后後]|条件|條件|如果|ない|なし|ません|まで|ただし|却下|않|안 |조건|후에/u;

const FLAWLESS =
  /没有问题|無問題|問題なし|問題ありません|keine? (?:fehler|probleme|einwände)|(?:aucun|pas de) problème|sin problemas/gu;

/** Whether everything around an approval in a text is known to take nothing from it. The text is in lower case. Pure. */
export function isPlainAssent(words: string): boolean {
  const parts = words.split(APART).map((part) => ({ part, said: part.trim().split(/\s+/).map(bare) }));
  const approving = parts.filter(({ said }) => said.some(isAssent));
  const assenting = approving.length > 0 ? approving : parts.filter(({ said }) => said.some(isPass));
  const isPlain = assenting.every(({ part, said }) => hasPlainSigns(part) && said.every(isNeutral));
  return (
    isPlain && assenting.length > 0 && parts.every((each) => assenting.includes(each) || isClear(each.part))
  );
}

/** Whether a reason behind an approval tells of nothing that is open. The text is in lower case. Pure. */
export function isClear(reason: string): boolean {
  return !UNSETTLED.test(reason.replaceAll(MENDED, " ")) && !FOREIGN.test(reason.replaceAll(FLAWLESS, " "));
}

/** Whether a verdict is written without a sign or number that may deny it. Pure. */
export function hasPlainSigns(words: string): boolean {
  return SIGNS.test(words);
}

function isAssent(word: string): boolean {
  return ASSENT.test(word);
}

function isPass(word: string): boolean {
  return /^pass(?:ed|es)?$/.test(word);
}

function isNeutral(word: string): boolean {
  return word === "" || NEUTRAL.has(word) || isAssent(word) || isPass(word);
}

function bare(word: string): string {
  return word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}
