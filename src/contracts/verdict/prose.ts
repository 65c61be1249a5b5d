import { excerpt } from "../../lib/excerpt.ts";
import { FOREIGN_VERDICTS, readWords, type Reading } from "./words.ts";

/** A verdict that stands in prose, with the words that it was read from. */
export interface Statement {
  readonly reading: Exclude<Reading, null>;
  readonly words: string;
}

const MAX_LINES = 400;
const MAX_LINE = 600;
const MAX_WORDS = 300;

const LABEL = new RegExp(
  String.raw`^(?:(?:my|the|our|this|final|overall|review|reviewer'?s?|in|mein|meine|unser|unsere|mon|ma|mi)\s+){0,3}(verdict|outcome|decision|conclusion|ruling|judge?ment|recommendation|result|status|review|entscheidung|décision|decisión|kết luận|решение|заключение|итог|النتيجة|결론|결정|결과|[\p{sc=Han}\p{sc=Katakana}ー]{0,6}(?:结论|結論|判断|决定|決定|意见|结果|結果)|${FOREIGN_VERDICTS})\s*(?:is\b|[:：=→–—-])[\s:：=>–—-]*(.+)$`,
  "iu",
);
/** Where nothing but a verdict stands, what cannot be read is none that approves. */
const STRICT = new RegExp(`^(?:verdict|${FOREIGN_VERDICTS})$`, "iu");
/** A line that is nothing else, or begins with it in capitals. */
const BARE = /approv|reject|\bblocked\b|\blgtm\b|\bveto|\bnack\b|changes? requested|request(?:ing)? changes/i;
const SHOUTED = /^(?:NOT APPROVED|APPROVED?|REJECT(?:ED)?|BLOCKED)\b(?=\s*(?:$|[:.,!;–—-]))/;
const MAX_BARE = 6;

const NO = String.raw`(?:cannot|can not|can't|won't|will not|would not|wouldn't|do not|don't|did not|didn't|could not|couldn't|should not|shouldn't|must not|mustn't|not be|unable to|not able to|refuse to|decline to|never|not)`;
const REFUSALS = [
  new RegExp(String.raw`\b${NO}\b(?:\s+\w+){0,3}?\s+(?:approv\w+|sign(?:ed)?[ -]off|lgtm)\b`, "i"),
  new RegExp(
    String.raw`\b${NO}\b(?:\s+\w+){0,2}?\s+(?:(?:be )?(?:merged?|shipped|released|deployed)|ship|ready (?:to|for)|safe to (?:merge|ship|release))\b`,
    "i",
  ),
  new RegExp(String.raw`\b(?:i|we)\b[^.]{0,30}\b${NO}\b(?:\s+\w+){0,2}?\s+accept\b`, "i"),
  // In other languages, in the reviewer's own name.
  /\bich (?:lehne\b.{0,60}\bab|(?:kann|werde|würde|darf)\b.{0,40}\bnicht\b.{0,20}(?:genehmig|freigeb|zustimm|merg))|\bje (?:rejette|refuse|n[e']\s?(?:\w+\s){0,2}(?:approuv|valid))|\b(?:lo )?rechazo (?:este|esta|el|la)\b|\bno (?:lo |la )?(?:puedo )?(?:apruebo|aprobar)\b|\bnon approvo\b|\bnão aprovo\b|我(?:拒绝|拒絕|不同意|不批准|不能批准|无法批准)|承認(?:しません|しない|できません|できない)|マージ(?:しないで|すべきでは(?:ない|ありません))|却下します|不(?:予|能|可以?)(?:批准|合并|合併|通过|通過)|(?<![\p{L}])не (?:одобряю|могу одобрить|утверждаю|принимаю эт)|승인(?:하지 않|할 수 없)|반려합니다|لا (?:أوافق|أعتمد)/iu,
  /\b(?:i|we)(?:'m| am| are)? (?:request(?:ing)? changes|(?:withh\w+|withdr[ae]w\w*|revok\w+|retract\w*|rescind\w*) (?:my |our |this |the )?approval)\b/i,
];
/** A verdict that is said to be another one now. */
const TURNS = [
  /\b(?:my|our|final|overall|chang\w+)\b[^.;!?]{0,40}\b(?:verdict|outcome|decision|vote|recommendation|conclusion|approval)\b[^.;!?]{0,60}\b(?:to|as|with|now|becomes?|turns? into|therefore|thus|be)\b\W{0,4}(?:an? )?(?:reject(?:ed|ion)?|blocked|not approved|changes requested)\b/i,
  /^\W*(?:[Aa]ctually|[Ww]ait|[Cc]orrection|[Ee]dit|[Uu]pdate|[Oo]n second thoughts?|[Ss]cratch that|[Ss]orry|[Ss]o|[Tt]herefore|[Hh]ence|[Oo]verall|[Ff]inal(?:ly)?|[Ii]n short)\b[\s,:;!–—-]+(?:REJECT(?:ED)?|NOT APPROVED)\b/,
];
/** One that might have been another, and is not. */
const KEPT =
  /\b(?:not|n't|no (?:need|reason) to) (?:\w+ ){0,3}(?:chang|turn|switch|mov|downgrad)\w*|\bwould (?:be|have)\b/i;
const OBJECTIONS =
  /\b(?:i|we)\s+(?:(?:have to|must|hereby|therefore|strongly)\s+){0,2}(?:reject|veto|block|disapprove|object)\b|\b(?:change|patch|diff|work|revision|pr|it|this)\s+(?:is|are|remains?|stays?)\s+(?:hereby\s+)?(?:rejected|blocked|unacceptable)(?=[.,;:!]|$| until\b| because\b)/i;
const APPROVALS = /\b(?:i|we)\s+(?:(?:hereby|therefore|fully|can)\s+){0,2}approve\b/i;
const NEGATION = /\b(?:not|no|never|nothing|cannot)\b|n't\b/i;

/**
 * An objection in the reason that stands beside an approval: one in capitals in front, or a sentence of the reviewer's own about it;
 * what is said of other things there is none. null for none.
 */
export function objectionIn(reason: string): Statement | null {
  const sentences = reason.slice(0, MAX_LINE).split(/(?<=[.!?;])\s+|\n/);
  const found = sentences.flatMap((sentence) => {
    if (/^\W*(?:NOT APPROVED|REJECT(?:ED)?|BLOCKED)(?=\s*(?:$|[:.,!;–—-]))/.test(sentence))
      return readLine(sentence);
    return /\b(?:i|we)\b/i.test(sentence) ? readSentence(sentence) : [];
  });
  return found.find(({ reading }) => reading === "REJECT" || reading === "BLOCKED") ?? null;
}

/** Verdicts that the words around a contract state: a labelled line, a line that is nothing else, a sentence of the reviewer's. */
export function readProse(prose: string): Statement[] {
  const lines = prose.split("\n").slice(-MAX_LINES);
  return lines.flatMap((line) => {
    // An approval that is quoted is someone's, and maybe another's.
    const isQuoted = /^\s*>/.test(line);
    return readLine(line.slice(0, MAX_LINE)).map((each): Statement =>
      isQuoted && each.reading === "APPROVE" ? { ...each, reading: "doubtful" } : each,
    );
  });
}

function readLine(raw: string): Statement[] {
  // Of a list of choices, one that was not made.
  if (/^\s*[-*+]\s+\[ ?\]/.test(raw)) return [];
  const line = raw
    .replace(/^[\s#>*\-+\d.)|]+(?:\[[xX✓✔]\]\s*)?/, "")
    .replaceAll(/[*`|$]+|\\[a-z]+(?=\{)/gi, "")
    .replaceAll("_", " ")
    .trim();
  if (line === "") return [];
  const [, label, labelled] = LABEL.exec(line) ?? [];
  const said = labelled ?? line;
  const isBare = line.split(/\s+/).length <= MAX_BARE && !line.endsWith("?");
  if (label !== undefined || isBare || SHOUTED.test(line)) {
    // A result or a status may be another thing's.
    const isMeant = BARE.test(said) || (label !== undefined && !/^(?:result|status|review)$/i.test(label));
    const reading = isMeant ? readWords(said) : null;
    const isCertain = reading !== "doubtful" || BARE.test(said) || STRICT.test(label ?? "");
    if (reading !== null && isCertain) return [state(reading, line)];
  }
  return line.split(/(?<=[.!?;])\s+/).flatMap(readSentence);
}

function readSentence(sentence: string): Statement[] {
  if (sentence.endsWith("?")) return [];
  const said = sentence.replaceAll(/[’´]/g, "'");
  const isTurned = TURNS.some((turn) => turn.test(said)) && !KEPT.test(said);
  if (isTurned || REFUSALS.some((refusal) => refusal.test(said))) return [state("REJECT", sentence)];
  if (OBJECTIONS.test(said) && !NEGATION.test(said)) {
    return [state(/\bblock/i.test(said) ? "BLOCKED" : "REJECT", sentence)];
  }
  const reading = APPROVALS.test(said) ? readWords(said) : null;
  return reading === null ? [] : [state(reading, sentence)];
}

function state(reading: Statement["reading"], words: string): Statement {
  return { reading, words: excerpt(words, MAX_WORDS) };
}
