import { excerpt } from "../../lib/excerpt.ts";
import type { Effect, Examination } from "../../policy/examination.ts";
import type { Request } from "../../sandbox/ask-for-more.ts";
import type { ProtectedTarget } from "../../policy/protected-visitor.ts";
import { type CollaborationState, hasApprovedWave } from "./state.ts";
import { whyPaused } from "./why-paused.ts";

/** A tool call of a GAIA session with everything that is known of it by itself. */
export interface ExaminedCall {
  readonly tool: string;
  /** Who calls. */
  readonly agent: string;
  readonly examination: Examination;
  /** Whether it writes nothing but the record below `.gaia/`. */
  readonly isRecord?: boolean;
  /** Whether the project's checks count as reading, because it is the agent's job to run them (SPEC 8, "Modes"). */
  readonly mayCheck?: boolean;
  /** What its command asks for beyond its containment. */
  readonly asks?: Request | null;
  /** Whether the user has approved the very revision that it would record. */
  readonly isApproved?: boolean;
}

/** The guard asks, before the call runs. */
export interface GuardQuestion {
  readonly by: "guard";
  /** Whether the agent may not change anything by this tool. */
  readonly onlyReads: boolean;
  /** Whether OpenCode holds the agent to the table of read-only commands. */
  readonly isListed: boolean;
}

/** OpenCode asks for permission while the call runs. */
export interface PermissionQuestion {
  readonly by: "host";
  /** The host's name of the permission, for example `edit`. */
  readonly permission: string;
  readonly sessionId: string;
  /** Of the delegation that asks, as it was when it began; null when it named none. */
  readonly workUnit: string | null;
  readonly wave: string | null;
  /** Whether a request that names no wave is outside the current one. */
  readonly enforceWaveId: boolean;
  /** Whether it is one of the plugin's own approval dialogs. */
  readonly isApproval: boolean;
  /** Whether a command will run contained, so that what cannot be told of it stays inside. */
  readonly isContained: boolean;
}

/** A call that does not run: why, and what would be allowed; for the model. */
export interface RefusedCall {
  readonly kind: "refuse";
  /** The part of the call that the refusal is about, and the policy's words for it; empty where the tool's name tells. */
  readonly about: string;
  readonly reason: string;
  readonly hint: string;
}

/** Whether a call runs: at once, when the human says so, or not. */
export type CallDecision = { readonly kind: "allow" } | { readonly kind: "ask" } | RefusedCall;

const ALLOW: CallDecision = { kind: "allow" };
const ASK: CallDecision = { kind: "ask" };

/** Whether a call changes anything, the record included. */
export function isChange({ examination, isRecord = false, mayCheck = false }: ExaminedCall): boolean {
  const { effect, isCheck } = examination;
  return isRecord || (effect !== "read" && effect !== "forbidden" && !(isCheck && mayCheck));
}

/**
 * Decides a call of a GAIA session (SPEC 8, 9), for the guard before it runs and for the host's dialogs: the first rule
 * that fits. What is not plainly allowed is refused by the guard and left to the human in a dialog. The plugin's own
 * approvals always go to the human, dangerous operations to nobody.
 */
export function decideCall(
  state: CollaborationState,
  call: ExaminedCall,
  question: GuardQuestion | PermissionQuestion,
): CallDecision {
  if (question.by === "host" && question.isApproval) return ASK;
  return (
    refuseAlways(call) ??
    (question.by === "host" ? brake(state, question) : null) ??
    (isChange(call) ? refuseChange(state, call, question) : null) ??
    (question.by === "host" ? answer(state, call, question) : (refuseUnlisted(call, question) ?? ALLOW))
  );
}

/** What the model reads; in a dialog OpenCode shows the call itself. */
export function refusalText({ about, reason, hint }: RefusedCall, tool?: string): string {
  return `Refused${tool === undefined ? "" : ` ${tool}${about}`}: ${[reason, hint].join(" ").trim()}`;
}

function refuseAlways(call: ExaminedCall): RefusedCall | null {
  const { effect, secret, protectedTarget } = call.examination;
  if (effect === "forbidden") {
    return refuse(
      `a dangerous operation${aboutOf(call)}, refused in every mode.`,
      "Use a narrower command, or tell the user what to run by hand.",
    );
  }
  if (protectedTarget !== null) return refuseProtected(protectedTarget);
  if (secret === null) return null;
  if (/(?:\.gaia\/|gaia-)knowledge/i.test(secret))
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
  if (kind === "program") {
    return refuse(
      `${what} changes settings or starts agents that nothing guards, in every mode.`,
      "The user runs it; tell them the command.",
    );
  }
  return refuse(
    `${what} decides what agents may do, which only the user changes, in every mode.`,
    "Reading it works. Tell the user what to change: they edit it, or use opencode-gaia or a slash command.",
  );
}

/**
 * What is not ours to answer, and the host's `doom_loop`, which is no operation but a brake: autopilot answers it with a
 * refusal, for with a yes the loop would go on for ever.
 */
function brake(state: CollaborationState, question: PermissionQuestion): CallDecision | null {
  if (state.ended || !isOwn(state, question.sessionId)) return ASK;
  if (question.permission !== "doom_loop") return null;
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
    const unlock = "The user unlocks with /supervised or /autopilot.";
    if (question.by === "host") return refuse("locked mode is read-only.", unlock);
    const checks = call.mayCheck === true ? "Checks that change no files run. " : "";
    const works = `Reading, searching and read-only commands work. ${checks}`.trim();
    return refuse(
      "the session is locked, nothing may be changed.",
      `${works} ${unlock}`,
      call.isRecord === true ? "" : aboutOf(call),
    );
  }
  if (call.isRecord === true) return null;
  if (question.by === "guard" && question.onlyReads) {
    return refuse(
      `${call.agent} only reads.`,
      `Read, search, and run ${call.mayCheck === true ? "checks that change no files" : "commands that only print"}; what has to change goes into your result for an editing specialist.`,
      aboutOf(call),
    );
  }
  return state.pause === null ? null : refuse(whyPaused(state.pause));
}

/** OpenCode would refuse such a command as well, but with its whole table of rules as the reason, which the model pays for. */
function refuseUnlisted(
  { agent, examination: { unlisted } }: ExaminedCall,
  { isListed }: GuardQuestion,
): RefusedCall | null {
  if (!isListed || unlisted === null) return null;
  return refuse(
    `harmless as it looks, it is not on the list of commands that ${agent} may run.`,
    "Call the program by its name, without a shell around it, or use read, grep and glob.",
    ` (\`${excerpt(unlisted, 80)}\`)`,
  );
}

/**
 * Who answers what nothing refuses: the human, or the plugin on the user's standing word. Read-only commands need no
 * approval in any mode; other reading that the host asks for, such as outside the project, does.
 */
function answer(state: CollaborationState, call: ExaminedCall, question: PermissionQuestion): CallDecision {
  const isCommand = question.permission === "bash";
  if (isCommand && !isChange(call)) return ALLOW;
  const { effect } = call.examination;
  const isAutopilot = state.knobs.mode === "autopilot";
  // A wave is no word about a commit.
  if (isRecording(call) && !isAutopilot) return call.isApproved === true && COVERED.has(effect) ? ALLOW : ASK;
  const covered = isAutopilot || isInApprovedWave(state, question);
  const staysInside = COVERED.has(effect) || (isCommand && effect === "unknown" && question.isContained);
  return covered && staysInside ? ALLOW : ASK;
}

/** Whether a call puts something into the history, or sends it on. */
export function isRecording({ examination: { history } }: Pick<ExaminedCall, "examination">): boolean {
  return history !== null && history.recordings.length > 0;
}

/** What runs on the user's standing word, autopilot or an approved wave (SPEC 9); the rest they are asked about each time. */
const COVERED: ReadonlySet<Effect> = new Set(["read", "project", "history"]);

/** Whether nobody is asked: in autopilot, and in the wave that the user approved. */
export function isCovered(
  state: CollaborationState,
  {
    workUnit,
    waveId,
    enforceWaveId,
  }: { workUnit: string | null; waveId: string | null; enforceWaveId: boolean },
): boolean {
  if (state.ended) return false;
  return (
    state.knobs.mode === "autopilot" || isInApprovedWave(state, { workUnit, wave: waveId, enforceWaveId })
  );
}

function isInApprovedWave(
  state: CollaborationState,
  { workUnit, wave, enforceWaveId }: Pick<PermissionQuestion, "workUnit" | "wave" | "enforceWaveId">,
): boolean {
  if (!hasApprovedWave(state) || workUnit !== state.wave?.workUnit) return false;
  return wave === null ? !enforceWaveId : wave === state.wave.id;
}

function isOwn({ rootSession, delegations }: CollaborationState, sessionId: string): boolean {
  return sessionId === rootSession || delegations.some((running) => running.sessionId === sessionId);
}

function refuse(reason: string, hint = "", about = ""): RefusedCall {
  return { kind: "refuse", about, reason, hint };
}

/**
 * What was refused and why, as the policy saw it; nothing where it saw no more than the tool's name tells. To one who may
 * run checks it says what makes this none.
 */
function aboutOf({ mayCheck, examination: { part, reason, effect, noCheck } }: ExaminedCall): string {
  if (mayCheck === true && effect !== "forbidden" && noCheck !== null) return ` (${excerpt(noCheck, 240)})`;
  if (reason === "") return "";
  const what = part === null ? "" : `\`${excerpt(part.text, 80)}\`: `;
  return ` (${what}${excerpt(reason, 160)})`;
}
