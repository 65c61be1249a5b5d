import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { ToolEffect } from "../host/tool-call.ts";
import type { Runtime } from "../runtime.ts";

/** Whether a call may have installed packages or made files by the way. */
export function runsPrograms({ kind }: ToolEffect): boolean {
  return kind === "command" || kind === "other" || kind === "subtask";
}

/** Remembers what files hold that a call of a specialist's is about to change: new errors are told by it. */
export function createNoteTextsHook({ supervision, agents, code }: Runtime): HookDefinition {
  return defineHook({
    id: "note-texts",
    event: "before-tool",
    why: "after the last gate: what was refused changes nothing",
    onFailure: "open",
    async run({ callId, effect: called }) {
      const { agent = "", effect, place } = supervision.calls.get(callId) ?? {};
      if (runsPrograms(called)) code.disturbed();
      if (effect?.kind !== "edit" || !agents.specialists.has(agent) || agents.roleOf(agent) === "historian")
        return;
      const paths = effect.edits.flatMap(({ path, movedFrom = path }) => [path, movedFrom]);
      await code.begins(callId, paths, place?.directory ?? "");
    },
  });
}
