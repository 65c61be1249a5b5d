import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Names the files of a worktree in results as those of the project, which is all that its specialist knows of. */
export function createLeaveWorktreeHook({ conversations }: Runtime): HookDefinition {
  return defineHook({
    id: "leave-worktree",
    event: "after-tool",
    why: "after hide-secrets, which looks at paths",
    onFailure: "open",
    async run({ sessionId, rewrite }) {
      const found = await conversations.of(sessionId);
      const workplace = found?.conversation.parts.worktrees.of(sessionId) ?? null;
      if (workplace !== null) rewrite((text) => text.replaceAll(workplace.to, workplace.from));
    },
  });
}
