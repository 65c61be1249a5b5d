import { createHash } from "node:crypto";
import * as z from "zod/mini";
import { lazy } from "../../lib/lazy.ts";

const STATUSES = ["passed", "failed", "timeout", "missing", "cancelled", "error"] as const;

/** What a file of evidence holds: all that the plugin keeps of a unit's proofs (SPEC 2.9). */
export const unitEvidence = lazy(() => {
  const text = z.string();
  // How a command ended, with how many tests ran and were left out where its output tells.
  const end = {
    key: text,
    status: z.enum(STATUSES),
    ran: z.optional(z.number()),
    skipped: z.optional(z.number()),
  };
  const exit_code = z.nullable(z.number());
  const file = z.object({ name: text, digest: text, shown: text });
  const red = z.object({ ...end, exit_code, id: text, signature: z.readonly(z.array(text)) });
  // `tree`: fingerprint of the files that it was seen on; null where it says nothing of any. `at`: ISO 8601 in UTC.
  const seen = z.object({
    ...end,
    exit_code,
    command: text,
    duration_ms: z.number(),
    tree: z.nullable(text),
    at: text,
  });
  return z.object({
    evidence: z.readonly(z.array(seen)),
    before: z.readonly(z.array(z.object({ ...end, wave: text }))),
    pins: z.readonly(z.array(z.object({ key: text, command: text, files: z.readonly(z.array(file)) }))),
    baseline: z.nullable(z.object({ at: text, red: z.readonly(z.array(red)), base: z.nullable(text) })),
  });
});

export type UnitEvidence = Readonly<z.infer<ReturnType<typeof unitEvidence>>>;
export type Evidence = Readonly<UnitEvidence["evidence"][number]>;
/** How a command ended before the work of a wave began; `wave` is empty for what shows the plan as a whole. */
export type Before = Readonly<UnitEvidence["before"][number]>;
/** The own files of a check when it was first met. */
export type Pin = Readonly<UnitEvidence["pins"][number]>;
/** A file, or an entry of one, by which a check says what it runs; `shown` is what the entry says, for people. */
export type OwnFile = Readonly<Pin["files"][number]>;
/** The checks before the first change of a unit; `base` is where the project was, as far as that can be told. */
export type Baseline = Readonly<NonNullable<UnitEvidence["baseline"]>>;
/** How a check failed then; see `failureSignature`. */
export type RedCheck = Readonly<Baseline["red"][number]>;

export const NO_EVIDENCE: UnitEvidence = { evidence: [], pins: [], before: [], baseline: null };
/** Commands that are remembered for one unit, the newest. */
export const MAX_EVIDENCE = 200;

/** What a command is known by: the very text and the folder it runs in. */
export function commandKey(command: string, cwd = "."): string {
  return digestOf([command, cwd]);
}

export function digestOf(texts: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 32);
}
