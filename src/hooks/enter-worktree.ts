import { defineHook, Denial, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Has the calls of a specialist who works in a worktree made in there: they speak of the project as they know it. */
export function createEnterWorktreeHook({ conversations, host }: Runtime): HookDefinition {
  return defineHook({
    id: "enter-worktree",
    event: "before-tool",
    why: "the first: all others judge the call as it will run",
    onFailure: "closed",
    async run(call) {
      const found = await conversations.of(call.sessionId);
      if (found === null) return;
      const { worktrees } = found.conversation.parts;
      const why = await worktrees.settle(call.sessionId);
      if (why !== null) throw new Denial(why);
      const workplace = worktrees.of(call.sessionId);
      if (workplace !== null) call.moveInto({ at: host.directory, from: workplace.from, to: workplace.to });
    },
  });
}
