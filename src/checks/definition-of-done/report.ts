import type { CheckDefinition, CheckGate } from "../../config/definition-of-done.ts";
import { createHash } from "node:crypto";
import { tellingLines } from "../../process/output.ts";

/**
 * How one command ended. `missing`: the shell found no such program (exit code 127). `error`: it was never started,
 * or could not be. Only `passed` counts for the gate.
 */
export type CheckStatus = "passed" | "failed" | "timeout" | "missing" | "cancelled" | "error";

export interface CheckReport {
  id: string;
  command: string;
  status: CheckStatus;
  /** Null when the command was ended by us, by a signal, or never ran. */
  exit_code: number | null;
  duration_ms: number;
  /** Of stdout and stderr together, at most 4,000 characters, without colours: the end, and before it the lines that name errors. */
  output_tail: string;
  /** Of one that did not pass: how it failed, by which the same failure is known again; see {@link failureKey}. */
  signature?: readonly string[];
  /** What a reader needs beside the output, for example how long the time-out was. */
  detail?: string;
  /** It was not run: it passed before, on the very files that are there now. */
  reused?: true;
  /** It failed in the same way before the work began, and so is not held against it. */
  as_before?: true;
}

export interface ArtifactReport {
  path: string;
  optional: boolean;
  found: boolean;
  /** Why the pattern could not be looked up, when that is the reason for `found: false`. */
  problem?: string;
}

/** The proof: what ran, how it ended, and whether that is enough for the gate. */
export interface DefinitionOfDoneReport {
  passed: boolean;
  gate: CheckGate;
  /** `full`, `doc`, or the part of the project that was asked for. */
  scope: string;
  cancelled: boolean;
  checks: CheckReport[];
  artifacts: ArtifactReport[];
  skipped: { id: string; reason: string }[];
  notes: string[];
  duration_ms: number;
}

/** A check that was not started, and why. */
export function notRun(
  { id, command }: Pick<CheckDefinition, "id" | "command">,
  redact: (text: string) => string,
  why?: string,
): CheckReport {
  const report = { id, command: redact(command), status: "error", exit_code: null } as const;
  return { ...report, duration_ms: 0, output_tail: "", ...(why === undefined ? {} : { detail: why }) };
}

/**
 * The ids of the checks that did not pass, for the no-progress detector and the fix brief; without those that failed in the
 * same way before the work began.
 */
export function failingChecks(report: Pick<DefinitionOfDoneReport, "checks">): string[] {
  const failing = report.checks.filter(({ status, as_before }) => status !== "passed" && as_before !== true);
  return failing.map(({ id }) => id);
}

export function knownFailures(report: Pick<DefinitionOfDoneReport, "checks">): string[] {
  return report.checks.filter((check) => check.as_before === true).map((check) => check.id);
}

export function missingArtifacts(report: Pick<DefinitionOfDoneReport, "artifacts">): ArtifactReport[] {
  return report.artifacts.filter((artifact) => !artifact.found && !artifact.optional);
}

/**
 * Whether the gate is satisfied (SPEC 11). Required artifacts count under every gate. No check at all satisfies
 * `any` as it does `all`: a gate that nothing could ever pass would wedge the project. A cancelled run proves nothing.
 */
export function decidePassed(
  seen: Pick<DefinitionOfDoneReport, "gate" | "checks" | "artifacts" | "cancelled">,
): boolean {
  if (seen.cancelled || missingArtifacts(seen).length > 0) return false;
  if (seen.gate === "none" || seen.checks.length === 0) return true;
  const failing = failingChecks(seen).length;
  return seen.gate === "any" ? failing < seen.checks.length : failing === 0;
}

const MAX_ENTRIES = 5_000;

/**
 * How a check failed, as far as it is the same in another run: the lines of its output that name errors, without numbers. A short
 * name for each, and behind it how often it is there.
 */
export function failureKey(output: string): string[] {
  // Places and times are other ones in the next run.
  const lines = tellingLines(output).map((line) => line.trim().replaceAll(/\d+(?:[.,]\d+)?/g, "0"));
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  const short = (line: string): string => createHash("sha256").update(line).digest("hex").slice(0, 12);
  return Array.from(counts, ([line, count]) => `${short(line)} ${count}`).slice(0, MAX_ENTRIES);
}

type Failure = Pick<CheckReport, "status" | "exit_code" | "signature">;

/** Whether a check fails no worse than before (SPEC 11): it ended the same way, and nothing that it tells is new or there more often. */
export function isSameFailure(before: Failure, now: Failure): boolean {
  if (before.status !== now.status || before.exit_code !== now.exit_code) return false;
  // A check that told something and now tells nothing fails in another way.
  const [then = [], said = []] = [before.signature, now.signature];
  if (said.length === 0) return then.length === 0;
  const known = new Map(then.map(entryOf));
  return said.map(entryOf).every(([name, count]) => count <= (known.get(name) ?? 0));
}

function entryOf(entry: string): [string, number] {
  const [name = "", count = ""] = entry.split(" ");
  return [name, Number(count)];
}
