import type { FoundComment } from "./scan.ts";

const DOCUMENTATION = /^(?:\/\*[*!]|\/\/[/!]|#[!:])/;
const DIRECTIVE = new RegExp(
  "^@?(?:" +
    [
      "eslint|oxlint|biome|prettier|stylelint|jshint|tslint|deno-|ts-|rome-",
      "noqa|type:|pylint|ruff|mypy|pyright|flake8|isort|fmt:|yapf|pragma|nosec|bandit|coding[:=]|-\\*-",
      "nolint|go:|\\+build|export |line |shellcheck|rubocop|frozen_string_literal|clang-|lint-|cspell|spell",
      "c8|v8|istanbul|vitest|jest|webpack|vite|turbopack|@?__pure__|source(?:mapping)?url|#?(?:end)?region",
      "flow|jsx|license|preserve|reference|swift|swiftlint|ktlint|noinspection|language=|yaml-language-server|syntax=",
    ].join("|") +
    ")",
  "i",
);
const BEHAVIOUR =
  /^(?:given|when|then|and|but|arrange|act|assert|scenario|feature|background|example|setup|exercise|teardown)\b/i;
const LICENCE = /copyright|licen[cs]e|spdx|all rights reserved|\(c\)\s*\d{4}/i;
const MARKER = /^(?:todo|fixme|hack|xxx|note|warning|safety|perf|security)\b/i;
const REFERENCE = /https?:|www\.|\b[a-z]+-\d+\b|#\d+|\brfc ?\d+|\bspec ?\d+/i;
/** Words by which a comment says why, when, or what not: more than the code can. */
const REASON = new RegExp(
  "\\b(?:" +
    [
      "because|since|so|otherwise|else|avoid|avoids|prevent|prevents|ensure|ensures|must|should|need|needs|required",
      "workaround|bug|issue|see|unless|until|only|never|always|not|cannot|but|instead|rather|before|after|first|once",
      "when|while|why|due|intentional|intentionally|deliberately|safe|unsafe|e\\.?g|i\\.?e|assume|assumes|expect|expects",
      "allow|allows|without|keep|keeps|still|already|even|than|least|most|at least|optional|legacy|deprecated",
    ].join("|") +
    ")\\b|n't\\b|\\?",
  "i",
);

/**
 * Comments that are never held against an edit: documentation, directives to tools, BDD words, licences, marked
 * notes, references, and everything that gives a reason.
 */
export function isExempt(comment: FoundComment): boolean {
  if (DOCUMENTATION.test(comment.raw)) return true;
  return [DIRECTIVE, BEHAVIOUR, LICENCE, MARKER, REFERENCE, REASON].some((rule) => rule.test(comment.text));
}
