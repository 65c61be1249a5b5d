import type { TaskStore } from "../../delegation/task-store.ts";
import { isEnded } from "../../delegation/task.ts";
import { decideContinuation, type TurnEnd } from "./decide-continuation.ts";
import type { Host, HostEvent } from "../../host/port.ts";
import { describeError } from "../../lib/error.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { Conversation } from "../conversation.ts";

/** Sends GAIA on when her turn ends with work open (SPEC 12); when that is, `decide-continuation.ts` decides. */
export interface Continuation {
  observe(event: HostEvent): void;
  /** A message of the user's own arrived. */
  userSpoke(rootId: string): void;
  /** Results of background tasks were delivered. */
  resultsCame(rootId: string): void;
}

export interface ContinuationInput {
  readonly host: Host;
  readonly tasks: TaskStore;
  readonly workspace: Workspace;
  /** A conversation that is open already, as long as GAIA is who the user speaks to there. */
  conversationOf(rootId: string): Conversation | undefined;
  /** @returns whether it was sent: the session may have become busy, or the user may have stopped it */
  send(rootId: string, text: string): boolean;
}

/** What is known of the turn that runs, or ran last. */
interface Turn {
  startedBy: TurnEnd["startedBy"];
  nudges: number;
  worked: boolean;
  openTodos: number;
  /** The last words, and whether the turn ended with them in good order. */
  text: string;
  answered: boolean;
}

const NEW_TURN: Turn = {
  startedBy: "user",
  nudges: 0,
  worked: false,
  openTodos: 0,
  text: "",
  answered: false,
};

export function createContinuation(input: ContinuationInput): Continuation {
  const { host, tasks, workspace } = input;
  const turns = new Map<string, Turn>();
  const turnOf = (rootId: string): Turn => {
    const turn = turns.get(rootId) ?? { ...NEW_TURN };
    turns.set(rootId, turn);
    return turn;
  };

  const openTasks = async ({ state: { workUnit, wave } }: Conversation): Promise<number> => {
    const read = workUnit === null ? null : await workspace.readWorkUnit({ slug: workUnit });
    if (read?.ok !== true) return 0;
    const open = read.tasks.filter(({ done }) => !done).length;
    // A draft waits for its approval, and an approved plan for the user to have it begun.
    const isBegun = wave !== null || open < read.tasks.length;
    const isUnderWay = read.status === "in-progress" || (read.status === "approved" && isBegun);
    return isUnderWay ? open : 0;
  };

  const turnEnded = async (conversation: Conversation): Promise<void> => {
    const { rootId, state } = conversation;
    const turn = turnOf(rootId);
    if (!turn.answered || state.knobs.mode === "locked" || state.knobs.interaction === "pair") return;
    turn.answered = false;
    const decision = decideContinuation({
      openTodos: turn.openTodos,
      openTasks: await openTasks(conversation),
      startedBy: turn.startedBy,
      worked: turn.worked,
      stoppedByUser: state.pause?.reason === "abort",
      waitsForHuman: state.pause !== null || state.pending.length > 0,
      blocked: state.pause?.reason === "blocked",
      running: tasks.ofParent(rootId).filter((task) => !isEnded(task)).length,
      nudges: turn.nudges,
      asksUser: asksSomething(turn.text),
    });
    // Where nobody can be asked nobody waits either: `opencode run` ends with the first turn.
    if (decision.kind === "silent" || (await host.sessions.get(rootId))?.canAsk !== true) return;
    // The user may have written while this was decided.
    if (turns.get(rootId) !== turn || !input.send(rootId, decision.text)) return;
    turn.startedBy = "nudge";
    turn.nudges += 1;
  };

  const idle = (rootId: string): void => {
    const conversation = input.conversationOf(rootId);
    if (conversation === undefined) return;
    turnEnded(conversation).catch((error: unknown) => {
      host.logger.log("warn", "continuation", describeError(error), { rootId });
    });
  };

  return {
    observe(event) {
      if (event.type === "session.deleted") turns.delete(event.sessionId);
      if (!("sessionId" in event) || input.conversationOf(event.sessionId) === undefined) return;
      const turn = turnOf(event.sessionId);
      if (event.type === "todos.updated") turn.openTodos = event.open;
      else if (event.type === "text.finished") turn.text = event.text;
      else if (event.type === "message.finished") turn.answered = event.isAnswer;
      else if (event.type === "tool.activity") turn.worked ||= organizesWork(event);
      else if (event.type === "session.status" && event.status === "idle") idle(event.sessionId);
    },
    userSpoke(rootId) {
      const before = turns.get(rootId);
      if (before !== undefined) turns.set(rootId, { ...NEW_TURN, openTodos: before.openTodos });
    },
    resultsCame(rootId) {
      turnOf(rootId).startedBy = "result";
    },
  };
}

/** Whether GAIA begins or organises work with a call; a turn without any was an answer, whatever is still open. */
function organizesWork({ tool, kind }: Extract<HostEvent, { type: "tool.activity" }>): boolean {
  return tool === "delegate_gaia" || kind === "todos";
}

/** Whether her last lines end in a question; one further up was rhetorical, or has been answered by herself. */
function asksSomething(text: string): boolean {
  return text
    .trim()
    .split("\n")
    .slice(-2)
    .some((line) => line.includes("?"));
}
