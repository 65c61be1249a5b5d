import { addFact, addReport, changedProject, type ToolFact } from "./batch.ts";
import { countTool, stopIfSpent } from "./budgets.ts";
import type { CollaborationDefaults } from "./defaults.ts";
import type { CollaborationEvent } from "./events.ts";
import { type Outcome, inOrder, outcome } from "./outcome.ts";
import { closeGate, showCheckin } from "./pause.ts";
import { paceOf } from "./profiles.ts";
import type { CollaborationState } from "./state.ts";
import { endApproval } from "./waves.ts";

type Started = Extract<CollaborationEvent, { type: "delegation-started" }>;
type Finished = Extract<CollaborationEvent, { type: "delegation-finished" }>;

/** A tool call ran: it joins the batch and the budgets, and at pace `step` a change closes the gate. */
export function toolFinished(
  state: CollaborationState,
  fact: ToolFact,
  defaults: CollaborationDefaults,
): Outcome {
  const { sessionId } = fact;
  const changed = changedProject(fact);
  const delegations = state.delegations.map((running) =>
    changed && running.sessionId === sessionId ? { ...running, changed } : running,
  );
  const idle = state.idle && sessionId !== state.rootSession;
  const counted = countTool({ ...state, idle, delegations, batch: addFact(state.batch, fact) }, fact);
  return inOrder(
    counted,
    (now) =>
      changed && paceOf(now.knobs) === "step" ? closeGate(now, "step", sessionId, defaults) : outcome(now),
    (now) => stopIfSpent(now, defaults),
  );
}

/** A specialist begins, or is resumed; from now on its session belongs to this root. */
export function delegationStarted(state: CollaborationState, { sessionId, agent }: Started): Outcome {
  const others = state.delegations.filter((running) => running.sessionId !== sessionId);
  return outcome({
    ...state,
    idle: false,
    delegations: [...others, { sessionId, agent, changed: false }],
  });
}

/** A specialist returned: its words join the packet, and at pace `batch` its changes close the gate. */
export function delegationFinished(
  state: CollaborationState,
  { sessionId, ok, report }: Finished,
  defaults: CollaborationDefaults,
): Outcome {
  const finished = state.delegations.find((running) => running.sessionId === sessionId);
  const delegations = state.delegations.filter((running) => running !== finished);
  const failures = ok ? 0 : state.spent.failures + 1;
  const batch = report === undefined ? state.batch : addReport(state.batch, report);
  return inOrder(
    { ...state, delegations, batch, spent: { ...state.spent, failures } },
    (now) =>
      finished?.changed && paceOf(now.knobs) === "batch"
        ? closeGate(now, "batch", null, defaults)
        : outcome(now),
    (now) => (now.pause?.sessionId === sessionId ? showCheckin(now, defaults) : outcome(now)),
    (now) => stopIfSpent(now, defaults),
  );
}

/** The root's turn is over: nothing more will come for a packet that is still due. */
export function turnEnded(state: CollaborationState, defaults: CollaborationDefaults): Outcome {
  return showCheckin({ ...state, idle: true }, defaults);
}

/** A session is gone: a child takes its open requests with it, the root everything. */
export function sessionEnded(state: CollaborationState, sessionId: string): Outcome {
  if (sessionId === state.rootSession) {
    return inOrder(
      state,
      (now) => endApproval(now, "the session ended"),
      (now) => outcome({ ...now, ended: true, wave: null, pause: null, pending: [], delegations: [] }),
    );
  }
  const delegations = state.delegations.filter((running) => running.sessionId !== sessionId);
  const pending = state.pending.filter(
    (request) => request.kind !== "permission" || request.sessionId !== sessionId,
  );
  return outcome({ ...state, delegations, pending });
}
