import * as z from "zod/mini";
import { valuesOf } from "../../config/knobs.ts";
import { lazy } from "../../lib/async.ts";

/** What of a session's state goes into its metadata: small, plain JSON, and nothing that ends with the process. */
export const savedStateSchema = lazy(() => {
  const count = z.int().check(z.gte(0));
  const text = z.string().check(z.maxLength(1_000));
  const nullableText = z.nullable(text);
  const file = z.object({
    path: text,
    added: count,
    removed: count,
    /** What lines do not tell: that it was deleted, moved, made a program. */
    note: z.optional(text),
    /** Why a mistake in it would cost much, in a few words. */
    risk: z.optional(text),
  });
  const command = z.object({
    command: text,
    /** null when the command did not end by itself, or when it is another tool without files, named in its place. */
    exitCode: z.nullable(z.int()),
    /** The end of its output, already free of secrets. */
    output: text,
  });
  /** What happened since the last check-in, bounded. */
  const batch = z.object({
    files: z.array(file).check(z.maxLength(100)),
    commands: z.array(command).check(z.maxLength(100)),
    added: count,
    removed: count,
    /** Edits of files beyond the list, and commands that were pushed out of it by newer ones. */
    omittedFiles: count,
    omittedCommands: count,
    /** Commands of which it is not known what they changed. */
    unseen: z._default(count, 0),
    /** What an agent's contract says about its work; only the words, the figures are measured. */
    report: z.object({ rationale: text, risk: text, nextStep: text }),
    checks: z._default(
      z.nullable(z.object({ passed: z.boolean(), lines: z.array(text).check(z.maxLength(20)) })),
      null,
    ),
    /** Where the plan stands: how much of it is proven, claimed and stale; empty when nobody looked. */
    evidence: z._default(text, ""),
  });
  /** The newest verdict of one reviewer on one work unit. */
  const verdict = z.object({
    /** Empty for work without a unit. */
    workUnit: text,
    reviewer: text,
    /** What the reviewer is there for: another of the same role may look again in its place. */
    role: text,
    /** null: not reviewed. It holds the work up until a reviewer of the same role gives a verdict, or the user goes on without. */
    verdict: z.nullable(z.enum(["APPROVE", "REJECT", "BLOCKED"])),
    reason: text,
    /** What an objection is about, a line each; empty for anything else. */
    findings: z._default(z.array(text), []),
    at: z.number(),
    /** `open`: it holds the work up; `fixed`: so still, but there is something new to look at; else how it was settled. */
    standing: z.enum(["open", "fixed", "settled", "overruled"]),
  });
  const wave = z.object({
    id: text,
    workUnit: text,
    title: text,
    /** Whether requests inside it are answered for the user; true only after a human allowed this very wave. */
    approved: z.boolean(),
  });
  const pause = z.object({
    reason: z.enum(["step", "batch", "wave", "budget", "abort", "blocked"]),
    /** In words: for a budget which one and how far, for blocked work the reason and the next step. */
    detail: text,
    /** The child whose contract the check-in packet waits for, at most until the turn ends; null to wait for none. */
    sessionId: nullableText,
    checkinDue: z.boolean(),
  });
  return z.object({
    version: z.literal(1),
    rootSession: text,
    knobs: z.object({
      profile: z.enum(valuesOf("profile")),
      mode: z.enum(valuesOf("mode")),
      visibility: z.enum(valuesOf("visibility")),
      interaction: z.enum(valuesOf("interaction")),
      checkinCadence: z.enum(valuesOf("checkinCadence")),
      reviewDepth: z.enum(valuesOf("reviewDepth")),
    }),
    /**
     * `due` until the user was asked, or said by a command, how to work together on this request; after that `settled`. A further
     * unit of the same request asks nothing: `spent` once its unit was left, `earlier` when the user has asked for more since.
     */
    handshake: z.enum(["due", "asked", "settled", "spent", "earlier"]),
    ramp: z.object({ batches: count, asked: z.boolean() }),
    workUnit: nullableText,
    wave: z.nullable(wave),
    pause: z.nullable(pause),
    /** Since the last check-in, and the one before it: what "undo last" means after work went on. */
    batch,
    lastBatch: batch,
    verdicts: z._default(z.array(verdict).check(z.maxLength(100)), []),
    /** `activeMs`: milliseconds of work; waiting for the user does not count. */
    spent: z.object({ toolCalls: count, failures: count, activeMs: z.number().check(z.gte(0)) }),
  });
});

type Frozen<T> = T extends readonly (infer Each)[]
  ? readonly Frozen<Each>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

export type SavedState = Frozen<z.infer<ReturnType<typeof savedStateSchema>>>;
