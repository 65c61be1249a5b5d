import { isEnded, type Task } from "../../delegation/task.ts";
import { excerpt, firstSentence } from "../../lib/text.ts";
import { isRefusal, refuse, type Refusal } from "../../lib/error.ts";
import {
  beginTask,
  claimWave,
  dropTask,
  dropWave,
  endTask,
  endWave,
  findWave,
  isSameWave,
  otherOpenWaves,
  type WaveEntry,
  type WaveLedger,
  type WaveTask,
  type WaveChange,
} from "../../record/workspace.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import { triedIn } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";
import {
  decideClosing,
  decideOpening,
  refuseWaveId,
  type Closing,
  type Opening,
  type WaveFacts,
} from "./decide-wave.ts";

const MAX_WHY = 160;
const NONE: ReadonlySet<string> = new Set();

export type NewWork = Pick<WaveTask, "call" | "agent" | "edits"> & {
  readonly workUnit: string | null;
  /** As GAIA wrote it; null where she named none. */
  readonly waveId: string | null;
};

/** Which waves this conversation has opened, and what is at work or has failed in them. */
export function createWaves(
  conversation: Pick<ConversationCore, "rootId" | "state">,
  { host, workspace }: Pick<ConversationServices, "host" | "workspace">,
) {
  const { rootId: root } = conversation;
  const running = new Map<string, string>();
  let opening: string | null = null;
  let begun = 0;
  let writing: Promise<unknown> = Promise.resolve();

  const facts = (wave: string, unit: string, ledger: WaveLedger, gone = NONE): WaveFacts => {
    const { wave: current, knobs, pause } = conversation.state;
    const { mode } = knobs;
    return { wave, unit, root, current, ledger, mode, pause, gone, runs: (call) => running.has(call) };
  };
  /** In the order of the calls, and refused where it cannot be written: what is not noted would hold nothing up. */
  const change = async <T>(
    unit: string,
    edit: (ledger: WaveLedger) => WaveChange<T>,
  ): Promise<T | Refusal> => {
    const job = writing.then(async () => workspace.changeWaves({ slug: unit, change: edit }));
    writing = job.catch(() => undefined);
    const changed = await job;
    return changed.ok ? changed.told : refuse(changed.error, changed.hint);
  };
  const ledgerOf = async (unit: string): Promise<WaveLedger> => {
    await writing;
    const known = await workspace.readWaves({ slug: unit });
    return known.ok ? known.waves : [];
  };
  /** Conversations that have a wave open and are no longer there. */
  const gone = async (ledger: WaveLedger): Promise<ReadonlySet<string>> => {
    const owners = new Set(
      ledger.filter(({ end, owner }) => end === null && owner !== root).map(({ owner }) => owner),
    );
    const looks = [...owners].map(async (owner) =>
      (await host.sessions.get(owner)) === null ? [owner] : [],
    );
    return Promise.all(looks).then(
      (found) => new Set(found.flat()),
      () => NONE,
    );
  };

  return {
    /**
     * Opens a wave: its name is taken while the user is asked, and free again after a no.
     * @param ask whether it may open, with the waves that it leaves unfinished
     */
    async open(
      wave: string,
      unit: string,
      ask: (leaves: readonly WaveEntry[]) => Promise<boolean>,
    ): Promise<Refusal | null> {
      if (opening !== null)
        return refuse(`Refused: wave ${opening} is being opened.`, "Open one wave at a time.");
      opening = wave;
      try {
        const lost = await gone(await ledgerOf(unit));
        let isNew = false;
        const claimed = await change<Opening>(unit, (ledger) => {
          const decision = decideOpening(facts(wave, unit, ledger, lost));
          isNew = findWave(ledger, wave) === null;
          return { waves: isRefusal(decision) ? null : claimWave(ledger, wave, root), told: decision };
        });
        if (isRefusal(claimed)) return claimed;
        let isOpen = false;
        try {
          isOpen = await ask(claimed.leaves);
        } finally {
          await change(unit, (ledger) => {
            if (!isOpen) return { waves: isNew ? dropWave(ledger, wave) : null, told: null };
            const left = otherOpenWaves(ledger, root, wave);
            return { waves: left.reduce((all, { id }) => endWave(all, id, "left"), ledger), told: null };
          });
        }
        return null;
      } finally {
        opening = null;
      }
    },
    /** Closes a wave once it is settled, unless something began or failed meanwhile: the checks say nothing about that. */
    async close(
      wave: string,
      unit: string,
      settle: (open: Exclude<Closing, Refusal>) => Promise<Refusal | null>,
    ): Promise<Refusal | null> {
      await writing;
      const known = await workspace.readWaves({ slug: unit });
      if (!known.ok) return refuse(known.error, known.hint);
      const before = decideClosing(facts(wave, unit, known.waves));
      if (isRefusal(before)) return before;
      const begunBefore = begun;
      const refusal = await settle(before);
      if (refusal !== null) return refusal;
      return change<Refusal | null>(unit, (ledger) => {
        const decision = decideClosing(facts(wave, unit, ledger));
        if (isRefusal(decision)) return { waves: null, told: decision };
        if (begunBefore !== begun) {
          const told = refuse(
            `The wave stays open: work was delegated while wave ${wave} was being completed.`,
            `complete_wave ${wave} once more, now that it has ended.`,
          );
          return { waves: null, told };
        }
        if (decision.failed !== "" && decision.failed !== before.failed) {
          const told = refuse(`The wave stays open: ${decision.failed}.`, "Look at it first.");
          return { waves: null, told };
        }
        const whole = findWave(ledger, wave) === null ? claimWave(ledger, wave, root) : ledger;
        return { waves: endWave(whole, wave, "complete"), told: null };
      });
    },
    /** Why a unit may not be closed: one of its waves is open, here or in another conversation; null for none. */
    async refuseArchive(unit: string): Promise<Refusal | null> {
      const open = (await ledgerOf(unit)).filter(({ end }) => end === null);
      const lost = await gone(open);
      const { wave } = conversation.state;
      const mine = wave?.workUnit === unit ? wave.id : undefined;
      const other = open.find(({ owner }) => owner !== root && !lost.has(owner));
      if (mine !== undefined)
        return refuse(`Refused: wave ${mine} of ${unit} is open.`, `complete_wave ${mine} first.`);
      if (other === undefined) return null;
      const place = `another conversation (${other.owner})`;
      return refuse(`Refused: wave ${other.id} of ${unit} is open in ${place}.`, "Close it there first.");
    },
    /** Takes note of a delegation before it begins. @returns the open wave's name as it is spelled, or a refusal */
    async begin({
      call,
      agent,
      edits,
      workUnit,
      waveId,
    }: NewWork): Promise<{ waveId: string | null } | Refusal> {
      const { wave: current } = conversation.state;
      const isOutside = waveId === null && (current === null || current.workUnit !== workUnit);
      if (isOutside) return { waveId: null };
      const wave = waveId ?? current?.id ?? "";
      const unit = workUnit ?? current?.workUnit ?? "";
      if (current === null || !isSameWave(wave, current.id) || unit !== current.workUnit)
        return refuseWaveId(facts(wave, unit || "no work unit", await ledgerOf(unit))) ?? { waveId };
      running.set(call, unit);
      begun += 1;
      const refused = await change<Refusal | null>(unit, (ledger) => {
        const refusal = refuseWaveId(facts(wave, unit, ledger));
        if (refusal !== null) return { waves: null, told: refusal };
        const whole = findWave(ledger, wave) === null ? claimWave(ledger, current.id, root) : ledger;
        const runs = (other: string): boolean => running.has(other) && other !== call;
        // One of several tries may fail, and its task holds all the same.
        const isTry = triedIn(call) !== null;
        const waves = isTry ? whole : beginTask(whole, wave, { call, agent, edits }, runs);
        return { waves, told: null };
      });
      if (refused !== null) running.delete(call);
      return refused ?? { waveId: waveId === null ? null : current.id };
    },
    async forget(call: string): Promise<void> {
      const unit = running.get(call);
      if (!running.delete(call) || unit === undefined) return;
      await change(unit, (ledger) => ({ waves: dropTask(ledger, call), told: null }));
    },
    taskChanged(task) {
      const unit = running.get(task.callId);
      if (unit === undefined || !isEnded(task)) return;
      running.delete(task.callId);
      const { callId, startedAt } = task;
      const note = async (): Promise<void> => {
        const refusal = await change(unit, (ledger) => ({
          waves: startedAt === null ? dropTask(ledger, callId) : endTask(ledger, callId, failureOf(task)),
          told: null,
        }));
        if (refusal !== null) host.logger.log("warn", "waves", refusal.reason, { unit });
      };
      void note();
    },
  } satisfies Part & Record<string, unknown>;
}

function failureOf({ outcome }: Task): string | null {
  if (outcome === null) return null;
  const { status, message, denied, envelope } = outcome;
  if (status === "failed" || status === "cancelled")
    return excerpt(denied ?? (firstSentence(message) || status), MAX_WHY);
  if (envelope?.ok !== false) return null;
  const said = envelope.errors;
  return excerpt(said.join(", ") || "it says that it was not done", MAX_WHY);
}
