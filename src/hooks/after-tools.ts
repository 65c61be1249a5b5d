import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { Found } from "../conversation/conversations.ts";
import { shownPath } from "../conversation/tool-calls/tool-fact.ts";
import { filePlaceOf } from "../conversation/worktrees/worktrees.ts";
import { ANCHORED_EDITS, editsByAnchors } from "../extras/announced.ts";
import type { ToolEffect } from "../host/tool-call.ts";
import { redactJson } from "../lib/redaction.ts";
import { realPathOf } from "../policy/real-path.ts";
import { dropSensitiveLines } from "../policy/search-lines.ts";
import type { Runtime } from "../runtime.ts";
import { defineHook, type FinishedCall, type HookDefinition } from "../host/hook-events.ts";

/** A hook behind the tool calls of GAIA's sessions. */
interface AfterTool extends Pick<HookDefinition, "id" | "why"> {
  readonly onFailure?: HookDefinition["onFailure"];
  run(call: FinishedCall, found: Found): Promise<void> | void;
}

/** What happens to the result of a tool call, in order: cut, mark, add to, report, watch. */
export function listAfterTools(runtime: Runtime): HookDefinition[] {
  const { config, conversations, host } = runtime;
  const list: AfterTool[] = [
    hideSecrets(runtime),
    leaveWorktree,
    ...(ANCHORED_EDITS.isOn(config) ? [markLines(runtime)] : []),
    ...addToOutput(runtime),
    ...(config.code === "on" ? [tellNewErrors(runtime)] : []),
    ...(config.delegation.messages === "on" ? [tellMessages(runtime)] : []),
    reportTools(runtime),
    {
      id: "capture-deeds",
      why: "only watches: after whatever changes a result",
      run({ sessionId, effect, outcome }, { conversation: { parts } }) {
        if (effect.kind !== "edit" && effect.kind !== "command") return;
        const workplace = parts.worktrees.of(sessionId);
        const shown = (path: string): string => shownPath(path, workplace?.place ?? host);
        parts.learnings.called(effect, outcome, shown, workplace?.to);
      },
    },
  ];
  return list.map((hook) =>
    defineHook({
      ...hook,
      event: "after-tool",
      async run(call) {
        const found = await conversations.of(call.sessionId);
        if (found !== null) await hook.run(call, found);
      },
    }),
  );
}

/** Takes secrets out of every result, and lines of sensitive files where arguments do not tell which files are searched (SPEC 9). */
function hideSecrets({ config, host, redact }: Runtime): AfterTool {
  const context = {
    allowSensitive: config.policy.allowSensitive,
    resolve(path: string): string | undefined {
      try {
        return realpathSync(resolve(host.directory, path));
      } catch {
        return undefined; // It was no path, or is gone.
      }
    },
  };
  return {
    id: "hide-secrets",
    why: "before anything else that reads a result or adds to it",
    onFailure: "closed",
    async run({ effect, rewrite }) {
      const isListing = listsLines(effect);
      rewrite((text) => redactJson(isListing ? dropSensitiveLines(text, context) : text, redact));
    },
  };
}

function listsLines(effect: ToolEffect): boolean {
  if (effect.kind === "command") return true;
  // OpenCode keeps the whole of a long output in a file of its own, which is read like any other.
  if (effect.kind !== "read") return false;
  return effect.searches === true || effect.paths.some((path) => /[\\/]tool-output[\\/]/.test(path));
}

/** Names the files of a worktree as those of the project, which is all that its specialist knows of. */
const leaveWorktree: AfterTool = {
  id: "leave-worktree",
  why: "after hide-secrets, which looks at paths",
  run({ sessionId, rewrite }, { conversation }) {
    const workplace = conversation.parts.worktrees.of(sessionId);
    if (workplace !== null) rewrite((text) => text.replaceAll(workplace.to, workplace.from));
  },
};

/** Gives the lines that a reading shows their hashes, for specialists who edit by them. */
function markLines(runtime: Runtime): AfterTool {
  return {
    id: "mark-lines",
    why: "after hide-secrets and leave-worktree: a line that they have changed was not seen as it is; before what adds text",
    async run({ sessionId, effect, markLines: mark }, { conversation, session }) {
      const [path] = effect.kind === "read" && effect.patterns.length === 0 ? effect.paths : [];
      if (path === undefined || !editsByAnchors(runtime, session)) return;
      const place = conversation.parts.worktrees.of(sessionId)?.place ?? runtime.host;
      const file = await runtime.anchors.show(sessionId, realPathOf(resolve(place.directory, path)));
      if (file === null) return;
      mark((line, text) => {
        const hash = file(line, text);
        return hash === null ? null : `#${hash}`;
      });
    },
  };
}

/** What ends the output of a call for its author: how its containment went, rules for its files. */
function addToOutput({ agents, supervision }: Runtime): AfterTool[] {
  return [
    {
      id: "report-containment",
      why: "after hide-secrets, whose words it keeps; before report-tools, after which the call is forgotten",
      run({ callId, effect, outcome, add }) {
        if (effect.kind === "command") add(supervision.contained.finish(callId, outcome));
      },
    },
    {
      id: "tell-rules",
      why: "after leave-worktree and hide-secrets, which look at what the tool itself said; before report-tools, after which the call's arguments are forgotten",
      async run({ callId, outcome: { text }, add }, { conversation, session }) {
        const call = supervision.calls.get(callId);
        const { specialist, isGuest } = session;
        const isOurs = !isGuest && agents.specialists.has(specialist ?? "");
        if (call === undefined || text === null || !isOurs || agents.roleOf(specialist) === "historian")
          return;
        add(await conversation.parts.bearings.afterCall(call));
      },
    },
  ];
}

/** Ends the output of an edit with the errors that it made, by the account of language servers. */
function tellNewErrors({ code, memory, host, supervision }: Runtime): AfterTool {
  return {
    id: "tell-new-errors",
    why: "after what changes a result; before report-tools, which closes the batch that they belong to",
    async run({ sessionId, callId, tool, outcome: { text }, add }, { conversation, session }) {
      const call = supervision.calls.get(callId);
      if (call?.effect.kind !== "edit" || session.isGuest || text === null) return;
      const place = filePlaceOf(conversation.parts.worktrees, host, { sessionId, agent: call.agent });
      const lines = (await code.ended(callId, place)).map(memory.redact);
      if (lines.length === 0) return;
      add([lines.join("\n")]);
      const command = { command: `new errors after ${tool}`, exitCode: 1, output: lines.slice(1).join("\n") };
      const fact = { sessionId, tool: "code_gaia", mutating: false, failed: false, command };
      conversation.dispatch({ type: "tool-finished", fact });
    },
  };
}

/** What others of its wave have told a specialist meanwhile. */
function tellMessages({ extrasOf }: Runtime): AfterTool {
  return {
    id: "tell-messages",
    why: "after hooks that look at what the tool itself said",
    run({ sessionId, outcome: { text }, add }, { conversation }) {
      const told = text === null ? "" : extrasOf(conversation).messages.take(sessionId);
      if (told !== "") add([told]);
    },
  };
}

/**
 * Tells the state what a call did, writes what the user is to see of it, and adds what GAIA has to know. A call of the root is
 * the safe moment for a note: a model turn follows in any case.
 */
function reportTools({ supervision }: Runtime): AfterTool {
  return {
    id: "report-tools",
    why: "before those that only watch; after hooks that change a result or need the arguments of a call that ends here",
    async run({ callId, effect, outcome, add }, { conversation, session }) {
      const { text, answers } = outcome;
      const words = await supervision.calls.finished(callId, outcome);
      if (effect.kind === "question") {
        conversation.dispatch({ type: "question-answered", requestId: callId, answers });
        const settled = await conversation.parts.questions.close(callId, answers);
        if (settled !== "") conversation.tell(settled);
      }
      const lines = words === "" ? [] : [words];
      const isGaia = session.specialist === null;
      if (isGaia) await conversation.outbox.flushInCall();
      // No one the user talks to hears of anything that a crash could still take back.
      if (isGaia || session.isTalk === true) await conversation.mirrored();
      // An MCP tool's result is no text, and the lines wait for the next one that is.
      if (isGaia && text !== null) lines.push(...conversation.takeLines());
      if (text !== null) add(lines);
    },
  };
}
