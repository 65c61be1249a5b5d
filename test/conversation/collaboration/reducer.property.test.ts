import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decideCall, isCovered } from "../../../src/conversation/collaboration/decide-call.ts";
import {
  type CollaborationEffect,
  type CollaborationState,
  hasApprovedWave,
  initialState,
  restoreState,
  sealState,
} from "../../../src/conversation/collaboration/state.ts";
import { KNOB_NAMES, valuesOf } from "../../../src/config/knobs.ts";
import { setsMode } from "../../../src/conversation/collaboration/knobs.ts";
import { createSeal } from "../../../src/lib/seal.ts";
import { scenes } from "./random-scenes.ts";
import type { SandboxDecision } from "../../../src/sandbox/decide.ts";
import { examined } from "../../support/examination.ts";
import { type Scene, DEFAULTS, playOn, withBudgets } from "./session.ts";

const seal = createSeal();
const ASK: SandboxDecision = { kind: "ask" };
const IN_SANDBOX: SandboxDecision = {
  kind: "run",
  profile: { project: "write", network: false, caches: true },
};
const TIGHT = withBudgets({
  maxToolCallsPerWave: 4,
  consecutiveFailureLimit: 2,
  onFailureLimit: "supervised_pause",
});

interface Step {
  readonly scene: Scene;
  readonly before: CollaborationState;
  readonly state: CollaborationState;
  readonly effects: readonly CollaborationEffect[];
}

function stepsOf(play: readonly Scene[]): Step[] {
  let before = initialState("root", TIGHT, 0);
  return play.map((scene) => {
    const { state, last } = playOn(before, [scene], TIGHT);
    const step = { scene, before, state, effects: last };
    before = state;
    return step;
  });
}

type Pair = { readonly workUnit: string; readonly wave: string };

function isSpent(before: CollaborationState, state: CollaborationState): boolean {
  return state.pause?.reason === "budget" && before.pause?.reason !== "budget";
}

/** Read from the events alone: does this one end an approval of the given wave, whatever the reducer thinks? */
function ends({ scene, before, state }: Step, { workUnit, wave }: Pair): boolean {
  if (isSpent(before, state)) return true;
  switch (scene.type) {
    case "wave-completed":
      return scene.wave === wave && scene.workUnit === workUnit;
    case "wave-opened":
      return scene.wave !== wave || scene.workUnit !== workUnit;
    case "work-unit-changed":
      return scene.workUnit !== workUnit;
    case "permission-replied":
      return scene.reply === "reject" && scene.by === "human";
    case "command":
      return setsMode(scene.change);
    case "session-ended":
      return scene.sessionId === "root";
    default:
      return scene.type === "aborted" || scene.type === "taken-back";
  }
}

/** The place of the human's yes to a dialog that was open for exactly this wave; -1 when there is none. */
function lastGrant(steps: readonly Step[], { workUnit, wave }: Pair): number {
  return steps.findLastIndex(({ scene, before }) => {
    if (scene.type !== "permission-replied" || scene.reply === "reject" || scene.by !== "human") return false;
    return before.pending.some(
      (open) =>
        open.requestId === scene.requestId &&
        open.kind === "permission" &&
        open.approval?.kind === "wave" &&
        open.approval.wave === wave &&
        open.approval.workUnit === workUnit,
    );
  });
}

/** The place where a wave was opened by a human's yes to the plan that begins with it, and nothing came between; -1 for none. */
function lastOpening(steps: readonly Step[], pair: Pair): number {
  return steps.findLastIndex(({ scene }, opening) => {
    if (scene.type !== "wave-opened" || scene.planned === undefined) return false;
    const { planned, workUnit, wave } = scene;
    if (workUnit !== pair.workUnit || wave !== pair.wave) return false;
    const yes = steps.slice(0, opening).findLastIndex((step) => {
      if (step.scene.type !== "permission-replied" || step.scene.by !== "human") return false;
      const { requestId, reply } = step.scene;
      const asked = step.before.pending.flatMap((open) => (open.kind === "permission" ? [open] : []));
      const approval = asked.find((open) => open.requestId === requestId)?.approval;
      const isIt = approval?.kind === "plan" && approval.workUnit === workUnit;
      return isIt && reply !== "reject" && JSON.stringify(approval.opens) === JSON.stringify(planned);
    });
    const isWave = (step: Step): boolean => step.scene.type.startsWith("wave-");
    // The wave that is open already may be opened again: that opens nothing.
    const isAgain = ({ before: { wave: open }, scene: again }: Step): boolean =>
      again.type === "wave-opened" && open?.id === again.wave && open.workUnit === again.workUnit;
    const ended = (step: Step): boolean =>
      (step.scene.type === "wave-opened" && !isAgain(step)) || (!isWave(step) && ends(step, pair));
    return yes >= 0 && !steps.slice(yes + 1, opening).some(ended);
  });
}

test("no sequence of events leaves an approval active that nobody gave, or that has ended", () => {
  let seen = 0;
  fc.assert(
    fc.property(scenes, (play) => {
      const steps = stepsOf(play);
      steps.forEach(({ state }, index) => {
        if (!hasApprovedWave(state) || state.wave === null) return;
        seen += 1;
        const scope = { workUnit: state.wave.workUnit, wave: state.wave.id };
        const so = steps.slice(0, index + 1);
        const granted = Math.max(lastGrant(so, scope), lastOpening(so, scope));
        expect(granted).toBeGreaterThanOrEqual(0);
        expect(steps.slice(granted + 1, index + 1).filter((step) => ends(step, scope))).toEqual([]);
        expect(state.knobs.mode).toBe("supervised");
        expect(state.workUnit).toBe(scope.workUnit);
      });
    }),
    { numRuns: 1_500 },
  );
  expect(seen).toBeGreaterThan(500);
});

test("changes are only ever answered in autopilot, or inside the approved wave", () => {
  const request = fc.record({
    kind: fc.constantFrom("command" as const, "repetition", "other"),
    effect: fc.constantFrom("project" as const, "unknown", "outside", "forbidden"),
    sessionId: fc.constantFrom("root", "child", "stranger"),
    workUnit: fc.constantFrom("u1", "u2", null),
    waveId: fc.constantFrom("w1", "w2", null),
    isApproval: fc.boolean(),
    sandbox: fc.constantFrom<SandboxDecision | null>(null, ASK, IN_SANDBOX),
  });
  fc.assert(
    fc.property(scenes, request, (play, asked) => {
      const { state } = playOn(initialState("root", TIGHT, 0), play, TIGHT);
      const isCommand = asked.sandbox !== null;
      const about = { tool: isCommand ? "bash" : "edit", agent: "hephaestus", role: "editor" as const };
      const call = { ...about, examination: examined(asked.effect), isCommand, isRecord: false };
      const place = { enforceWaveId: TIGHT.wavePolicy.enforceWaveId, ...asked };
      const question = { by: "host" as const, isCovered: isCovered(state, place), ...asked };
      if (decideCall(state, call, question).kind !== "allow") return;
      expect(asked.effect).not.toBe("forbidden");
      if (isCommand) expect(asked.sandbox).toEqual(IN_SANDBOX);
      else expect(asked.effect).toBe("project");
      expect(asked.isApproval).toBe(false);
      expect(asked.sessionId).not.toBe("stranger");
      expect([state.ended, state.pause]).toEqual([false, null]);
      // Its sandbox has taken the mode into account.
      if (isCommand) return;
      const isInWave = hasApprovedWave(state) && state.wave?.id === asked.waveId;
      expect(state.knobs.mode === "autopilot" || (isInWave && state.workUnit === asked.workUnit)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("dangerous never runs; locked, paused or ended nothing changes", () => {
  const call = fc.record({
    role: fc.constantFrom("editor" as const),
    isCommand: fc.constant(false),
    tool: fc.constantFrom("edit", "plan_gaia", "mcp_x"),
    examination: fc.constantFrom(examined("project"), examined("forbidden")),
    agent: fc.constantFrom("gaia", "hephaestus", "minerva"),
    isRecord: fc.boolean(),
  });
  fc.assert(
    fc.property(scenes, call, (play, tried) => {
      const { state } = playOn(initialState("root", TIGHT, 0), play, TIGHT);
      const onlyReads = tried.agent !== "hephaestus";
      const guard = { by: "guard" as const, onlyReads, sandbox: null };
      if (decideCall(state, tried, guard).kind === "refuse") return;
      expect(tried.examination.effect).toBe("project");
      expect(state.knobs.mode).not.toBe("locked");
      expect(state.ended).toBe(false);
      expect(tried.isRecord || (state.pause === null && tried.agent === "hephaestus")).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("only a human's event lifts a pause, and only a user's word or a spent budget turns a knob", () => {
  const words = ["command", "question-answered", "handshake-closed"];
  const lifting = new Set<string>();
  const turning = new Set<string>();
  fc.assert(
    fc.property(scenes, (play) => {
      for (const { scene, before, state } of stepsOf(play)) {
        if (before.pause !== null && state.pause === null && !state.ended) lifting.add(scene.type);
        const fellBack = isSpent(before, state);
        const turned = JSON.stringify(before.knobs) !== JSON.stringify(state.knobs);
        if (turned && !fellBack) turning.add(scene.type);
      }
    }),
    { numRuns: 1_000 },
  );
  expect([...words, "next", "user-message", "taken-back"]).toEqual(expect.arrayContaining([...lifting]));
  expect(words).toEqual(expect.arrayContaining([...turning]));
  expect([lifting.size, turning.size]).not.toContain(0);
});

test("every state stays valid and survives a snapshot, its approval and dialogs excepted", () => {
  fc.assert(
    fc.property(scenes, (play) => {
      const { state } = playOn(initialState("root", DEFAULTS, 0), play);
      for (const knob of KNOB_NAMES) expect(valuesOf(knob)).toContain(state.knobs[knob]);
      const json: unknown = JSON.parse(JSON.stringify(sealState(state, seal)));
      const restored = restoreState(json, "root", DEFAULTS, 7, seal);
      if (restored === null) throw new Error("its seal is broken");
      const { knobs, rampBatches, workUnit, batch, spent } = state;
      expect(restored).toMatchObject({
        knobs,
        rampBatches,
        workUnit,
        batch,
        spent,
        pending: [],
      });
      expect(restored.wave?.id).toBe(state.wave?.id);
      expect(hasApprovedWave(restored)).toBe(false);
      expect(restored.pause?.reason).toBe(state.pause?.reason);
    }),
    { numRuns: 300 },
  );
});
