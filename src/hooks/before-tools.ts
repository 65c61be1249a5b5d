import type { FileCalls } from "../conversation/tool-calls/gates.ts";
import { editsByAnchors } from "../extras/announced.ts";
import type { FileTool } from "../host/tool.ts";
import type { Runtime } from "../runtime.ts";
import { defineHook, Denial, type HookDefinition } from "../host/hook-events.ts";

/** What stands before tool calls of GAIA's sessions and before their shells (SPEC 8, 9). */
export function listBeforeTools(runtime: Runtime, tools: readonly FileTool[]): HookDefinition[] {
  const { supervision, conversations, redact, sessions, agents, code } = runtime;
  const files: FileCalls = { tools, redact, isAnchored: (session) => editsByAnchors(runtime, session) };
  const noteTexts = defineHook({
    id: "note-texts",
    event: "before-tool",
    why: "after the last gate: what was refused changes nothing",
    async run({ callId }) {
      const { agent = "", effect, place } = supervision.calls.get(callId) ?? {};
      if (effect?.kind !== "edit" || !agents.specialists.has(agent) || agents.roleOf(agent) === "historian")
        return;
      const paths = effect.edits.flatMap(({ path, movedFrom = path }) => [path, movedFrom]);
      await code.begins(callId, paths, place?.directory ?? "");
    },
  });
  return [
    defineHook({
      id: "guard-tools",
      event: "before-tool",
      why: "the first: a call that passes counts as running",
      onFailure: "closed",
      async run(call) {
        const refusal = await supervision.calls.refuse(call, files);
        if (refusal === null) return;
        const found = await conversations.of(call.sessionId).catch(() => null);
        // The row of a tool of ours does not show its error.
        if (found?.session.specialist === null)
          found.conversation.parts.report.refused(call.tool, call.args, refusal);
        throw new Denial(refusal);
      },
    }),
    ...(runtime.config.code === "on" ? [noteTexts] : []),
    // The configuration of a bare repository that lies among a project's files names programs to run (SPEC 9).
    defineHook({
      id: "safe-shell",
      event: "shell-environment",
      why: "before contain-shell, which hands over what stands in the environment",
      async run({ sessionId, set }) {
        if ((await sessions.find(sessionId)) === null) return;
        // Behind what the user's own environment sets in this way.
        const count = Number(process.env["GIT_CONFIG_COUNT"] ?? "0") || 0;
        set(`GIT_CONFIG_KEY_${count}`, "safe.bareRepository");
        set(`GIT_CONFIG_VALUE_${count}`, "explicit");
        set("GIT_CONFIG_COUNT", String(count + 1));
      },
    }),
    defineHook({
      id: "watch-shell",
      event: "shell-environment",
      why: "before the containment, which may refuse the command, and after the dialog, during which the user goes on working",
      async run({ callId }) {
        if (callId !== null) await supervision.calls.starts(callId);
      },
    }),
    defineHook({
      id: "contain-shell",
      event: "shell-environment",
      why: "the last at this event: what it refuses is not started",
      onFailure: "closed",
      run: supervision.contained.wrap,
    }),
  ];
}
