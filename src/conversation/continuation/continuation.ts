import { isEnded } from "../../delegation/task.ts";
import { decideContinuation, type TurnEnd } from "./decide-continuation.ts";
import type { HostEvent } from "../../host/port.ts";
import { describeError } from "../../lib/error.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ResultDelivery } from "../result-delivery/result-delivery.ts";
import type { Runs } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";

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

/**
 * Sends GAIA on when her turn ends with work open (SPEC 12), as long as she is who the user speaks to; when that is,
 * `decide-continuation.ts` decides.
 */
export function createContinuation(
  conversation: ConversationCore,
  { host, workspace, guards, orchestrator }: ConversationServices,
  delivery: Pick<ResultDelivery, "nudge">,
  runs: Pick<Runs, "isUnderWay">,
): Part {
  if (!guards.continuation) return {};
  const { rootId } = conversation;
  let turn: Turn = { ...NEW_TURN };

  const openTasks = async (): Promise<number> => {
    const { workUnit, wave } = conversation.state;
    const read = workUnit === null ? null : await workspace.readWorkUnit({ slug: workUnit });
    if (read?.ok !== true) return 0;
    const open = read.tasks.filter(({ done }) => !done).length;
    // A draft waits for its approval, and an approved plan for the user to have it begun.
    const isBegun = wave !== null || open < read.tasks.length;
    const isUnderWay = read.status === "in-progress" || (read.status === "approved" && isBegun);
    return isUnderWay ? open : 0;
  };

  const turnEnded = async (): Promise<void> => {
    const { state } = conversation;
    const ended = turn;
    if (!ended.answered || state.knobs.mode === "locked" || state.knobs.interaction === "pair") return;
    ended.answered = false;
    const decision = decideContinuation({
      openTodos: ended.openTodos,
      openTasks: await openTasks(),
      startedBy: ended.startedBy,
      worked: ended.worked,
      stoppedByUser: state.pause?.reason === "abort",
      waitsForHuman: state.pause !== null || state.pending.length > 0,
      blocked: state.pause?.reason === "blocked",
      running: conversation.tasks().filter((task) => !isEnded(task)).length + Number(runs.isUnderWay()),
      nudges: ended.nudges,
      asksUser: asksSomething(ended.text),
    });
    // Where nobody can be asked nobody waits either: `opencode run` ends with the first turn.
    if (decision.kind === "silent" || !(await conversation.canAsk())) return;
    // The user may have written while this was decided.
    if (turn !== ended || !delivery.nudge(decision.text)) return;
    ended.startedBy = "nudge";
    ended.nudges += 1;
  };

  return {
    observe(event, isRoot) {
      if (!isRoot || conversation.speaker()?.agent !== orchestrator) return;
      if (event.type === "todos.updated") turn.openTodos = event.open;
      else if (event.type === "text.finished") turn.text = event.text;
      else if (event.type === "message.finished") turn.answered = event.isAnswer;
      else if (event.type === "tool.activity") turn.worked ||= organizesWork(event);
      else if (event.type === "session.status" && event.status === "idle") {
        turnEnded().catch((error: unknown) => {
          host.logger.log("warn", "continuation", describeError(error), { rootId });
        });
      }
    },
    userSpoke(how) {
      if (how === "message" || how === "command") turn = { ...NEW_TURN, openTodos: turn.openTodos };
    },
    resultsDelivered() {
      turn.startedBy = "result";
    },
  };
}

/** Whether GAIA begins or organises work with a call; a turn without any was an answer, whatever is still open. */
function organizesWork({ tool, kind }: Extract<HostEvent, { type: "tool.activity" }>): boolean {
  return tool === "delegate_gaia" || kind === "todos";
}

/** Whether her last lines end in a question; one further up was rhetorical, or has been answered by herself. */
export function asksSomething(text: string): boolean {
  return text
    .trim()
    .split("\n")
    .slice(-2)
    .some((line) => line.includes("?"));
}
