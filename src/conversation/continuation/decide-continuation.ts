/** What is true when GAIA's turn ends. */
export interface TurnEnd {
  /** Open items of her todo list and unticked tasks of the active plan. */
  openTodos: number;
  openTasks: number;
  /** What started the turn that ended: a nudge never leads to another one. */
  startedBy: "user" | "nudge" | "result";
  /** Whether she worked at all since the user wrote: a question that she answered leaves open what was open. */
  worked: boolean;
  /** The user stopped the run, and has written nothing since. */
  stoppedByUser: boolean;
  /** A check-in or an approval waits for the human. */
  waitsForHuman: boolean;
  /** The pipeline ended BLOCKED. */
  blocked: boolean;
  /** Delegations that still run: their results start the next turn by themselves. */
  running: number;
  /** Nudges since the user last wrote. */
  nudges: number;
  /** Her last answer asks the user something. */
  asksUser: boolean;
}

/** Whether to send her on, and if not, why not. */
export type ContinuationDecision = { kind: "nudge"; text: string } | { kind: "silent"; why: string };

/** Per message of the user; who ignores two will ignore the third. */
const MAX_NUDGES = 2;

/**
 * Decides whether GAIA is sent on when her turn ends with work open (SPEC 12). Everything that could make a loop or
 * talk over the human comes first: stopped, waiting, blocked, a question asked, or the turn itself came from a nudge.
 */
export function decideContinuation(turn: TurnEnd): ContinuationDecision {
  const why = reasonForSilence(turn);
  if (why !== null) return { kind: "silent", why };
  const open = [counted(turn.openTodos, "todo"), counted(turn.openTasks, "plan task")].filter((part) => part);
  const text = `Still open: ${open.join(" and ")}. Go on, or say why you stop.`;
  return { kind: "nudge", text };
}

function reasonForSilence(turn: TurnEnd): string | null {
  if (turn.openTodos + turn.openTasks <= 0) return "nothing is open";
  if (turn.stoppedByUser) return "the user stopped the run";
  if (!turn.worked) return "it was no work";
  if (turn.blocked) return "the work is blocked";
  if (turn.waitsForHuman) return "a human is asked";
  if (turn.asksUser) return "she asked the user";
  if (turn.running > 0) return "delegations are running";
  if (turn.startedBy === "nudge") return "the turn came from a nudge";
  return turn.nudges >= MAX_NUDGES ? "nudged often enough" : null;
}

function counted(count: number, noun: string): string {
  if (count <= 0) return "";
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
