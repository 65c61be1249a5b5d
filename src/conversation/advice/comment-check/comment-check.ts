import { commentLines, type CommentLine } from "./comment-lines.ts";
import { isRestating } from "./restating.ts";

/** An edit, or with an empty `before` a new file. Fragments are enough. */
export interface EditedText {
  path: string;
  before: string;
  after: string;
}

/** Larger texts are generated or data, and not worth the time. */
const MAX_CHARACTERS = 100_000;
const MAX_SHOWN = 3;

/** Comments that are never held against an edit: documentation and shebangs by their mark, the others by their words. */
const EXEMPT_MARK = /^(?:\/\/[/!]|#[!:]|--\[)/;
const EXEMPT_WORDS: readonly RegExp[] = [
  // Directives to tools.
  /^@?(?:eslint|oxlint|biome|prettier|stylelint|[jt]shint|tslint|deno-|ts-|rome-|noqa|type:|pylint|ruff|mypy|pyright|flake8|isort|fmt:|yapf|pragma|nosec|bandit|coding[:=]|-\*-|nolint|go:|\+build|export |line |shellcheck|rubocop|frozen_string_literal|clang-|lint-|cspell|spell|c8|v8|istanbul|vitest|jest|webpack|vite|turbopack|source(?:mapping)?url|#?(?:end)?region|flow|jsx|license|preserve|reference|swift|ktlint|noinspection|language=|yaml-language-server|syntax=)/i,
  // Steps of a test, licences, marked notes, references.
  /^(?:given|when|then|and|but|arrange|act|assert|scenario|feature|background|example|setup|exercise|teardown)\b/i,
  /copyright|licen[cs]e|spdx|all rights reserved|\(c\)\s*\d{4}/i,
  /^(?:todo|fixme|hack|xxx|note|warning|safety|perf|security)\b/i,
  /https?:|www\.|\b[a-z]+-\d+\b|#\d+|\brfc ?\d+|\bspec ?\d+/i,
  // Words by which a comment says why, when, or what not: more than the code can.
  /\b(?:because|since|so|otherwise|else|avoids?|prevents?|ensures?|must|should|needs?|required|workaround|bug|issue|see|unless|until|only|never|always|not|cannot|but|instead|rather|before|after|first|once|when|while|why|due|intentional(?:ly)?|deliberately|safe|unsafe|e\.?g|i\.?e|assumes?|expects?|allows?|without|keeps?|still|already|even|than|least|most|optional|legacy|deprecated)\b|n't\b|\?/i,
];

/**
 * An advisory when an edit adds line comments that only repeat the code below them (SPEC 12), or null. Errs towards
 * silence: reasons, documentation, directives, licences, steps of a test and paragraphs are left alone.
 */
export function decideCommentAdvisory({ path, before, after }: EditedText): string | null {
  if (after.length > MAX_CHARACTERS || before.length > MAX_CHARACTERS) return null;
  const kept = commentLines(path, before).map(({ text }) => text);
  // Each comment of the old text excuses one of the same words in the new text.
  const added = commentLines(path, after).filter(({ text }) => {
    const index = kept.indexOf(text);
    if (index >= 0) kept.splice(index, 1);
    return index < 0;
  });
  const restating = added.filter(repeatsCode);
  if (restating.length === 0) return null;
  const shown = restating.slice(0, MAX_SHOWN).map(({ text }) => `"${text.slice(0, 60)}"`);
  const more = restating.length > MAX_SHOWN ? ` and ${restating.length - MAX_SHOWN} more` : "";
  const what = restating.length === 1 ? "an added comment repeats" : "added comments repeat";
  return `Comments: ${what} the code: ${shown.join(", ")}${more}. Remove, or say why instead of what.`;
}

function repeatsCode({ text, raw, below, inParagraph, documents }: CommentLine): boolean {
  if (inParagraph || documents || EXEMPT_MARK.test(raw)) return false;
  return !EXEMPT_WORDS.some((rule) => rule.test(text)) && isRestating(text, below);
}
