import type { PermissionKind } from "../../host/port.ts";
import { excerpt } from "../../lib/text.ts";
import type { Effect, Examination } from "../../policy/examination.ts";
import type { ProtectedTarget } from "../../policy/protected-target.ts";
import type { SandboxDecision, SandboxRole } from "../../sandbox/decide.ts";
import { type CollaborationState, hasApprovedWave } from "./state.ts";
import { whyPaused } from "./gate.ts";

export interface ExaminedCall {
  readonly tool: string;
  readonly agent: string;
  readonly role: SandboxRole;
  readonly examination: Examination;
  readonly isCommand: boolean;
  /** Whether it writes nothing but the record below `.gaia/`. */
  readonly isRecord: boolean;
}

/** The guard asks, before the call runs. */
export interface GuardQuestion {
  readonly by: "guard";
  readonly onlyReads: boolean;
  /** How its command would run without a word of a person's; null for what is no command. */
  readonly sandbox: SandboxDecision | null;
}

/** OpenCode asks for permission while the call runs. */
export interface PermissionQuestion {
  readonly by: "host";
  readonly kind: PermissionKind;
  readonly sessionId: string;
  /** See {@link isCovered}. */
  readonly isCovered: boolean;
  /** Whether it is one of the plugin's own approval dialogs. */
  readonly isApproval: boolean;
  readonly sandbox: SandboxDecision | null;
}

export interface RefusedCall {
  readonly kind: "refuse";
  /** The part of the call that the refusal is about, and the policy's words for it; empty where the tool's name tells. */
  readonly about: string;
  readonly reason: string;
  readonly hint: string;
}

export type CallDecision = { readonly kind: "allow" } | { readonly kind: "ask" } | RefusedCall;

const ALLOW: CallDecision = { kind: "allow" };
const ASK: CallDecision = { kind: "ask" };

/** Whether a call changes anything, the record included. What a reader or a checker runs, changes nothing that stays. */
export function isChange({ examination, isCommand, isRecord, role }: ExaminedCall): boolean {
  const { effect } = examination;
  if (isRecord) return true;
  if (effect === "read" || effect === "forbidden") return false;
  return !isCommand || role === "editor" || role === "guest";
}

/**
 * Decides a call (SPEC 8, 9), for the guard before it runs and for the host's dialogs: the first rule that fits. The plugin's
 * own approvals always go to the human, dangerous operations to nobody.
 */
export function decideCall(
  state: CollaborationState,
  call: ExaminedCall,
  question: GuardQuestion | PermissionQuestion,
): CallDecision {
  if (question.by === "host" && question.isApproval) return ASK;
  return (
    refuseAlways(call, question.sandbox) ??
    (question.by === "host" ? brake(state, question) : null) ??
    refuseUnsandboxed(state, call, question.sandbox) ??
    (isChange(call) ? refuseChange(state, call, question) : null) ??
    (question.by === "host" ? answer(call, question) : ALLOW)
  );
}

/** What the model reads; in a dialog OpenCode shows the call itself. */
export function refusalText({ about, reason, hint }: RefusedCall, tool?: string): string {
  return `Refused${tool === undefined ? "" : ` ${tool}${about}`}: ${[reason, hint].join(" ").trim()}`;
}

/** Where people decide on what was learnt. */
const KNOWLEDGE = [".gaia/knowledge"];

function refuseAlways(call: ExaminedCall, sandbox: SandboxDecision | null): RefusedCall | null {
  const { effect, secret, protectedTarget, damages } = call.examination;
  if (effect === "forbidden") {
    return refuse(
      `a dangerous operation${aboutOf(call)}, refused in every mode.`,
      "Use a narrower command, or tell the user what to run by hand.",
    );
  }
  if (damages !== null)
    return refuse(
      `${excerpt(damages, 160)} is not UTF-8, and OpenCode's tools would damage what they cannot read of it.`,
      "Change it with a command that keeps its encoding.",
    );
  // In the sandbox these files are hidden or read-only, whatever the command is.
  if (sandbox?.kind === "run" && sandbox.profile !== null) return null;
  if (protectedTarget !== null && protectedTarget.kind !== "hook") return refuseProtected(protectedTarget);
  if (secret === null) return null;
  if (KNOWLEDGE.some((part) => secret.toLowerCase().includes(part)))
    return refuse(
      `${excerpt(secret, 160)} is for people, who have not decided on all of it.`,
      "recall_gaia finds what they accepted.",
    );
  return refuse(
    `${excerpt(secret, 160)} may hold secrets.`,
    "Work without it, from an example file if there is one; the user can allow it under policy.allowSensitive.",
  );
}

/** Settings, agents, hooks and OpenCode's own interface decide what agents may do, so no agent reaches them. */
function refuseProtected({ kind, text }: ProtectedTarget): RefusedCall {
  const what = `\`${excerpt(text, 120)}\``;
  if (kind === "address") {
    return refuse(
      `${what} leads to OpenCode's own server, which only the user calls.`,
      "What you need to know of sessions and settings, ask the user for.",
    );
  }
  return refuse(
    `${what} decides what agents may do, which only the user changes, in every mode.`,
    "Reading it works. Tell the user what to change: they edit it, or use opencode-gaia or a slash command.",
  );
}

function refuseUnsandboxed(
  { knobs }: CollaborationState,
  call: ExaminedCall,
  sandbox: SandboxDecision | null,
): RefusedCall | null {
  if (sandbox?.kind !== "refuse") return null;
  if (sandbox.why === "no sandbox")
    return refuse(
      "every command is to run in a sandbox (sandbox: on), and none works here.",
      "Tell the user.",
    );
  if (sandbox.why === "always sandboxed")
    return refuse(
      "every command runs in the sandbox (sandbox: on).",
      "GAIA_SANDBOX=network can be asked for.",
    );
  const works =
    call.examination.asks === null ? "" : " Run it without GAIA_SANDBOX: the project is read-only.";
  return refuse(`the session is ${knobs.mode}, nothing may be changed.${works}`, UNLOCK);
}

const UNLOCK = "The user unlocks with /supervised or /autopilot.";

/** What is not ours to answer, and a repetition: autopilot refuses it, or the loop would go on for ever. */
function brake(state: CollaborationState, question: PermissionQuestion): CallDecision | null {
  if (state.ended || !isOwn(state, question.sessionId)) return ASK;
  if (question.kind !== "repetition") return null;
  if (state.knobs.mode !== "autopilot") return ASK;
  return refuse("the same call for the third time.", "Change the approach or return your contract.");
}

function refuseChange(
  state: CollaborationState,
  call: ExaminedCall,
  question: GuardQuestion | PermissionQuestion,
): RefusedCall | null {
  if (state.ended) return refuse("the session has ended.");
  if (state.knobs.mode === "locked") {
    // What it changes is bounded by its read-only sandbox.
    if (call.isCommand && question.sandbox?.kind === "run") return null;
    if (question.by === "host") return refuse("locked mode is read-only.", UNLOCK);
    const about = call.isRecord ? "" : aboutOf(call);
    const works = "Reading, searching and commands that change nothing work.";
    return refuse("the session is locked, nothing may be changed.", `${works} ${UNLOCK}`, about);
  }
  if (call.isRecord) return null;
  if (question.by === "guard" && question.onlyReads) {
    return refuse(
      `${call.agent} only reads.`,
      "Read, search and run commands; what has to change goes into your result for an editing specialist.",
      aboutOf(call),
    );
  }
  return state.pause === null ? null : refuse(whyPaused(state.pause));
}

/** Who answers what nothing refuses. Reading that the host asks for, such as outside the project, is asked. */
function answer(call: ExaminedCall, question: PermissionQuestion): CallDecision {
  if (question.sandbox !== null) return question.sandbox.kind === "run" ? ALLOW : ASK;
  return question.isCovered && COVERED.has(call.examination.effect) ? ALLOW : ASK;
}

/** What runs on the user's standing word, autopilot or an approved wave (SPEC 9); the rest they are asked about each time. */
const COVERED: ReadonlySet<Effect> = new Set(["read", "project"]);

interface Place {
  /** Of the delegation that asks, as it was when it began; null when it named none. */
  readonly workUnit: string | null;
  readonly waveId: string | null;
  /** Whether a request that names no wave is outside the current one. */
  readonly enforceWaveId: boolean;
}

/** Whether nobody is asked: in autopilot, and in the wave that the user approved. */
export function isCovered(state: CollaborationState, place: Place): boolean {
  return !state.ended && (state.knobs.mode === "autopilot" || isInApprovedWave(state, place));
}

function isInApprovedWave(state: CollaborationState, { workUnit, waveId, enforceWaveId }: Place): boolean {
  if (!hasApprovedWave(state) || workUnit !== state.wave?.workUnit) return false;
  return waveId === null ? !enforceWaveId : waveId === state.wave.id;
}

function isOwn({ rootSession, delegations }: CollaborationState, sessionId: string): boolean {
  return sessionId === rootSession || delegations.some((running) => running.sessionId === sessionId);
}

function refuse(reason: string, hint = "", about = ""): RefusedCall {
  return { kind: "refuse", about, reason, hint };
}

function aboutOf({ examination: { reason } }: ExaminedCall): string {
  return reason === "" ? "" : ` (${excerpt(reason, 160)})`;
}
