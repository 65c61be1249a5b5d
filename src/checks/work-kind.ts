import { isDocumentationOnly } from "./documentation.ts";

/** How GAIA classifies a request (SPEC 12). */
export const WORK_KINDS = [
  "trivial",
  "quick_fix",
  "feature",
  "refactor",
  "bug",
  "infra",
  "review",
  "docs",
  "verify",
] as const;
type WorkKind = (typeof WORK_KINDS)[number];

/** What the deterministic side does for a kind of work. */
export interface WorkRules {
  /** Scope of the Definition of Done; null where no gate stands in the way. */
  gateScope: "full" | "doc" | null;
  /** Whether work that changed nothing can have succeeded. */
  mayEndUnchanged: boolean;
  /** A rejected `change` is fixed once; `verify` has nothing to fix. */
  reviewed: "change" | "verify";
}

const CHANGE: WorkRules = { gateScope: "full", mayEndUnchanged: false, reviewed: "change" };
const RULES: Partial<Record<WorkKind, WorkRules>> = {
  trivial: { gateScope: null, mayEndUnchanged: true, reviewed: "verify" },
  review: { gateScope: null, mayEndUnchanged: true, reviewed: "verify" },
  docs: { ...CHANGE, gateScope: "doc" },
  verify: { gateScope: "full", mayEndUnchanged: true, reviewed: "verify" },
};

/** The kind of work as far as its changes tell, which no model has a say in. */
export function kindOfChanges(files: readonly string[]): WorkKind {
  if (files.length === 0) return "verify";
  return isDocumentationOnly(files) ? "docs" : "feature";
}

/** The rules for a kind of work. An unknown kind takes the full path, the careful one. */
export function rulesForWork(kind: string): WorkRules {
  const known = WORK_KINDS.find(
    (name) =>
      name ===
      kind
        .trim()
        .toLowerCase()
        .replaceAll(/[\s-]+/g, "_"),
  );
  return (known && RULES[known]) ?? CHANGE;
}
