import { plainName } from "../lib/nearest-name.ts";

/**
 * What a finding can be, with the kind of work that begins from it; null for what is noted and never begun (issue 20.6). The
 * words are those of `findings.autostart`.
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

export const STARTABLE_TYPES = (Object.keys(FINDING_TYPES) as FindingType[]).filter(
  (type) => FINDING_TYPES[type] !== null,
);

/** The type of this name, in any case; null for any other word, which is noted and begins nothing. */
export function readFindingType(text: string): FindingType | null {
  const name = plainName(text.trim());
  return (Object.keys(FINDING_TYPES) as FindingType[]).find((type) => type === name) ?? null;
}
