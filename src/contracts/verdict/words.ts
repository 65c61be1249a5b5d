import { hasPlainSigns, isClear, isPlainAssent } from "./assent.ts";

/** What a reviewer may conclude (SPEC 4), the worst last. */
export const VERDICTS = ["APPROVE", "REJECT", "BLOCKED"] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * What a text says of a verdict: `doubtful` for one that is hedged, names several or cannot be read, and so is no approval; null
 * for one that says nothing.
 */
export type Reading = Verdict | "doubtful" | null;

/** Whole texts that leave no doubt, without case, punctuation and markup. */
const PLAIN: Readonly<Record<Verdict, RegExp>> = {
  APPROVE:
    /^(?:approv(?:e|es|ed|al)|accept(?:ed|s)?|pass(?:ed|es)?|lgtm|ok(?:ay)?|yes|good|green|success(?:ful)?|ship it|looks good(?: to me)?|sign(?:ed)? off|ready)$/,
  REJECT:
    /^(?:reject(?:ed|s|ion)?|den(?:y|ied)|declined?|refused?|disapproved?|veto(?:ed)?|nack|nak|no(?: go)?|bad|red|fail(?:s|ed|ing|ure)?|requests? changes|changes requested|needs? (?:work|changes|fixes|rework)|abgelehnt|ablehn(?:en|ung)|zurückgewiesen|nein|nicht (?:genehmigt|freigegeben)|refusé|rejeté|non approuvé|rechazad[oa]|no aprobad[oa]|rejeitad[oa]|reprovad[oa]|respint[oa]|afgewezen|odrzucon[eya]|отклонено|не одобрено|отклонен[аоы]?|отклонить|отказать|отказано|(?:требуется|нужна) доработка|не одобряю|на доработку|нет|却下|不承認|差し戻し|不合格|否決|拒绝|拒絕|驳回|駁回|不批准|不通过|不予通过|未通过|打回|退回|반려|거절|거부|불승인|승인 거부|reddedildi|từ chối|không duyệt|afgekeurd|odrzucić|مرفوض[ةه]?|رفض|غير موافق(?: عليه)?)$/u,
  BLOCKED:
    /^(?:block(?:ed|s|er|ing)?|stuck|inconclusive|blockiert|bloqué|bloquead[oa]|bloccat[oa]|ブロック|阻塞)$/u,
};

/** Texts that only fill the place; so does one without a letter. */
const EMPTY =
  /^(?:maybe|perhaps|unknown|unsure|undecided|unspecified|none|null|undefined|nil|n a|na|tbd|todo|x|verdict|outcome)?$/;
/** What goes on where nothing is wrong; it counts only with a "not". */
const GOING_ON = /\b(?:ok(?:ay)?|good|ready|merge[ds]?|ship(?:ped)?|releas\w+|go|safe)\b/;

/** Phrases that deny a fault, and would else read as one. */
const NO_FAULT =
  /\b(?:no|zero|0|without(?: any)?|free of|nothing(?: to)?|none of the)\s+(?:\w+\s+){0,2}?(?:problems?|issues?|concerns?|fail(?:ed|ures?|ing)?|errors?|findings?|blockers?|blocking|blocked|objections?|reservations?|caveats?|vulnerabilit\w+|risks?|warnings?|regressions?|(?:reasons? to )?(?:reject|block|object)\w*)\b/g;
const APPROVING = /\b(?:approv\w+|accept(?:ed|able|s)?|lgtm|pass(?:ed|es)?|sign(?:ed)?[ -]?off|looks good)\b/;
const OBJECTING =
  /\b(?:reject\w*|disapprov\w*|unapproved|unaccept\w*|veto\w*|nack|nak|den(?:y|ied)|declin\w+|refus\w+|fail(?:s|ed|ing|ures?)?|unsafe|no[ -]go|rework|(?:needs?|requires?|requests?|requested|requesting) (?:\w+ ){0,2}(?:changes?|work|fix\w*)|changes? (?:needed|required|requested))\b/;
const BLOCKING = /\b(?:block(?:s|ed|ers?|ing)?|stuck|inconclusive)\b/;
const NEGATED =
  /\b(?:not|no|never|cannot|unable|without|nor|neither|hardly|withh\w+|withdr[ae]w\w*|revok\w+|retract\w*|rescind\w*|against|lacks?|far from|yet to|false)\b|n't\b|\bcant\b|\bwont\b|\bdont\b/;
const CONDITIONAL =
  /\b(?:if|unless|until|once|after|when|(?:as soon|as long|so long) as|provided|providing|assuming|given that|subject to|condition\w*|contingent|pending|but|however|except|although|though|reserv\w+|caveats?|concerns?|with (?:\w+ )?(?:changes?|fix\w*|comments?|nits?|remarks?)|partial\w*|almost|nearly|tentativ\w*|provisional\w*|mostly)\b/;

/**
 * Reads what stands where a verdict is due: a bare word in any case, a phrase, a sentence. An approval that is negated or
 * conditional is an objection; one beside an objection is doubtful, and so is all that cannot be read: an approval is only what
 * nothing unknown stands around. Pure, linear in the text.
 */
export function readWords(text: string): Reading {
  const said = plainWords(text.slice(0, 1_000));
  const [head = "", ...rest] = said.split(/\s*(?:[:;.,(\n|/–—。]| - )\s*/);
  const whole = plainVerdict(said);
  if (whole !== null) return isQuestion(said) || isMarked(whole, said) ? "doubtful" : whole;
  if (EMPTY.test(bareWords(said))) return /\p{N}|\p{Extended_Pictographic}/u.test(said) ? "doubtful" : null;
  const begins = plainVerdict(head);
  const clean = said.replaceAll(NO_FAULT, " ");
  const approves = APPROVING.test(clean) || begins === "APPROVE";
  const objects = OBJECTING.test(clean) || begins === "REJECT";
  const blocks = BLOCKING.test(clean);
  const isNegated = NEGATED.test(clean);
  const isConditional = CONDITIONAL.test(clean);
  // Behind a verdict stands its reason, which tells of other things as well.
  if (begins === "APPROVE" && rest.length > 0) {
    if (isConditional) return "REJECT";
    const isOpen = objects || blocks || isNegated || isMarked(begins, head);
    return isOpen || !isClear(rest.join(" ").replaceAll(NO_FAULT, " ")) ? "doubtful" : "APPROVE";
  }
  if (begins !== null && begins !== "APPROVE" && !names(rest.join(" "), "APPROVE")) return begins;
  if (approves && (objects || blocks)) return "doubtful";
  if (approves && isQuestion(said)) return "doubtful";
  if (approves && (isNegated || isConditional)) return "REJECT";
  if (approves) return isPlainAssent(clean) ? "APPROVE" : "doubtful";
  if (objects || blocks) return isNegated ? "doubtful" : blocks ? "BLOCKED" : "REJECT";
  return isNegated && GOING_ON.test(clean) ? "REJECT" : "doubtful";
}

/** What nothing but a verdict is called in other languages. */
export const FOREIGN_VERDICTS =
  "urteil|veredicto|veredito|verdetto|werdykt|oordeel|karar|phán quyết|निर्णय|вердикт|القرار|الحكم|판정|[\\p{sc=Han}\\p{sc=Katakana}ー]{0,6}(?:判定|裁决|裁決)";

/** Whether a text has a word that can only be about a verdict. */
export function isAboutVerdict(text: string): boolean {
  return /approv|reject|\bblock(?:ed)?\b|lgtm|veto|\bnack\b|changes? requested|requests? changes|not ready|unsafe|\bfail/i.test(
    text,
  );
}

/** The worse of two verdicts. */
export function worst(a: Verdict, b: Verdict): Verdict {
  return VERDICTS.indexOf(a) >= VERDICTS.indexOf(b) ? a : b;
}

function plainVerdict(words: string): Verdict | null {
  const bare = bareWords(words);
  return VERDICTS.find((verdict) => PLAIN[verdict].test(bare)) ?? null;
}

/** Whether an approval is written with a sign that may deny or doubt it. */
function isMarked(verdict: Verdict, words: string): boolean {
  return verdict === "APPROVE" && !hasPlainSigns(words);
}

function isQuestion(words: string): boolean {
  return /\?[^\p{L}]*$/u.test(words);
}

function bareWords(words: string): string {
  return words
    .replaceAll(/[^\p{L} ]+/gu, " ")
    .replaceAll(/ +/g, " ")
    .trim();
}

function names(text: string, verdict: Verdict): boolean {
  return text.split(/\W+/).some((word) => plainVerdict(word) === verdict);
}

/** Lower case, without markup, signs that stand for words put into words. */
function plainWords(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/[\p{Cf}\p{Emoji_Modifier}\uFE0F🎉🚀✨💯🙌👏]/gu, "")
    .replaceAll(/[✅✔👍🟢]|^\+1$/gu, " approved ")
    .replaceAll(/[❌✗✘✖👎🔴⛔🚫🛑]/gu, " rejected ")
    .replaceAll(/[’`´]/g, "'")
    .toLowerCase()
    .replaceAll(/[*_#>"“”«»[\]{}]+/g, " ")
    .replaceAll(/[^\S\n]+/g, " ")
    .trim();
}
