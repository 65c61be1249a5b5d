import type { FileCalls } from "../conversation/tool-calls/gates.ts";
import { editsByAnchors } from "../extras/anchored-edits/open.ts";
import type { FileTool } from "../host/tool.ts";
import type { Runtime } from "../runtime.ts";
import { defineHook, Denial, type HookDefinition } from "../host/hook-events.ts";

/** Holds the tool calls of GAIA's sessions to the gates (SPEC 8, 9). */
export function createGuardToolsHook(runtime: Runtime, tools: readonly FileTool[]): HookDefinition {
  const { supervision, conversations, prepared } = runtime;
  const files: FileCalls = { tools, prepared, isAnchored: (session) => editsByAnchors(runtime, session) };
  return defineHook({
    id: "guard-tools",
    event: "before-tool",
    why: "the first: a call that passes counts as running",
    onFailure: "closed",
    async run(call) {
      const refusal = await supervision.calls.refuse(call, files);
      if (refusal === null) return;
      const found = await conversations.of(call.sessionId).catch(() => null);
      // The row of a tool of ours does not show its error.
      if (found?.session.specialist === null) {
        found.conversation.parts.endReport.refused(call.tool, call.args, refusal);
      }
      throw new Denial(refusal);
    },
  });
}

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

/**
 * Lets git in commands of GAIA's sessions use no bare repository that it merely comes across: the configuration of one that
 * lies among a project's files names programs to run (SPEC 9).
 */
export function createSafeShellHook({ sessions }: Runtime): HookDefinition {
  return defineHook({
    id: "safe-shell",
    event: "shell-environment",
    why: "before contain-shell, which hands over what stands in the environment",
    onFailure: "open",
    async run({ sessionId, set }) {
      if ((await sessions.find(sessionId)) === null) return;
      // Behind what the user's own environment sets in this way.
      const count = Number(process.env["GIT_CONFIG_COUNT"] ?? "0") || 0;
      set(`GIT_CONFIG_KEY_${count}`, "safe.bareRepository");
      set(`GIT_CONFIG_VALUE_${count}`, "explicit");
      set("GIT_CONFIG_COUNT", String(count + 1));
    },
  });
}

/** Looks at the project's tree before a command of GAIA's sessions begins, so that what it changes is known for its own. */
export function createWatchShellHook({ supervision }: Runtime): HookDefinition {
  return defineHook({
    id: "watch-shell",
    event: "shell-environment",
    why: "before the containment, which may refuse the command, and after the dialog, during which the user goes on working",
    onFailure: "open",
    async run({ callId }) {
      if (callId !== null) await supervision.calls.starts(callId);
    },
  });
}

/** Hands the commands of GAIA's sessions over to the containment, without changing a word of them (SPEC 9). */
export function createContainShellHook({ supervision }: Runtime): HookDefinition {
  return defineHook({
    id: "contain-shell",
    event: "shell-environment",
    why: "the last at this event: what it refuses is not started",
    onFailure: "closed",
    async run(shell) {
      await supervision.contained.wrap(shell);
    },
  });
}
