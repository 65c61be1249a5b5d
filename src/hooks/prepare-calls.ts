import { filePlaceOf } from "../conversation/worktrees/file-place.ts";
import { defineHook, Denial, type HookDefinition } from "../host/hook.ts";
import type { FileTool } from "../host/tool.ts";
import { isRefusal } from "../lib/refusal.ts";
import type { Runtime } from "../runtime.ts";

/** Has the calls of the plugin's own tools for files worked out before anything is decided about them. */
export function createPrepareCallsHook(
  { conversations, prepared, host, sessions }: Runtime,
  tools: readonly FileTool[],
): HookDefinition {
  return defineHook({
    id: "prepare-calls",
    event: "before-tool",
    why: "after enter-worktree, which says where they are made; before every gate, which go by what they do",
    onFailure: "closed",
    async run(call) {
      const tool = tools.find(({ name }) => name === call.tool);
      if (tool === undefined) return;
      const found = await conversations.of(call.sessionId);
      if (found === null) return;
      const { sessionId } = call;
      const agent = found.session.specialist ?? sessions.speaker(sessionId)?.agent ?? "";
      const place = filePlaceOf(found.conversation.parts.worktrees, host, { sessionId, agent });
      const effect = await prepared.prepare(tool, call.callId, call.args, place);
      if (isRefusal(effect)) throw new Denial(`Refused: ${effect.reason} ${effect.hint}`.trim());
      call.declare(effect);
    },
  });
}
