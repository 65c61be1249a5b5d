import { readEditedTexts } from "../conversation/tool-calls/edited-texts.ts";
import type { EditedText } from "../conversation/advice/comment-check/comment-check.ts";
import { readPlanScope } from "../workspace/documents/plan-scope.ts";
import {
  decideScopeAdvisory,
  NOTHING_TOLD,
  type ScopeGuardState,
} from "../conversation/advice/scope-guard.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Ends the output of an edit in a GAIA session with what its author should look at again: a file that the active plan does
 * not name, once per file, and comments that only restate code (SPEC 12). Adds nothing where there is nothing to say.
 */
export function createAdviseEditsHook({
  agents,
  supervision,
  config,
  workspace,
  host,
}: Runtime): HookDefinition {
  const told = new Map<string, ScopeGuardState>();

  const adviseScope = async (rootId: string, unit: string, files: readonly string[]): Promise<string[]> => {
    const read = await workspace.readWorkUnit({ slug: unit });
    if (!read.ok || read.status === "complete") return [];
    const scope = readPlanScope(read.content.plan_md);
    return files.flatMap((file) => {
      const { state, advisory } = decideScopeAdvisory(scope, file, told.get(rootId) ?? NOTHING_TOLD);
      told.set(rootId, state);
      return advisory ?? [];
    });
  };

  return defineHook({
    id: "advise-edits",
    event: "after-tool",
    why: "before report-tools, after which the call's arguments are forgotten",
    onFailure: "open",
    async run({ sessionId, callId, outcome: { text }, setText }) {
      const call = supervision.calls.get(callId);
      const edits = call === undefined ? [] : readEditedTexts(call, host.directory);
      if (edits.length === 0) return;
      const found = await supervision.conversations.of(sessionId);
      // The historian writes the record, of which no plan speaks.
      if (found === null || agents.roleOf(found.session.specialist) === "historian") return;
      const { rootId, state } = found.conversation;
      const paths = edits.map(({ path }) => path);
      const advice = [
        ...(config.guards.scope && state.workUnit !== null
          ? await adviseScope(rootId, state.workUnit, paths)
          : []),
        ...(config.guards.comments ? await adviseComments(edits) : []),
      ];
      if (advice.length > 0 && text !== null) setText([text, ...advice].join("\n\n"));
    },
  });
}

/** Loaded with the first edit: other conversations need none of it. */
async function adviseComments(edits: readonly EditedText[]): Promise<string[]> {
  const { decideCommentAdvisory } = await import("../conversation/advice/comment-check/comment-check.ts");
  return edits.flatMap((edit) => decideCommentAdvisory(edit) ?? []);
}
