import { relative, resolve } from "node:path";
import type { RunningCall } from "../conversation/tool-calls/tool-fact.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Ends the output of a specialist's call with the project's rules for the files that it read or changed; mostly with nothing. */
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
      const rules = await found?.conversation.parts.rules.touched(sessionId, pathsOf(call));
      if (rules !== undefined && rules !== "") setText(`${text}\n\n${rules}`);
    },
  });
}

/** What a call read by name, and what it wrote by whatever tool, as the policy tells; relative to the project. */
function pathsOf({ effect, examination, place }: RunningCall): string[] {
  const isLook = effect.kind === "read" && effect.searches !== true && effect.patterns.length === 0;
  const read = isLook || effect.kind === "other" ? effect.paths : [];
  return [...read, ...examination.writes]
    .map((path) => relative(place.project, resolve(place.directory, path)).replaceAll("\\", "/"))
    .filter((path) => path !== "" && !/^(?:\.\.(?:\/|$)|\/|[a-zA-Z]:)/.test(path));
}
