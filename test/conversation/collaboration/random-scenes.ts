import * as fc from "fast-check";
import type { ApprovalRequest } from "../../../src/conversation/collaboration/approval-kinds.ts";
import { KNOB_NAMES, type KnobSetting, valuesOf } from "../../../src/config/knobs.ts";
import { answers, asks, finish, inUnit, opened, question, replies, says, scenesOf } from "./session.ts";
import { type Scene, set, start } from "./session.ts";

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
const approval = fc
  .tuple(request, asked)
  .map(([requestId, what]) => [asks(requestId, "plan_gaia", what), replies(requestId)]);

const single: fc.Arbitrary<Scene> = fc.oneof(
  knobChange.map(set),
  fc.constantFrom(
    ...scenesOf(["next", "aborted", { type: "taken-back" }, "turn ended", "tick", "read", "red tests"]),
    ...["/next", "undo last", "Rejected edit because: no"].map(says),
    ...scenesOf([{ type: "rejection-explained", reason: "no" }, "edit", "failed edit", "edit of the record"]),
  ),
  fc.tuple(request, session).map(([requestId, sessionId]) => ({ ...asks(requestId), sessionId })),
  fc
    .tuple(request, session, asked)
    .map(([requestId, sessionId, what]) => ({ ...asks(requestId, "plan_gaia", what), sessionId })),
  fc
    .tuple(request, fc.constantFrom("once", "always", "reject"), fc.constantFrom("human", "plugin"))
    .map((given) => replies(...given)),
  request.map((requestId) => question(requestId, "?")),
  fc.boolean().map((isAnswered): Scene => ({ type: "handshake-closed", isAnswered })),
  fc
    .tuple(request, fc.constantFrom<string[][]>([["Full Agentic"]], [["Pair Live"]], [["whatever"]], []))
    .map(([requestId, given]) => answers(requestId, ...given)),
  fc.tuple(waveId, unit).map((given) => opened(...given)),
  fc.tuple(waveId, unit, plannedWave).map((given) => opened(...given)),
  fc.record({ type: fc.constant("wave-completed"), workUnit: unit, wave: waveId }),
  fc.option(unit).map(inUnit),
  session.map(start),
  fc.tuple(session, fc.boolean()).map(([sessionId, ok]) => finish(sessionId, ok)),
  fc.constantFrom("child", "other").map((sessionId): Scene => ({ type: "session-ended", sessionId })),
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
