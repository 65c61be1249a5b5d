import * as z from "zod/mini";
import { type AgentEntry, Denial, type HookHandlers } from "../../src/host/hook-events.ts";
import type { HostSessions, HostTurn } from "../../src/host/port.ts";
import { defineTool, type ToolDefinition } from "../../src/host/tool.ts";
import type { ToolEffect } from "../../src/host/tool-call.ts";
import { renderAsOperation } from "../../src/lib/error.ts";

/** What a run of a host has shown of it, in our words. Every host plays the same: see {@link SCENE}. */
export interface HostRun {
  readonly seen: readonly Seen[];
  /** Every request to a model, whole. */
  readonly requests: readonly { readonly agent: string; readonly text: string; readonly tools: string[] }[];
  /** The files of the project afterwards. */
  readonly files: Readonly<Record<string, string>>;
}

/** What the adapter has passed on. */
export type Seen =
  | { readonly at: "user-message"; readonly agent: string; readonly said: string }
  | { readonly at: "before-tool"; readonly callId: string; readonly effect: ToolEffect }
  | { readonly at: "after-tool"; readonly kind: string; readonly exitCode: number | null }
  | { readonly at: "created"; readonly sessionId: string; readonly parentId: string | null }
  | { readonly at: "own-tool"; readonly callId: string; readonly agent: string; readonly word: string }
  | {
      readonly at: "sessions";
      readonly root: string;
      readonly child: { readonly id: string; readonly parentId: string | null; readonly metadata: object };
      readonly children: readonly string[];
      readonly turn: HostTurn;
      readonly held: HostTurn;
    };

/** What the model does in the scene, each in a call of its own and in the host's words. */
export const SCENE = {
  runs: "echo ran > ran.txt; exit 3",
  refused: "echo refuse-me > refused.txt",
  edit: { path: "a.txt", before: "old", after: "new" },
  write: { path: "b.txt", after: "written" },
  read: "a.txt",
  patch: "*** Begin Patch\n*** Add File: c.txt\n+patched\n*** End Patch",
} as const;

export const OWN_TOOL = "probe_gaia";
export const REFUSAL = "Refused: the probe says so.";
export const RULE = "THE PROBE'S RULE";
export const NOTE = "A NOTE FOR PEOPLE";
export const ANSWER = "The helper answers.";
export const HELD = "A request that is held.";

const agent = (name: string): AgentEntry => ({
  mode: name === "probe" ? "primary" : "subagent",
  description: name,
  prompt: `You are ${name.toUpperCase()}, who tries out the host.`,
  temperature: 0,
  permission: { "*": "allow" },
});

/** What stands in the plugin's place: it refuses, adds and holds as the plugin does, and records what it is told. */
export function createProbe(
  record: (seen: Seen) => void,
  sessions: () => HostSessions,
): { readonly handlers: HookHandlers; readonly tool: ToolDefinition } {
  const held = new Set<string>();
  const handlers: HookHandlers = {
    configuration: async ({ register }) => {
      register({
        agents: { probe: agent("probe"), helper: agent("helper") },
        commands: {},
        tools: [OWN_TOOL],
      });
    },
    "host-event": async (event) => {
      if (event.type !== "session.created") return;
      const { id, parentId } = event.session;
      record({ at: "created", sessionId: id, parentId });
    },
    "user-message": async (message) => {
      record({ at: "user-message", agent: message.agent, said: message.said?.text ?? "" });
    },
    "before-tool": async ({ callId, effect }) => {
      record({ at: "before-tool", callId, effect });
      const isRefused = effect.kind === "command" && effect.command === SCENE.refused;
      if (isRefused || effect.kind === "subtask") throw new Denial(REFUSAL);
    },
    "after-tool": async ({ effect, outcome }) => {
      record({ at: "after-tool", kind: effect.kind, exitCode: outcome.exitCode });
    },
    "before-request": async ({ add }) => add(RULE),
    "request-parameters": async ({ sessionId }) => {
      if (held.has(sessionId)) throw new Denial("Refused: this request is held.");
    },
  };
  const tool = defineTool({
    name: OWN_TOOL,
    description: "Tries out the host.",
    args: { word: z.string() },
    renderRefusal: renderAsOperation,
    async execute({ word }, { sessionId: root, callId, agent: caller }) {
      record({ at: "own-tool", callId, agent: caller, word });
      const host = sessions();
      const make = async () =>
        host.create({ parentId: root, title: "child", agent: "helper", metadata: { probe: "kept" } });
      const made = await make();
      const later = await make();
      held.add(later.id);
      const speaker = { agent: "helper", model: null };
      await host.note(root, { agent: "probe", model: null }, NOTE, Date.now());
      const turn = await host.prompt({ sessionId: made.id, speaker, text: "Answer." });
      const heldTurn = await host.prompt({ sessionId: later.id, speaker, text: HELD });
      const { id, parentId, metadata } = (await host.get(made.id)) ?? made;
      const children = (await host.children(root)).map((child) => child.id);
      record({ at: "sessions", root, child: { id, parentId, metadata }, children, turn, held: heldTurn });
      return { title: "tried", result: { ok: true } };
    },
  });
  return { handlers, tool };
}

/** One thing that the product needs of a host. */
export interface HostNeed {
  readonly id: string;
  /** What an adapter has to bring, for the page. */
  readonly what: string;
  readonly isMet: (run: HostRun) => boolean;
}

const at = <At extends Seen["at"]>({ seen }: HostRun, name: At): Extract<Seen, { at: At }>[] =>
  seen.filter((each): each is Extract<Seen, { at: At }> => each.at === name);

const effects = <Kind extends ToolEffect["kind"]>(
  run: HostRun,
  kind: Kind,
): Extract<ToolEffect, { kind: Kind }>[] =>
  at(run, "before-tool")
    .map(({ effect }) => effect)
    .filter((effect): effect is Extract<ToolEffect, { kind: Kind }> => effect.kind === kind);

const of = (run: HostRun, name: string): string[] =>
  run.requests.filter((request) => request.agent === name).map(({ text }) => text);

const endsWith = (path: string | undefined, name: string): boolean => path?.endsWith(name) === true;

/** The conformance suite over the port. Whether a host has all of these is what decides that GAIA can work on it. */
export const HOST_NEEDS: readonly HostNeed[] = [
  {
    id: "user-message",
    what: "shows each message of the user's, with the agent it goes to, before the model does",
    isMet: (run) =>
      at(run, "user-message").some(({ agent: to, said }) => to === "probe" && said.includes("Begin")),
  },
  {
    id: "system-prompt",
    what: "sends what is added to the system prompt",
    isMet: (run) => of(run, "probe").length > 0 && of(run, "probe").every((text) => text.includes(RULE)),
  },
  {
    id: "gate-command",
    what: "shows a command to the gate before it runs, word for word",
    isMet: (run) => effects(run, "command").some(({ command }) => command === SCENE.runs),
  },
  {
    id: "gate-edit",
    what: "shows what an edit and a new file change, by file, before and after",
    isMet: (run) => {
      const edits = effects(run, "edit").flatMap((effect) => effect.edits);
      const { edit, write } = SCENE;
      const isEdited = edits.some(
        ({ path, before, after }) =>
          endsWith(path, edit.path) && before === edit.before && after === edit.after,
      );
      return isEdited && edits.some(({ path, after }) => endsWith(path, write.path) && after === write.after);
    },
  },
  {
    id: "gate-patch",
    what: "shows the files of a patch",
    isMet: (run) =>
      effects(run, "edit").some(({ isPatch, edits }) => isPatch && endsWith(edits[0]?.path, "c.txt")),
  },
  {
    id: "gate-read",
    what: "shows which file is read",
    isMet: (run) => effects(run, "read").some(({ paths }) => endsWith(paths[0], SCENE.read)),
  },
  {
    id: "gate-subtask",
    what: "shows the host's own delegation as such",
    isMet: (run) => effects(run, "subtask").length === 1,
  },
  {
    id: "refusal-holds",
    what: "does nothing of a call that the gate refuses",
    isMet: ({ files }) => "ran.txt" in files && !("refused.txt" in files),
  },
  {
    id: "refusal-told",
    what: "tells the model the refusal in the gate's words",
    isMet: (run) => of(run, "probe").some((text) => text.includes(REFUSAL)),
  },
  {
    id: "turn-goes-on",
    what: "goes on with the turn after a refusal",
    isMet: ({ files }) => files["a.txt"]?.trim() === SCENE.edit.after,
  },
  {
    id: "outcome",
    what: "tells the exit code of a command that has ended",
    isMet: (run) => at(run, "after-tool").some(({ kind, exitCode }) => kind === "command" && exitCode === 3),
  },
  {
    id: "own-tool",
    what: "runs our tools with who calls, and knows their call by the same key as the gate",
    isMet: (run) =>
      at(run, "own-tool").some(
        ({ callId, agent: caller, word }) =>
          caller === "probe" &&
          word === "go" &&
          at(run, "before-tool").some((shown) => shown.callId === callId),
      ),
  },
  {
    id: "tools-hidden",
    what: "offers our tools to our agents and to no others",
    isMet: ({ requests }) => {
      const isOffered = (name: string): boolean =>
        requests.some((request) => request.agent === name && request.tools.includes(OWN_TOOL));
      return isOffered("probe") && !isOffered("native") && requests.some((each) => each.agent === "native");
    },
  },
  {
    id: "child-kept",
    what: "keeps parent and metadata of a session that we make, and tells of it among the parent's children",
    isMet: (run) =>
      at(run, "sessions").some(
        ({ root, child, children }) =>
          child.parentId === root &&
          "probe" in child.metadata &&
          children.includes(child.id) &&
          at(run, "created").some(({ sessionId, parentId }) => sessionId === child.id && parentId === root),
      ),
  },
  {
    id: "prompt-answered",
    what: "runs a prompt in a session of ours to its end, and gives the answer",
    isMet: (run) =>
      at(run, "sessions").some(({ turn }) => turn.failure === null && turn.text.includes(ANSWER)),
  },
  {
    id: "request-held",
    what: "sends no request that is refused, and tells of the failure",
    isMet: (run) =>
      at(run, "sessions").some(({ held }) => held.failure !== null) &&
      of(run, "helper").every((text) => !text.includes(HELD)),
  },
  {
    id: "note-unseen",
    what: "shows a note to people and to no model",
    isMet: (run) => at(run, "sessions").length > 0 && run.requests.every(({ text }) => !text.includes(NOTE)),
  },
];

/** The needs that a run does not meet. */
export function unmet(run: HostRun): string[] {
  return HOST_NEEDS.filter(({ isMet }) => !isMet(run)).map(({ id }) => id);
}
