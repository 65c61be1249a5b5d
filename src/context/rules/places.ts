/** A folder of rules, in a form that people use already. */
export interface RuleFolder {
  readonly folder: string;
  /** What the names of its files end with. */
  readonly end: string;
  /** Whether a file that says nothing of when applies always; elsewhere it is there to be asked for. */
  readonly isBareAlways: boolean;
  /** Whether a pattern without a folder means files in any of them. */
  readonly isAnywhere: boolean;
}

/** GAIA's own first: where room is short, they are given before the others. */
export const RULE_FOLDERS: readonly RuleFolder[] = [
  { folder: ".gaia/rules", end: ".md", isBareAlways: true, isAnywhere: false },
  { folder: ".claude/rules", end: ".md", isBareAlways: true, isAnywhere: false },
  { folder: ".cursor/rules", end: ".mdc", isBareAlways: false, isAnywhere: true },
  { folder: ".github/instructions", end: ".instructions.md", isBareAlways: false, isAnywhere: false },
];

/** Principles by the words that recall them (seed "Context Injection"). */
export const MANIFEST = "docs/principles/manifest";

/** What the business is about, by its own words (seed "Context Injection"). */
export const DOMAIN_INDEX = "docs/domain/INDEX.md";
