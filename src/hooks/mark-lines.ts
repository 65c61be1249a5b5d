import { resolve } from "node:path";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import { realPathOf } from "../policy/real-path.ts";
import type { Runtime } from "../runtime.ts";
import { editsByAnchors } from "../extras/anchored-edits/open.ts";

/** Gives the lines that a reading shows their hashes, for specialists who edit by them. */
export function createMarkLinesHook(runtime: Runtime): HookDefinition {
  const { conversations, host, anchors } = runtime;
  return defineHook({
    id: "mark-lines",
    event: "after-tool",
    why: "after hide-secrets and leave-worktree: a line that they have changed was not seen as it is; before what adds text",
    onFailure: "open",
    async run({ sessionId, effect, markLines }) {
      const [path] = effect.kind === "read" && effect.patterns.length === 0 ? effect.paths : [];
      if (path === undefined) return;
      const found = await conversations.of(sessionId);
      if (found === null || !editsByAnchors(runtime, found.session)) return;
      const place = found.conversation.parts.worktrees.of(sessionId)?.place ?? host;
      const file = await (await anchors()).show(sessionId, realPathOf(resolve(place.directory, path)));
      if (file === null) return;
      markLines((line, text) => {
        const hash = file.hashOf(line, text);
        return hash === null ? null : `#${hash}`;
      });
      await file.done();
    },
  });
}
