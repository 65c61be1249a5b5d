import { lstat, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { isOrdinary, openQuestion } from "../conversation/questions/questions.ts";
import { filePlaceOf } from "../conversation/worktrees/file-place.ts";
import { defineHook, Denial, type HookDefinition } from "../host/hook.ts";
import type { FileTool } from "../host/tool.ts";
import { isRefusal } from "../lib/refusal.ts";
import type { Runtime } from "../runtime.ts";
import { editsByAnchors } from "../extras/anchored-edits/open.ts";
import { type GaiaPath, resolveInsideGaia } from "../workspace/gaia-path.ts";

/** Has the calls of a specialist who works in a worktree made in there: they speak of the project as they know it. */
export function createEnterWorktreeHook({ conversations, host }: Runtime): HookDefinition {
  return defineHook({
    id: "enter-worktree",
    event: "before-tool",
    why: "the first: all others judge the call as it will run",
    onFailure: "closed",
    async run(call) {
      const found = await conversations.of(call.sessionId);
      if (found === null) return;
      const { worktrees } = found.conversation.parts;
      const why = await worktrees.settle(call.sessionId);
      if (why !== null) throw new Denial(why);
      const workplace = worktrees.of(call.sessionId);
      if (workplace !== null) call.moveInto({ at: host.directory, from: workplace.from, to: workplace.to });
    },
  });
}

/** Has the calls of the plugin's own tools for files worked out before anything is decided about them. */
export function createPrepareCallsHook(
  { conversations, prepared, host, sessions }: Runtime,
  tools: readonly FileTool[],
): HookDefinition {
  return defineHook({
    id: "prepare-calls",
    event: "before-tool",
    why: "after enter-worktree, which says where they are made; before every gate, which go by what they do",
    onFailure: "closed",
    async run(call) {
      const tool = tools.find(({ name }) => name === call.tool);
      if (tool === undefined) return;
      const found = await conversations.of(call.sessionId);
      if (found === null) return;
      const { sessionId } = call;
      const agent = found.session.specialist ?? sessions.speaker(sessionId)?.agent ?? "";
      const place = filePlaceOf(found.conversation.parts.worktrees, host, { sessionId, agent });
      const effect = await prepared.prepare(tool, call.callId, call.args, place);
      if (isRefusal(effect)) throw new Denial(`Refused: ${effect.reason} ${effect.hint}`.trim());
      call.declare(effect);
    },
  });
}

/** Has specialists who edit by anchors change files with `edit_gaia` alone; the host's own tools make new ones for them. */
export function createHoldNativeEditsHook(runtime: Runtime): HookDefinition {
  const { conversations, host, prepared } = runtime;
  return defineHook({
    id: "hold-native-edits",
    event: "before-tool",
    why: "a gate: after prepare-calls, which knows the plugin's own edits",
    onFailure: "closed",
    async run({ sessionId, callId, tool, effect }) {
      if (effect.kind !== "edit" || prepared.has(callId)) return;
      const found = await conversations.of(sessionId);
      if (found === null || !editsByAnchors(runtime, found.session)) return;
      const { directory } = found.conversation.parts.worktrees.of(sessionId)?.place ?? host;
      for (const { path, movedFrom } of effect.edits) {
        const isThere = movedFrom !== undefined || (await exists(resolve(directory, path)));
        if (isThere)
          throw new Denial(
            `Refused ${tool}: it makes new files only, and ${path} is there. Read it and change it with edit_gaia, by the anchors of its lines; remove or move files with commands.`,
          );
      }
    },
  });
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

/**
 * Holds the historian's edits inside `.gaia/` by real path: OpenCode compares paths as text, and a link could lead out
 * of the folder (SPEC 9). What is configuration below it, the guard refuses as it does to every agent.
 */
export function createRecordBoundaryHook({ agents, sessions, host }: Runtime): HookDefinition {
  return defineHook({
    id: "record-boundary",
    event: "before-tool",
    why: "a gate: before anything that lets a call pass",
    onFailure: "closed",
    async run({ tool, sessionId, effect }) {
      const session = await sessions.find(sessionId);
      const historian = session?.specialist ?? null;
      // The only role whose edits OpenCode allows by path alone.
      if (agents.roleOf(historian) !== "historian" || effect.kind !== "edit") return;
      const [edit, ...more] = effect.edits;
      if (effect.isPatch || more.length > 0) {
        throw new Denial(
          `Refused: ${historian} writes the record with plan_gaia, edit or write, not with ${tool}.`,
        );
      }
      const resolved = await insideRecord(host, edit?.path ?? "");
      if (!resolved.ok)
        throw new Denial(`Refused: ${historian} writes only below .gaia/, and ${resolved.reason}.`);
      const [unit = "", ...rest] = resolved.inside.split("/");
      const isNew = rest.length > 0 && !(await isFolder(resolved.path.slice(0, -rest.join("/").length)));
      if (isNew || unit === "archive")
        throw new Denial(`Refused: ${historian} makes and closes no work unit; only GAIA does.`);
    },
  });
}

/** The edit is made from where the host runs, and the record may lie above. */
async function insideRecord({ directory, project }: Runtime["host"], path: string): Promise<GaiaPath> {
  return resolveInsideGaia(project, directory === project || path === "" ? path : resolve(directory, path));
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false; // What is not there is what this asks about.
  }
}

/** Holds the tool calls of GAIA's sessions to policy, mode, check-ins and budgets (SPEC 8, 9). */
export function createGuardToolsHook({ supervision, conversations }: Runtime): HookDefinition {
  return defineHook({
    id: "guard-tools",
    event: "before-tool",
    why: "the last gate: a call that passes counts as running",
    onFailure: "closed",
    async run(call) {
      const refusal = await supervision.calls.refuse(call);
      if (refusal === null) return;
      const found = await conversations.of(call.sessionId).catch(() => null);
      // The row of a tool of ours does not show its error.
      if (found?.session.specialist === null) {
        found.conversation.parts.refusedCalls.ended(call.tool, call.args, { ok: false, error: refusal });
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

/** Puts the plugin's words in place of the model's where a question turns knobs, and registers every question (SPEC 8). */
export function createOwnQuestionsHook({ conversations, config, supervision }: Runtime): HookDefinition {
  return defineHook({
    id: "own-questions",
    event: "before-tool",
    why: "after the gates: only what will be asked is registered",
    onFailure: "closed",
    async run({ callId, sessionId, effect, askInstead }) {
      if (effect.kind !== "question") return;
      const found = await conversations.of(sessionId);
      if (found === null) return;
      const { offers, bringUp } = found.conversation.parts;
      const offer = offers.open(callId, effect.questions);
      const isGaias = found.session.specialist === null && offer === null;
      const joined = isGaias && isOrdinary(effect.questions) ? bringUp.join(callId, effect.questions) : null;
      const beside = effect.questions.filter(({ header }) => header !== offer?.header);
      const put = offer === null ? joined : [...offer.questions, ...beside];
      const own = openQuestion(found.conversation, callId, put ?? effect.questions, config);
      if (own !== null && "kind" in own) {
        supervision.calls.refused(callId);
        throw new Denial(`${own.reason} ${own.hint}`);
      }
      const instead = own ?? put;
      if (instead !== null) await askInstead(instead);
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
