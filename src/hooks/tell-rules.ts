import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Ends the output of a specialist's call with the rules and skills for the files that it read or changed; mostly with nothing. */
export function createTellRulesHook({ agents, supervision, conversations }: Runtime): HookDefinition {
  return defineHook({
    id: "tell-rules",
    event: "after-tool",
    why: "after leave-worktree and hide-secrets, which look at what the tool itself said; before report-tools, after which the call's arguments are forgotten",
    onFailure: "open",
    async run({ sessionId, callId, outcome: { text }, setText }) {
      const call = supervision.calls.get(callId);
      if (call === undefined || text === null) return;
      const found = await conversations.of(sessionId);
      const { specialist, isGuest } = found?.session ?? {};
      const isOurs = isGuest === false && agents.specialists.has(specialist ?? "");
      if (!isOurs || agents.roleOf(specialist ?? "") === "historian") return;
      const { rules, skills } = found?.conversation.parts ?? {};
      const told = [await rules?.afterCall(call), await skills?.afterCall(call)].filter(Boolean);
      if (told.length > 0) setText([text, ...told].join("\n\n"));
    },
  });
}
