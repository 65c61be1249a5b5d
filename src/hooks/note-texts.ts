import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Remembers what files hold that a call of a specialist's is about to change: new errors are told by it. */
export function createNoteTextsHook({ supervision, agents, code }: Runtime): HookDefinition {
  return defineHook({
    id: "note-texts",
    event: "before-tool",
    why: "after the last gate: what was refused changes nothing",
    onFailure: "open",
    async run({ callId }) {
      const { agent = "", effect, place } = supervision.calls.get(callId) ?? {};
      if (effect?.kind !== "edit" || !agents.specialists.has(agent) || agents.roleOf(agent) === "historian")
        return;
      const paths = effect.edits.flatMap(({ path, movedFrom = path }) => [path, movedFrom]);
      await code.begins(callId, paths, place?.directory ?? "");
    },
  });
}
