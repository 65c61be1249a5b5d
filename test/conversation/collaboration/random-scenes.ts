import * as fc from "fast-check";
import type { ApprovalRequest } from "../../../src/conversation/collaboration/approval-kinds.ts";
import { KNOB_NAMES, type KnobSetting, valuesOf } from "../../../src/config/knobs.ts";
import { type Scene, bash, edit, read } from "./session.ts";

const unit = fc.constantFrom("u1", "u2");
const waveId = fc.constantFrom("w1", "w2");
const request = fc.constantFrom("r1", "r2", "r3", "constructor");
const session = fc.constantFrom("root", "child", "other");

const plannedWave = fc.record({ wave: waveId, plan: fc.constantFrom("p1", "p2") });

const asked: fc.Arbitrary<ApprovalRequest> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("wave" as const), workUnit: unit, wave: waveId }) },
  fc.record({ kind: fc.constantFrom("plan" as const, "revision", "verification"), workUnit: unit }),
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("plan" as const), workUnit: unit, opens: plannedWave }),
  },
);

const knobChange: fc.Arbitrary<KnobSetting> = fc.oneof(
  ...KNOB_NAMES.map((knob) =>
    fc.constantFrom(...valuesOf(knob)).map((value) => ({ knob, value }) as KnobSetting),
  ),
);

/** A wave's dialog that opens and gets a human's yes: random events alone would hardly ever approve one. */
const approval: fc.Arbitrary<Scene[]> = fc.tuple(request, asked).map(([requestId, what]) => [
  { type: "permission-asked", requestId, sessionId: "root", tool: "plan_gaia", approval: what },
  { type: "permission-replied", requestId, reply: "once", by: "human" },
]);

const single: fc.Arbitrary<Scene> = fc.oneof(
  knobChange.map((change): Scene => ({ type: "command", change })),
  fc.constantFrom<Scene>(
    { type: "next" },
    { type: "aborted" },
    { type: "taken-back" },
    { type: "turn-ended" },
    { type: "tick" },
    { type: "rejection-explained", reason: "no" },
    { type: "user-message", text: "/next" },
    { type: "user-message", text: "undo last" },
    { type: "user-message", text: "Rejected edit because: no" },
    edit("src/a.ts"),
    edit("src/b.ts", { failed: true }),
    edit(".gaia/u1/log.md"),
    bash("npm test", 1),
    read(),
  ),
  fc.record({
    type: fc.constant("permission-asked" as const),
    requestId: request,
    sessionId: session,
    tool: fc.constant("edit"),
  }),
  fc.record({
    type: fc.constant("permission-asked" as const),
    requestId: request,
    sessionId: session,
    tool: fc.constant("plan_gaia"),
    approval: asked,
  }),
  fc.record({
    type: fc.constant("permission-replied" as const),
    requestId: request,
    reply: fc.constantFrom("once" as const, "always", "reject"),
    by: fc.constantFrom("human" as const, "plugin"),
  }),
  fc.record({
    type: fc.constant("question-asked" as const),
    requestId: request,
    purpose: fc.constantFrom("handshake" as const, "ramp", "other"),
    questions: fc.constant(["?"]),
  }),
  fc.record({
    type: fc.constant("question-answered" as const),
    requestId: request,
    answers: fc.constantFrom([["Full Agentic"]], [["Pair Live"]], [["whatever"]], []),
  }),
  fc.record({ type: fc.constant("wave-opened" as const), workUnit: unit, wave: waveId }),
  fc.record({
    type: fc.constant("wave-opened" as const),
    workUnit: unit,
    wave: waveId,
    planned: plannedWave,
  }),
  fc.record({ type: fc.constant("wave-completed" as const), workUnit: unit, wave: waveId }),
  fc.record({ type: fc.constant("work-unit-changed" as const), workUnit: fc.option(unit) }),
  fc.record({
    type: fc.constant("delegation-started" as const),
    sessionId: session,
    agent: fc.constant("hephaestus"),
  }),
  fc.record({
    type: fc.constant("delegation-finished" as const),
    sessionId: session,
    ok: fc.boolean(),
  }),
  fc.constantFrom<Scene>(
    { type: "session-ended", sessionId: "child" },
    { type: "session-ended", sessionId: "other" },
  ),
);

/** Any order of events, as hosts and models may produce them; the root session ends in some of them. */
export const scenes: fc.Arbitrary<Scene[]> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 4, arbitrary: single.map((scene) => [scene]) }, approval), {
      maxLength: 40,
      size: "max",
    }),
    fc.boolean(),
  )
  .map(([groups, ends]) => {
    const end: Scene[] = ends ? [{ type: "session-ended", sessionId: "root" }] : [];
    return groups.flat().concat(end);
  });
