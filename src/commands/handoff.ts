import { failureForPerson } from "../lib/for-person.ts";
import { isEnded } from "../delegation/task.ts";
import { type CommandRun, refuseCommand } from "./define.ts";

/** `/handoff`: the next session begins where this one stops; words behind it are handed over as well. */
export const handoff: CommandRun = async (
  argumentText,
  { conversation, runtime: { engine, host, memory } },
) => {
  const running = engine.tasks
    .ofParent(conversation.rootId)
    .filter((task) => !isEnded(task))
    .map(({ agent, sessionId, activity }) => ({ agent, sessionId, activity }));
  const written = await memory.handOver(conversation.state.workUnit, {
    root: conversation.rootId,
    running,
    words: argumentText,
  });
  if (!written.ok) return refuseCommand(host, "written", failureForPerson(written));
  return {
    forUser: `Handed over in ${written.path}:\n\n${written.markdown}\n\nA new session with GAIA goes on from there.`,
    forModel: conversation.busy
      ? "The user wrote a hand-over; go on with your work without a word about it."
      : "The hand-over is written and on the user's screen. Say only: Handed over.",
  };
};
