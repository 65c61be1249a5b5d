import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { shownPath } from "../conversation/tool-calls/tool-fact.ts";
import { filePlaceOf } from "../conversation/worktrees/worktrees.ts";
import { editsByAnchors } from "../extras/anchored-edits/open.ts";
import type { ToolEffect } from "../host/tool-call.ts";
import { describeError } from "../lib/error.ts";
import { redactJson } from "../lib/redact-deep.ts";
import { realPathOf } from "../policy/real-path.ts";
import { dropSensitiveLines } from "../policy/search-lines.ts";
import type { Runtime } from "../runtime.ts";
import { defineHook, type HookDefinition } from "../host/hook-events.ts";

/**
 * Takes out of every result in GAIA's sessions what looks like a secret, and out of what prints lines of many files those of
 * sensitive ones, and what was proposed as known and not accepted: which files a search reads, its
 * arguments do not tell (SPEC 9).
 */
export function createHideSecretsHook({
  conversations,
  config,
  host,
  knowledge,
  redact,
}: Runtime): HookDefinition {
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
  return defineHook({
    id: "hide-secrets",
    event: "after-tool",
    why: "before anything else that reads a result or adds to it",
    onFailure: "closed",
    async run({ sessionId, effect, rewrite }) {
      if ((await conversations.of(sessionId)) === null) return;
      const isListing = listsLines(effect);
      const mayPrint = isListing || effect.kind === "command";
      const withhold = mayPrint ? await knowledge.withoutUndecided() : (text: string) => text;
      rewrite((text) => redactJson(withhold(isListing ? dropSensitiveLines(text, context) : text), redact));
    },
  });
}

function listsLines(effect: ToolEffect): boolean {
  if (effect.kind === "command") return true;
  // OpenCode keeps the whole of a long output in a file of its own, which is read like any other.
  if (effect.kind !== "read") return false;
  return effect.searches === true || effect.paths.some((path) => /[\\/]tool-output[\\/]/.test(path));
}

/** Names the files of a worktree in results as those of the project, which is all that its specialist knows of. */
export function createLeaveWorktreeHook({ conversations }: Runtime): HookDefinition {
  return defineHook({
    id: "leave-worktree",
    event: "after-tool",
    why: "after hide-secrets, which looks at paths",
    onFailure: "open",
    async run({ sessionId, rewrite }) {
      const found = await conversations.of(sessionId);
      const workplace = found?.conversation.parts.worktrees.of(sessionId) ?? null;
      if (workplace !== null) rewrite((text) => text.replaceAll(workplace.to, workplace.from));
    },
  });
}

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

/** Looks whether a command really ran contained, and says what it lacked; of all others it says nothing. */
export function createReportContainmentHook({ supervision }: Runtime): HookDefinition {
  return defineHook({
    id: "report-containment",
    event: "after-tool",
    why: "after hide-secrets, whose words it keeps; before report-tools, after which the call is forgotten",
    onFailure: "open",
    run({ callId, effect, outcome, add }) {
      const lines = effect.kind === "command" ? supervision.contained.finish(callId, outcome) : [];
      if (lines.length > 0) add(lines);
    },
  });
}

/** Ends the output of an edit in a GAIA session with what its author should look at again; mostly with nothing. */
export function createAdviseEditsHook({ agents, supervision, conversations, host }: Runtime): HookDefinition {
  return defineHook({
    id: "advise-edits",
    event: "after-tool",
    why: "before report-tools, after which the call's arguments are forgotten",
    onFailure: "open",
    async run({ sessionId, callId, outcome: { text }, add }) {
      const call = supervision.calls.get(callId);
      const effect = call?.effect;
      const files = effect?.kind === "edit" ? effect.edits.map(({ path }) => shownPath(path, host)) : [];
      if (files.length === 0) return;
      const found = await conversations.of(sessionId);
      // The historian writes the record, of which no plan speaks.
      if (found === null || agents.roleOf(found.session.specialist) === "historian") return;
      const advice = await found.conversation.parts.reminders.adviseEdits(files);
      if (text !== null) add(advice);
    },
  });
}

/** Ends the output of a specialist's call with the rules and skills for the files that it read or changed; mostly with nothing. */
export function createTellRulesHook({ agents, supervision, conversations }: Runtime): HookDefinition {
  return defineHook({
    id: "tell-rules",
    event: "after-tool",
    why: "after leave-worktree and hide-secrets, which look at what the tool itself said; before report-tools, after which the call's arguments are forgotten",
    onFailure: "open",
    async run({ sessionId, callId, outcome: { text }, add }) {
      const call = supervision.calls.get(callId);
      if (call === undefined || text === null) return;
      const found = await conversations.of(sessionId);
      const { specialist, isGuest } = found?.session ?? {};
      const isOurs = isGuest === false && agents.specialists.has(specialist ?? "");
      if (!isOurs || agents.roleOf(specialist ?? "") === "historian") return;
      const lines = (await found?.conversation.parts.handouts.afterCall(call)) ?? [];
      if (lines.length > 0) add(lines);
    },
  });
}

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
    async run({ sessionId, callId, tool, outcome: { text }, add }) {
      const call = supervision.calls.get(callId);
      const found = await conversations.of(sessionId);
      if (call?.effect.kind !== "edit" || found === null || found.session.isGuest || text === null) return;
      const { conversation } = found;
      const place = filePlaceOf(conversation.parts.worktrees, host, { sessionId, agent: call.agent });
      const lines = (await code.ended(callId, place)).map(memory.redact);
      if (lines.length === 0) return;
      add([lines.join("\n")]);
      const command = { command: `new errors after ${tool}`, exitCode: 1, output: lines.slice(1).join("\n") };
      const fact = { sessionId, tool: "code_gaia", mutating: false, failed: false, command };
      conversation.dispatch({ type: "tool-finished", fact });
    },
  });
}

/** Ends the output of a specialist's call with what others of its wave have told it meanwhile; mostly with nothing. */
export function createTellMessagesHook({ conversations }: Runtime): HookDefinition {
  return defineHook({
    id: "tell-messages",
    event: "after-tool",
    why: "after hooks that look at what the tool itself said",
    onFailure: "open",
    async run({ sessionId, outcome: { text }, add }) {
      const found = text === null ? null : await conversations.of(sessionId);
      const told = found?.conversation.parts.messages.take(sessionId) ?? "";
      if (told !== "") add([told]);
    },
  });
}

/**
 * Tells the state what a call did, writes what the user is to see of it, and puts what GAIA has to know at the end of the
 * result. A call of the root is the safe moment for a note: a model turn follows in any case. The plugin's own tools have
 * done all of it before they gave back their result; what is left here are lines for which it had no room.
 */
export function createReportToolsHook({ supervision, conversations }: Runtime): HookDefinition {
  return defineHook({
    id: "report-tools",
    event: "after-tool",
    why: "before those that only watch; after hooks that change a result or need the arguments of a call that ends here",
    onFailure: "open",
    async run({ sessionId, callId, effect, outcome, add }) {
      const { text, answers } = outcome;
      const words = await supervision.calls.finished(callId, outcome);
      const found = await conversations.of(sessionId);
      if (found === null) return;
      const { conversation, session } = found;
      if (effect.kind === "question") {
        conversation.dispatch({ type: "question-answered", requestId: callId, answers });
        const settled = await conversation.parts.offers.close(callId, answers);
        if (settled !== null) conversation.tell(settled);
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
  });
}

/** Shows commands and edits of GAIA's sessions to the capture; no tool call waits for it. */
export function createCaptureDeedsHook({ conversations, host }: Runtime): HookDefinition {
  return defineHook({
    id: "capture-deeds",
    event: "after-tool",
    why: "only watches: after whatever changes a result",
    onFailure: "open",
    run({ sessionId, effect, outcome }) {
      if (effect.kind !== "edit" && effect.kind !== "command") return;
      const note = async (): Promise<void> => {
        const found = await conversations.of(sessionId);
        if (found === null) return;
        const { learnings, worktrees } = found.conversation.parts;
        const workplace = worktrees.of(sessionId);
        const place = workplace?.place ?? host;
        learnings.called(effect, outcome, (path) => shownPath(path, place), workplace?.to);
      };
      note().catch((error: unknown) => {
        host.logger.log("debug", "capture-deeds", describeError(error));
      });
    },
  });
}
