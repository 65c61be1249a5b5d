import { filePlaceOf } from "../conversation/worktrees/file-place.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Ends the output of a specialist's edit with the errors that it made, by the account of language servers; mostly with nothing. */
export function createTellNewErrorsHook({
  code,
  conversations,
  memory,
  host,
  supervision,
}: Runtime): HookDefinition {
  return defineHook({
    id: "tell-new-errors",
    event: "after-tool",
    why: "after what changes a result; before report-tools, which closes the batch that they belong to",
    onFailure: "open",
    async run({ sessionId, callId, tool, outcome: { text }, setText }) {
      const call = supervision.calls.get(callId);
      const found = await conversations.of(sessionId);
      if (call?.effect.kind !== "edit" || found === null || found.session.isGuest || text === null) return;
      const { conversation } = found;
      const place = filePlaceOf(conversation.parts.worktrees, host, { sessionId, agent: call.agent });
      const lines = (await code.ended(callId, place)).map(memory.redact);
      if (lines.length === 0) return;
      setText(`${text}\n\n${lines.join("\n")}`);
      const command = { command: `new errors after ${tool}`, exitCode: 1, output: lines.slice(1).join("\n") };
      const fact = { sessionId, tool: "code_gaia", mutating: false, failed: false, command };
      conversation.dispatch({ type: "tool-finished", fact });
    },
  });
}
