import * as z from "zod/mini";
import { lazy } from "../../lib/lazy.ts";
import { IN_ENGLISH } from "../../lib/schema.ts";
import type { WorkStore } from "../own-work/store.ts";
import { type CollaborationDefaults, initialKnobs } from "./knobs.ts";
import { type Knobs, valuesOf } from "../../config/knobs.ts";
import { type CollaborationState, initialState } from "./state.ts";

const snapshotSchema = lazy(() => {
  const count = z.int().check(z.gte(0));
  const text = z.string().check(z.maxLength(1_000));
  const nullableText = z.nullable(text);
  const batch = z.object({
    files: z
      .array(
        z.object({
          path: text,
          added: count,
          removed: count,
          note: z.optional(text),
          risk: z.optional(text),
        }),
      )
      .check(z.maxLength(100)),
    commands: z
      .array(z.object({ command: text, exitCode: z.nullable(z.int()), output: text }))
      .check(z.maxLength(100)),
    added: count,
    removed: count,
    omittedFiles: count,
    omittedCommands: count,
    unseen: z._default(count, 0),
    report: z.object({ rationale: text, risk: text, nextStep: text }),
    checks: z._default(
      z.nullable(z.object({ passed: z.boolean(), lines: z.array(text).check(z.maxLength(20)) })),
      null,
    ),
    evidence: z._default(text, ""),
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
    handshake: z.enum(["due", "asked", "settled", "spent", "earlier"]),
    ramp: z.object({ batches: count, asked: z.boolean() }),
    workUnit: nullableText,
    wave: z.nullable(z.object({ id: text, workUnit: text, title: text, approved: z.boolean() })),
    pause: z.nullable(
      z.object({
        reason: z.enum(["step", "batch", "wave", "budget", "abort", "blocked"]),
        detail: text,
        sessionId: nullableText,
        checkinDue: z.boolean(),
      }),
    ),
    batch,
    lastBatch: batch,
    verdicts: z._default(
      z
        .array(
          z.object({
            workUnit: text,
            reviewer: text,
            role: text,
            verdict: z.nullable(z.enum(["APPROVE", "REJECT", "BLOCKED"])),
            reason: text,
            findings: z._default(z.array(text), []),
            at: z.number(),
            standing: z.enum(["open", "fixed", "settled", "overruled"]),
          }),
        )
        .check(z.maxLength(100)),
      [],
    ),
    spent: z.object({ toolCalls: count, failures: count, activeMs: z.number().check(z.gte(0)) }),
  }) satisfies z.ZodMiniType<CollaborationSnapshot>;
});

/** What of a session's state goes into its metadata: small, plain JSON, and nothing that ends with the process. */
export type CollaborationSnapshot = { readonly version: 1 } & Omit<
  CollaborationState,
  "at" | "ended" | "idle" | "opens" | "pending" | "delegations" | "rejection"
>;

export function snapshotState(state: CollaborationState): CollaborationSnapshot {
  const { at: _at, ended: _ended, idle: _idle, opens: _opens, pending: _pending, ...rest } = state;
  const { delegations: _delegations, rejection: _rejection, ...kept } = rest;
  return { version: 1, ...kept };
}

/**
 * The state out of a snapshot; never throws. The wave's approval and open dialogs are not picked up: metadata is no human's word.
 * A fork has the metadata of its original: settings, unit and verdicts go on there, the rest stays with the original.
 * @param rootSession the session whose metadata it is
 */
export function restoreState(
  json: unknown,
  rootSession: string,
  defaults: CollaborationDefaults,
  at: number,
):
  | { readonly ok: true; readonly state: CollaborationState; readonly from: string }
  | { readonly ok: false; readonly reason: string } {
  const parsed = snapshotSchema().safeParse(json, IN_ENGLISH);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { ok: false, reason: `${issue?.path.join(".") || "snapshot"}: ${issue?.message ?? "unreadable"}` };
  }
  const { version: _version, ...kept } = parsed.data;
  const { knobs, ramp, workUnit, wave, verdicts } = kept;
  const handshake = kept.handshake === "asked" ? "due" : kept.handshake;
  const fresh = { ...initialState(rootSession, defaults, at), idle: true };
  if (kept.rootSession !== rootSession) {
    const state = { ...fresh, knobs, handshake, ramp, workUnit, verdicts };
    return { ok: true, from: kept.rootSession, state };
  }
  const known = { ...kept, handshake, wave: wave === null ? null : { ...wave, approved: false } };
  return { ok: true, from: rootSession, state: { ...fresh, ...known } };
}

const RANKS: Readonly<Record<Knobs["mode"], number>> = { locked: 0, supervised: 1, autopilot: 2 };

export function noteMode({ rootSession, knobs: { mode } }: CollaborationState, store: WorkStore): void {
  store.save(modeFile(rootSession), () => ({ mode }));
}

function modeFile(rootId: string): string {
  return `mode-${rootId}`;
}

/**
 * Metadata may come with somebody else's session (`opencode import`): more runs unasked than by default only where the user said
 * so on this machine. @param from the conversation that wrote them: this one, or the one that it is a fork of
 */
export async function asSetHere(
  state: CollaborationState,
  from: string,
  defaults: CollaborationDefaults,
  store: WorkStore,
): Promise<CollaborationState> {
  const { rootSession, knobs } = state;
  const { mode } = initialKnobs(defaults);
  if (RANKS[knobs.mode] <= RANKS[mode]) return state;
  const { mode: own } = await store.load(modeFile(from));
  if (own !== knobs.mode) return { ...state, knobs: { ...knobs, mode } };
  if (from !== rootSession) store.save(modeFile(rootSession), () => ({ mode: own }));
  return state;
}
