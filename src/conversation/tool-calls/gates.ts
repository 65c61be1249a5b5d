import { lstat, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Role } from "../../config/roles.ts";
import type { Bounds } from "../../delegation/bounds.ts";
import type { GaiaSession } from "../../delegation/gaia-sessions.ts";
import { prepareCall } from "../../extras/changes/prepare-call.ts";
import type { IncomingCall } from "../../host/hook-events.ts";
import type { Host } from "../../host/port.ts";
import type { FileTool } from "../../host/tool.ts";
import { describeError, isRefusal } from "../../lib/error.ts";
import { textOf } from "../../lib/json.ts";
import type { Redactor } from "../../lib/redaction.ts";
import type { Examination } from "../../policy/examination.ts";
import type { SandboxRole } from "../../sandbox/decide.ts";
import { resolveInsideGaia } from "../../record/store.ts";
import { decideCall, type ExaminedCall, refusalText } from "../collaboration/decide-call.ts";
import type { Conversation } from "../conversation.ts";
import { refuseInTalk } from "../planning/stage.ts";
import { filePlaceOf } from "../worktrees/worktrees.ts";
import type { RunningCall } from "./tool-fact.ts";

/** The plugin's own tools for files, whose calls are worked out before anything is decided about them. */
export interface FileCalls {
  readonly tools: readonly FileTool[];
  readonly redact: Redactor;
  isAnchored(session: GaiaSession): boolean;
}

export interface CallFacts {
  readonly conversation: Conversation;
  readonly session: GaiaSession;
  readonly agent: string;
  readonly role: Role | null;
  readonly isReader: boolean;
  readonly isOurs: boolean;
  readonly host: Pick<Host, "directory" | "project" | "worktree">;
  readonly bounds: Pick<Bounds, "heldBy">;
  readonly files: FileCalls;
  /** Once for each call, so only behind the gates that say where it is made and what it does. */
  judged(): Promise<RunningCall>;
  /** The policy refused it; `isHeldUp`: because a check-in is due. */
  denied(judged: RunningCall, isHeldUp: boolean): void;
}

export interface Gate {
  readonly name: string;
  readonly why: string;
  /** @returns the refusal, for the model, with what would be allowed; null for no objection */
  decide(call: IncomingCall, facts: CallFacts): string | null | Promise<string | null>;
}

/** Every gate that a tool call of GAIA's sessions passes, in order; the first refusal counts. */
export const GATES: readonly Gate[] = [
  {
    name: "stopped",
    why: "what is stopped is refused whatever else is to be said of it",
    decide({ sessionId }, { bounds }) {
      const why = bounds.heldBy(sessionId);
      return why === null ? null : `Refused: this session was stopped, ${why}. Only its user lets it go on.`;
    },
  },
  {
    name: "worktree",
    why: "it moves the call, and all others judge the call as it will run",
    async decide(call, { conversation, host }) {
      const { worktrees } = conversation.parts;
      const why = await worktrees.settle(call.sessionId);
      if (why !== null) return why;
      const workplace = worktrees.of(call.sessionId);
      if (workplace !== null) call.moveInto({ at: host.directory, from: workplace.from, to: workplace.to });
      return null;
    },
  },
  {
    name: "file-tool",
    why: "behind worktree, which says where it is made; before the gates that go by what it does",
    async decide(call, { conversation, agent, host, files }) {
      const tool = files.tools.find(({ name }) => name === call.tool);
      if (tool === undefined) return null;
      const place = filePlaceOf(conversation.parts.worktrees, host, { sessionId: call.sessionId, agent });
      const prepared = await prepareCall(tool, call.args, place, files.redact);
      if (isRefusal(prepared)) return `Refused: ${prepared.reason} ${prepared.hint}`.trim();
      call.carryOut(prepared);
      return null;
    },
  },
  {
    name: "native-edit",
    why: "behind file-tool, which knows the plugin's own edits",
    async decide({ sessionId, tool, effect }, { conversation, session, host, files }) {
      const isOwn = files.tools.some(({ name }) => name === tool);
      if (effect.kind !== "edit" || isOwn || !files.isAnchored(session)) return null;
      const { directory } = conversation.parts.worktrees.of(sessionId)?.place ?? host;
      for (const { path, movedFrom } of effect.edits) {
        if (movedFrom !== undefined || (await exists(resolve(directory, path))))
          return `Refused ${tool}: it makes new files only, and ${path} is there. Read it and change it with edit_gaia, by the anchors of its lines; remove or move files with commands.`;
      }
      return null;
    },
  },
  {
    name: "record-boundary",
    why: "before policy, which lets the historian's edits pass",
    decide: async (call, { role, agent, host }) =>
      role === "historian" ? refuseOutsideRecord(call, agent, host) : null,
  },
  {
    name: "unit-branch",
    why: "before policy: what it says of the place helps more than what the mode says",
    async decide({ sessionId }, { conversation, isOurs, judged }) {
      const { unit } = conversation.tree.place;
      if (unit === null || !isOurs || conversation.parts.worktrees.of(sessionId) !== null) return null;
      return (await judged()).mutating
        ? `Refused: the work of ${unit} stands on the branch gaia/${unit}, and nothing of it is made in the user's tree. A specialist whom delegate_gaia or plan_gaia run begins works there.`
        : null;
    },
  },
  {
    name: "policy",
    why: "the rules of the session: dangerous, protected and secret things, mode, sandbox, check-ins",
    async decide({ tool, effect }, facts) {
      const judged = await facts.judged();
      const { state } = facts.conversation;
      const decision = decideCall(state, judged, {
        by: "guard",
        // Its commands run in a sandbox that changes nothing; OpenCode's permissions decide about tools of others.
        onlyReads: effect.kind === "edit" && facts.isReader,
        sandbox: judged.sandbox,
      });
      if (decision.kind !== "refuse") return null;
      facts.denied(judged, state.pause !== null && judged.changes);
      return refusalText(decision, tool);
    },
  },
  {
    name: "talk",
    why: "behind policy; what GAIA gives to a specialist is refused before it begins",
    async decide(_call, { conversation, session, judged }) {
      const held = session.isTalk === true ? refuseInTalk(conversation.parts.planning.stage()) : null;
      return held !== null && (await judged()).mutating ? held : null;
    },
  },
  {
    name: "question",
    why: "the last: what it registers is asked, in the plugin's words where a question turns knobs",
    async decide({ callId, effect, askInstead }, { conversation, session }) {
      if (effect.kind !== "question") return null;
      const isGaias = session.specialist === null;
      const instead = conversation.parts.questions.open(callId, effect.questions, isGaias);
      if (instead !== null && "kind" in instead) return `${instead.reason} ${instead.hint}`;
      if (instead !== null) await askInstead(instead);
      return null;
    },
  },
];

/** The first refusal of a call; a gate that cannot decide refuses (SPEC 2.5). */
export async function firstRefusal(
  gates: readonly Gate[],
  call: IncomingCall,
  facts: CallFacts,
): Promise<string | null> {
  for (const { name, decide } of gates) {
    try {
      const refusal = await decide(call, facts);
      if (refusal !== null) return refusal;
    } catch (error) {
      return `Refused: the gate ${name} could not decide (${describeError(error)}).`;
    }
  }
  return null;
}

const READING_OPS = new Set(["read_work_unit", "list_work_units", "verify", "find_pattern"]);

/** A tool call with what only the plugin knows about its own tools and agents. */
export function describeCall(
  { tool, args, effect }: Pick<IncomingCall, "tool" | "args" | "effect">,
  agent: string,
  role: SandboxRole,
  examination: Examination,
  kind: Role | null,
): ExaminedCall {
  const isEntry = tool === "plan_gaia" && !READING_OPS.has(textOf(args["op"]) ?? "");
  const isRecord = isEntry || (kind === "historian" && effect.kind === "edit");
  return { tool, agent, role, examination, isCommand: effect.kind === "command", isRecord };
}

/** Holds the historian's edits inside `.gaia/` by real path: a link could lead out of the folder (SPEC 9). */
async function refuseOutsideRecord(
  { tool, effect }: IncomingCall,
  historian: string,
  { directory, project }: CallFacts["host"],
): Promise<string | null> {
  if (effect.kind !== "edit") return null;
  const [edit, ...more] = effect.edits;
  if (effect.isPatch || more.length > 0)
    return `Refused: ${historian} writes the record with plan_gaia, edit or write, not with ${tool}.`;
  const path = edit?.path ?? "";
  // The edit is made from where the host runs, and the record may lie above.
  const resolved = await resolveInsideGaia(
    project,
    directory === project || path === "" ? path : resolve(directory, path),
  );
  if (!resolved.ok) return `Refused: ${historian} writes only below .gaia/, and ${resolved.reason}.`;
  const [unit = "", ...rest] = resolved.inside.split("/");
  const isNew = rest.length > 0 && !(await isFolder(resolved.path.slice(0, -rest.join("/").length)));
  return isNew || unit === "archive"
    ? `Refused: ${historian} makes and closes no work unit; only GAIA does.`
    : null;
}

async function exists(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null)) !== null;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false, // What is not there is what this asks about.
  );
}
