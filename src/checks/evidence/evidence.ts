import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { lazy } from "../../lib/lazy.ts";
import type { CheckReport } from "../definition-of-done/report.ts";

/** What the host saw of one command (SPEC 2.9). */
export interface Evidence {
  /** See {@link keyOf}. */
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
  /** How many tests ran, where its output tells; 0 where it passed with none. */
  readonly ran?: number | undefined;
  /** How many of them were left out. */
  readonly skipped?: number | undefined;
}

/** What a check came down to when it was first met: lines of scripts, and the scripts themselves. */
export interface Pin {
  readonly key: string;
  readonly command: string;
  readonly digest: string;
  /** The beginning, for people. */
  readonly shown: string;
}

/** How a check failed before the work began. */
export interface RedCheck {
  readonly key: string;
  readonly id: string;
  readonly status: CheckReport["status"];
  readonly exit_code: number | null;
  /** See `failureSignature`. */
  readonly signature: readonly string[];
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
  readonly baseline: Baseline | null;
}

export const NO_EVIDENCE: UnitEvidence = { evidence: [], pins: [], baseline: null };
/** Commands that are remembered for one unit, the newest. */
export const MAX_EVIDENCE = 200;

const STATUSES = ["passed", "failed", "timeout", "missing", "cancelled", "error"] as const;

/** What a file of evidence holds. */
export const unitEvidence = lazy(() => {
  const seen = {
    key: z.string(),
    status: z.enum(STATUSES),
    exit_code: z.nullable(z.number()),
  };
  const text = z.string();
  return z.object({
    evidence: z.array(
      z.object({
        ...seen,
        command: text,
        duration_ms: z.number(),
        tree: z.nullable(text),
        at: text,
        ran: z.optional(z.number()),
        skipped: z.optional(z.number()),
      }),
    ),
    pins: z.array(z.object({ key: text, command: text, digest: text, shown: text })),
    baseline: z.nullable(
      z.object({
        at: text,
        red: z.array(z.object({ ...seen, id: text, signature: z.array(text) })),
        base: z.nullable(text),
      }),
    ),
  });
});

/** What a command is known by: the very text and the folder it runs in. */
export function keyOf(command: string, cwd = "."): string {
  return digestOf([command, cwd]);
}

/** A short name for texts. */
export function digestOf(texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 32);
}
