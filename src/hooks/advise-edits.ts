import { shownPath } from "../conversation/tool-calls/tool-fact.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Ends the output of an edit in a GAIA session with what its author should look at again; mostly with nothing. */
export function createAdviseEditsHook({ agents, supervision, conversations, host }: Runtime): HookDefinition {
  return defineHook({
    id: "advise-edits",
    event: "after-tool",
    why: "before report-tools, after which the call's arguments are forgotten",
    onFailure: "open",
    async run({ sessionId, callId, outcome: { text }, setText }) {
      const call = supervision.calls.get(callId);
      const effect = call?.effect;
      const files = effect?.kind === "edit" ? effect.edits.map(({ path }) => shownPath(path, host)) : [];
      if (files.length === 0) return;
      const found = await conversations.of(sessionId);
      // The historian writes the record, of which no plan speaks.
      if (found === null || agents.roleOf(found.session.specialist) === "historian") return;
      const advice = await found.conversation.parts.advice.adviseEdits(files);
      if (advice.length > 0 && text !== null) setText([text, ...advice].join("\n\n"));
    },
  });
}
