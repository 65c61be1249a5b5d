import { type DefinitionOfDoneReport, failingChecks, missingArtifacts } from "./definition-of-done/report.ts";

/** After a run of the checks: on to the reviewers, back to be fixed, or stop because nothing moves. */
export type AfterChecks = { kind: "review" | "fix" } | { kind: "blocked"; reason: string; nextStep: string };

/** Failing attempts in a row. */
export interface Attempts {
  /** Fingerprint of the tree after the last one; null where it could not be taken, which counts as changed. */
  readonly tree: string | null;
  /** Those that changed nothing. */
  readonly idle: number;
  readonly count: number;
}

export const NO_ATTEMPT: Attempts = { tree: null, idle: 0, count: 0 };
const MAX_IDLE = 2;
/** Attempts that change files, fail differently each time and still never pass are a loop too. */
const MAX_ATTEMPTS = 6;

/**
 * Whether a report proves the work: it passed, and over everything. A pass of scope doc proves documentation only;
 * a pass of one part of the project proves nothing about the rest.
 */
export function isProof(report: DefinitionOfDoneReport, documentation = false): boolean {
  return report.passed && (report.scope === "full" || (report.scope === "doc" && documentation));
}

/** One more attempt failed. What the checks themselves write is no progress. @param trees fingerprints when they began and ended */
export function countAttempt(
  { tree, idle, count }: Attempts,
  { before, after }: { readonly before: string | null; readonly after: string | null },
): Attempts {
  const isUnchanged = before !== null && before === tree;
  return { tree: after ?? before, idle: isUnchanged ? idle + 1 : 0, count: count + 1 };
}

/** Decides after a run of the checks: the work is blocked when twice nothing changed, and after six attempts (SPEC 11). */
export function decideAfterChecks(report: DefinitionOfDoneReport, { idle, count }: Attempts): AfterChecks {
  if (report.passed) return { kind: "review" };
  const blocked = (reason: string): AfterChecks => ({
    kind: "blocked",
    reason,
    nextStep: "look at what fails and at what was tried, and say how to go on.",
  });
  const failure = describeCheckFailure(report);
  if (report.cancelled) return blocked(failure);
  if (idle >= MAX_IDLE) return blocked(`no file changed in ${idle} attempts (${failure})`);
  if (count >= MAX_ATTEMPTS) return blocked(`${count} attempts did not make the checks pass (${failure})`);
  return { kind: "fix" };
}

/** What does not pass, in a few words. */
export function describeCheckFailure(report: DefinitionOfDoneReport): string {
  if (report.cancelled) return "the checks were cancelled";
  const failing = failingChecks(report);
  const missing = missingArtifacts(report).map(({ path }) => path);
  const parts: string[] = [];
  if (failing.length > 0 && report.gate !== "none") parts.push(`checks not passed: ${failing.join(", ")}`);
  if (missing.length > 0) parts.push(`artifacts missing: ${missing.join(", ")}`);
  return parts.join("; ");
}

/** Prose by its name. What `.txt` holds is anyone's guess: requirements, build files, fixtures. */
const PROSE =
  /\.(?:md|markdown|rst|adoc|asciidoc)$|(?:^|\/)(?:licen[cs]e|authors|contributors|notice|copying)$/i;
/** Pictures and texts count where a project keeps its documentation. */
const IN_DOCS = /^(?:.*\/)?docs?\/.*\.(?:txt|png|jpe?g|gif|svg|webp|pdf)$/i;

/** Whether a change is documentation and nothing else, and so is proven by the checks of scope doc (SPEC 12). */
export function isDocumentationOnly(paths: readonly string[]): boolean {
  return paths.length > 0 && paths.every((path) => PROSE.test(path) || IN_DOCS.test(path));
}
