import type { Knobs } from "../../config/knobs.ts";
import { excerpt } from "../../lib/text.ts";
import { toUser } from "../../lib/for-person.ts";
import { refuse, type Refusal } from "../../lib/error.ts";
import { findWave, isSameWave, otherOpenWaves, type WaveLedger } from "../../record/workspace.ts";
import { describePause } from "../collaboration/gate.ts";
import type { Pause, Wave } from "../collaboration/state.ts";

/** A delegation that stands between its wave and the wave's end. */
export interface WaveTask {
  readonly call: string;
  readonly agent: string;
  readonly edits: boolean;
  readonly wave: string;
  readonly unit: string;
  /** How it failed, in words; null while it runs. */
  readonly failure: string | null;
}

export interface WaveFacts {
  readonly wave: string;
  readonly unit: string;
  readonly root: string;
  readonly current: Pick<Wave, "id" | "workUnit"> | null;
  readonly ledger: WaveLedger;
  readonly tasks: readonly WaveTask[];
  readonly mode: Knobs["mode"];
  readonly pause: Pick<Pause, "reason" | "detail"> | null;
  /** Conversations that are gone; what they left open may be taken up. */
  readonly gone: ReadonlySet<string>;
}

const MAX_ID = 60;

/** What opening a wave comes to: a refusal, or the waves that it leaves behind unfinished, in words. */
export type Opening = Refusal | { readonly kind: "allowed"; readonly leaves: string };

/** Its name is new or its own, and nothing of the one before is at work. What failed there stays left, not complete. */
export function decideOpening(facts: WaveFacts): Opening {
  const { wave, root, ledger, mode, pause } = facts;
  if (wave === "" || wave.length > MAX_ID || /[\r\n]/.test(wave)) {
    return refuse(
      `"${wave.slice(0, MAX_ID)}" is no name of a wave.`,
      `Pass a short name such as w1. ${openNow(facts)}`,
    );
  }
  if (mode === "locked") {
    return refuse(
      "Refused: the session is locked, no wave is opened.",
      "The user unlocks with /supervised or /autopilot.",
    );
  }
  if (pause !== null)
    return refuse(
      `Refused to open a wave: ${describePause(pause)}.`,
      "Tell the user why, and end your turn; /next or their words go on.",
    );
  const taken = whyTaken(facts);
  if (taken !== null)
    return refuse(`Refused: ${taken}.`, `${openNow(facts)} Open the next wave with a new wave_id.`);
  const others = otherOpenWaves(ledger, root, wave).map(({ id }) => ({ id, tasks: tasksOf(facts, id) }));
  const busy = others.find(({ tasks }) => tasks.some(isRunning));
  if (busy !== undefined) return refuseBusy(`open wave ${wave}`, busy.id, busy.tasks);
  const leaves = others.map(({ id, tasks }) => (tasks.length === 0 ? id : `${id} (${failuresOf(tasks)})`));
  return { kind: "allowed", leaves: toUser(leaves.join(", ")) };
}

/** What closing a wave comes to: a refusal, or the failures that proof or the user has to settle first. */
export type Closing =
  | Refusal
  | {
      readonly kind: "allowed";
      /** What failed last in it; empty for nothing. */
      readonly failed: string;
      /** In autopilot nobody is asked to overlook that. */
      readonly refusal: Refusal | null;
    };

/** It is open here, nothing of it is at work or failed last. What reviewers hold against it is not asked here. */
export function decideClosing(facts: WaveFacts): Closing {
  const { wave, unit, current, mode } = facts;
  const taken = whyTaken(facts);
  if (taken !== null) return refuse(`Refused: ${taken}.`, openNow(facts));
  if (!isCurrent(facts)) {
    const name = excerpt(wave, MAX_ID);
    const next = current === null ? `open_wave ${name} first.` : `complete_wave ${current.id} instead.`;
    return refuse(`Refused: wave ${name} of ${unit} is not open. ${openNow(facts)}`, next);
  }
  const tasks = tasksOf(facts, wave);
  if (tasks.some(isRunning)) return refuseBusy(`complete wave ${current?.id ?? wave}`, wave, tasks);
  const failed = failuresOf(tasks);
  const refusal = refuse(
    `Refused: wave ${wave} is open, and not all of it succeeded: ${failed}.`,
    `Delegate that again in wave ${wave}. Only the user can overlook it: in supervised mode the same call asks them.`,
  );
  const isRefused = failed !== "" && mode === "autopilot";
  return { kind: "allowed", failed: toUser(failed), refusal: isRefused ? refusal : null };
}

/** Why a delegation may not name this wave; null when it is the open one. */
export function refuseWaveId(facts: WaveFacts): Refusal | null {
  const { wave, current, ledger } = facts;
  if (isCurrent(facts) && whyTaken(facts) === null) return null;
  // As a model wrote them, of whatever length.
  const [name, unit] = [excerpt(wave, MAX_ID), excerpt(facts.unit, MAX_ID)];
  const isOver = (findWave(ledger, wave)?.end ?? null) !== null;
  const next = isOver ? "open_wave with a new wave_id" : `open_wave ${name}`;
  const way =
    current === null || isOver
      ? `plan_gaia ${next} first; work outside of waves names none.`
      : `Pass wave_id ${current.id} and work_unit ${current.workUnit}, or complete that wave and ${next}.`;
  return refuse(
    `Refused: wave ${name} of ${unit} is ${isOver ? "over" : "not open"}. ${openNow(facts)}`,
    way,
  );
}

/** Why the name is not this conversation's to use; null where it is new, or open here. */
function whyTaken({ wave, unit, root, ledger, gone }: WaveFacts): string | null {
  const known = findWave(ledger, wave);
  if (known === null) return null;
  const name = `wave ${known.id} of ${unit}`;
  if (known.end === "complete") return `${name} is complete, and no name of a wave is used twice`;
  if (known.end === "left") return `${name} was left behind, and no name of a wave is used twice`;
  if (known.owner === root || gone.has(known.owner)) return null;
  return `${name} is open in another conversation (${known.owner}), not here`;
}

export function isIn(wave: string, unit: string): (task: WaveTask) => boolean {
  return (task) => task.unit === unit && isSameWave(task.wave, wave);
}

function tasksOf({ tasks, unit }: WaveFacts, wave: string): readonly WaveTask[] {
  return tasks.filter(isIn(wave, unit));
}

function isRunning({ failure }: WaveTask): boolean {
  return failure === null;
}

function failuresOf(tasks: readonly WaveTask[]): string {
  return tasks.flatMap(({ failure }) => failure ?? []).join("; ");
}

function isCurrent({ current, wave, unit }: WaveFacts): boolean {
  return current !== null && isSameWave(current.id, wave) && current.workUnit === unit;
}

function openNow({ current }: WaveFacts): string {
  return current === null ? "No wave is open here." : `Open is wave ${current.id} of ${current.workUnit}.`;
}

function refuseBusy(what: string, wave: string, tasks: readonly WaveTask[]): Refusal {
  const agents = [...new Set(tasks.filter(isRunning).map(({ agent }) => agent))].join(", ");
  return refuse(
    `Refused to ${what}: ${agents} still works in wave ${wave}, which is open.`,
    "Wait with collect_results, or end it with cancel and have it done again.",
  );
}
