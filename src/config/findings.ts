/**
 * What a finding can be, with the kind of work that begins from it; null for what is noted and never begun (issue 20.6). The
 * words are those of `findings.autostart` and of `opencode-gaia finding add --type`.
 */
export const FINDING_TYPES = {
  bug: "bug",
  regression: "bug",
  security: "bug",
  performance: "bug",
  test: "bug",
  build: "bug",
  lint: "quick-fix",
  docs: "quick-fix",
  cosmetic: null,
  info: null,
} as const;

export type FindingType = keyof typeof FINDING_TYPES;

/** The types from which work can begin. */
export const STARTABLE_TYPES = (Object.keys(FINDING_TYPES) as FindingType[]).filter(
  (type) => FINDING_TYPES[type] !== null,
);

/** What people and models call them beside their names. */
const SPELLINGS: readonly (readonly [RegExp, FindingType])[] = [
  [/^(?:defect|error|crash|fix|correctness)$/, "bug"],
  [/^(?:vulnerability|vuln|cve|secret)$/, "security"],
  [/^(?:perf|slow)$/, "performance"],
  [/^(?:tests|failing-test|flaky|coverage)$/, "test"],
  [/^(?:ci|compile|type|types|typecheck)$/, "build"],
  [/^(?:doc|documentation|typo)$/, "docs"],
  [/^(?:style|format|ui|nit|nitpick|polish)$/, "cosmetic"],
  [/^(?:note|informational|explore|question|verify|suggestion)$/, "info"],
];

/** The type that a word means, in any case; null for none. */
export function readFindingType(text: string): FindingType | null {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, "-");
  if (Object.hasOwn(FINDING_TYPES, word)) return word as FindingType;
  return SPELLINGS.find(([form]) => form.test(word))?.[1] ?? null;
}
