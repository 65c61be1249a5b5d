import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { lazy } from "../../lib/lazy.ts";
import type { CheckReport } from "../definition-of-done/report.ts";

/** What the host saw of one command (SPEC 2.9). */
export interface Evidence {
  /** See {@link commandKey}. */
  readonly key: string;
  /** As it ran, without secrets. */
  readonly command: string;
  readonly status: CheckReport["status"];
  readonly exit_code: number | null;
  readonly duration_ms: number;
  /** Fingerprint of the project's files that this was seen on; null where it says nothing of any. */
  readonly tree: string | null;
  /** ISO 8601 in UTC. */
  readonly at: string;
  /** How many tests ran, where its output tells. */
  readonly ran?: number | undefined;
  /** How many were left out. */
  readonly skipped?: number | undefined;
}

/** How a command ended before the work of a wave began. */
export interface Before extends Pick<Evidence, "key" | "status" | "ran" | "skipped"> {
  /** The wave of the plan; empty for what shows the plan as a whole. */
  readonly wave: string;
}

/** A file, or an entry of one, by which a check says what it runs. */
export interface OwnFile {
  /** From the project's root. */
  readonly name: string;
  readonly digest: string;
  /** What the entry says, for people; empty for a file. */
  readonly shown: string;
}

/** The own files of a check when it was first met. */
export interface Pin {
  readonly key: string;
  readonly command: string;
  readonly files: readonly OwnFile[];
}

/** How a check failed before the work began. */
export interface RedCheck {
  readonly key: string;
  readonly id: string;
  readonly status: CheckReport["status"];
  readonly exit_code: number | null;
  /** See `failureSignature`. */
  readonly signature: readonly string[];
  readonly ran?: number | undefined;
  readonly skipped?: number | undefined;
}

/** The checks before the first change of a unit. */
export interface Baseline {
  readonly at: string;
  readonly red: readonly RedCheck[];
  /** Where the project was, to tell what was changed since; null where that cannot be told. */
  readonly base: string | null;
}

/** Everything that the plugin keeps of a unit's proofs. */
export interface UnitEvidence {
  readonly evidence: readonly Evidence[];
  readonly pins: readonly Pin[];
  readonly before: readonly Before[];
  readonly baseline: Baseline | null;
}

export const NO_EVIDENCE: UnitEvidence = { evidence: [], pins: [], before: [], baseline: null };
/** Commands that are remembered for one unit, the newest. */
export const MAX_EVIDENCE = 200;

const STATUSES = ["passed", "failed", "timeout", "missing", "cancelled", "error"] as const;

/** What a file of evidence holds. */
export const unitEvidence = lazy(() => {
  const seen = {
    key: z.string(),
    status: z.enum(STATUSES),
  };
  const tests = { ran: z.optional(z.number()), skipped: z.optional(z.number()) };
  const text = z.string();
  const code = z.nullable(z.number());
  return z.object({
    evidence: z.array(
      z.object({
        ...seen,
        ...tests,
        exit_code: code,
        command: text,
        duration_ms: z.number(),
        tree: z.nullable(text),
        at: text,
      }),
    ),
    before: z.array(z.object({ ...seen, ...tests, wave: text })),
    pins: z.array(
      z.object({
        key: text,
        command: text,
        files: z.array(z.object({ name: text, digest: text, shown: text })),
      }),
    ),
    baseline: z.nullable(
      z.object({
        at: text,
        red: z.array(z.object({ ...seen, ...tests, exit_code: code, id: text, signature: z.array(text) })),
        base: z.nullable(text),
      }),
    ),
  });
});

/** What a command is known by: the very text and the folder it runs in. */
export function commandKey(command: string, cwd = "."): string {
  return digestOf([command, cwd]);
}

/** A short name for texts. */
export function digestOf(texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 32);
}
