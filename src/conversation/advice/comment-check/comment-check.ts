import { isExempt } from "./exemptions.ts";
import { isRestating } from "./restating.ts";
import { type FoundComment, scanComments, type ScannedText } from "./scan.ts";
import { type CommentSyntax, syntaxOf } from "./syntax.ts";

/** An edit, or with an empty `before` a new file. Fragments are enough. */
export interface EditedText {
  path: string;
  before: string;
  after: string;
}

/** Larger texts are generated or data, and not worth the time. */
const MAX_CHARACTERS = 100_000;
const MAX_SHOWN = 3;
const DECLARATION =
  /^\s*(?:(?:export|public|private|protected|static|async|pub|extern|inline|local|abstract|final|const)\s+)*(?:func|function|def|fn|class|struct|type|interface|enum|module|message|service|rpc|create|[\w:]+\s*\(\)\s*\{)/i;

/**
 * An advisory when an edit adds comments that only repeat the code below or beside them (SPEC 12), or null. Errs
 * towards silence: reasons, documentation, directives, licences, BDD words and paragraphs are left alone.
 */
export function decideCommentAdvisory(edit: EditedText): string | null {
  const syntax = syntaxOf(edit.path);
  if (!syntax || edit.after.length > MAX_CHARACTERS || edit.before.length > MAX_CHARACTERS) return null;
  const scanned = scanComments(edit.after, syntax);
  const added = withoutKept(scanned.comments, scanComments(edit.before, syntax).comments);
  const restating = added.filter((comment) => repeatsCode(comment, scanned, syntax));
  if (restating.length === 0) return null;
  const shown = restating.slice(0, MAX_SHOWN).map(({ text }) => `"${text.slice(0, 60)}"`);
  const more = restating.length > MAX_SHOWN ? ` and ${restating.length - MAX_SHOWN} more` : "";
  const what = restating.length === 1 ? "an added comment repeats" : "added comments repeat";
  return `Comments: ${what} the code: ${shown.join(", ")}${more}. Remove, or say why instead of what.`;
}

/** Each comment of the old text excuses one of the same words in the new text. */
function withoutKept(after: readonly FoundComment[], before: readonly FoundComment[]): FoundComment[] {
  const kept = before.map(({ text }) => text);
  return after.filter(({ text }) => {
    const index = kept.indexOf(text);
    if (index >= 0) kept.splice(index, 1);
    return index < 0;
  });
}

function repeatsCode(comment: FoundComment, scanned: ScannedText, syntax: CommentSyntax): boolean {
  if (isExempt(comment) || comment.raw.includes("\n") || isPartOfParagraph(comment, scanned)) return false;
  if (comment.codeBefore !== "") return isRestating(comment.text, comment.codeBefore);
  const below = scanned.codeLines[comment.line] ?? "";
  if (syntax.lineIsDoc && DECLARATION.test(below)) return false;
  return isRestating(comment.text, below);
}

/** Several comment lines in a row explain something together. */
function isPartOfParagraph(comment: FoundComment, scanned: ScannedText): boolean {
  return scanned.comments.some(
    (other) =>
      other !== comment &&
      other.codeBefore === "" &&
      Math.abs(other.line - comment.line) === 1 &&
      comment.codeBefore === "",
  );
}
