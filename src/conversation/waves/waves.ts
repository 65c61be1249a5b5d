import { isEnded, type Task } from "../../delegation/task.ts";
import { isRefusal, refuse, type Refusal } from "../../lib/error.ts";
import { newestWithin } from "../../lib/schema.ts";
import { excerpt, firstSentence } from "../../lib/text.ts";
import {
  claimWave,
  dropWave,
  endWave,
  findWave,
  isSameWave,
  otherOpenWaves,
  type WaveChange,
  type WaveLedger,
} from "../../record/workspace.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import { triedIn } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";
import {
  decideClosing,
  decideOpening,
  isIn,
  refuseWaveId,
  type Closing,
  type Opening,
  type WaveFacts,
  type WaveTask,
} from "./decide-wave.ts";

const MAX_WHY = 160;
const MAX_TASKS = 100;
/** Of the tasks that are kept over a restart, in characters of JSON. */
const MAX_KEPT = 7_500;
const NONE: ReadonlySet<string> = new Set();

export type NewWork = Pick<WaveTask, "call" | "agent" | "edits"> & {
  readonly workUnit: string | null;
  /** As GAIA wrote it; null where it named none. */
  readonly waveId: string | null;
};

/** Which waves this conversation has opened, and which delegations run or have failed in them. */
export function createWaves(
  conversation: Pick<ConversationCore, "rootId" | "state" | "remember" | "mirrored">,
  { host, workspace }: Pick<ConversationServices, "host" | "workspace">,
) {
  const { rootId: root } = conversation;
  const tasks = conversation.remember<readonly WaveTask[]>("waves", [], (all) => newestWithin(all, MAX_KEPT));
  // What ran before a restart has no one who works on it any more.
  if (tasks.now.length > 0)
    tasks.now = tasks.now.map((task) => ({
      ...task,
      failure: task.failure ?? `${task.agent} was interrupted`,
    }));
  let opening: string | null = null;

  const keep = (next: readonly WaveTask[]): void => {
    tasks.now = next.slice(-MAX_TASKS);
  };
  const forget = (call: string): void => {
    if (tasks.now.some((task) => task.call === call)) keep(others(call));
  };
  const others = (call: string): readonly WaveTask[] => tasks.now.filter((task) => task.call !== call);
  const facts = (wave: string, unit: string, ledger: WaveLedger, gone = NONE): WaveFacts => {
    const { wave: current, knobs, pause } = conversation.state;
    return { wave, unit, root, current, ledger, tasks: tasks.now, mode: knobs.mode, pause, gone };
  };
  /** Refused where it cannot be written: a name that is not noted could be used twice. */
  const change = async <T>(
    unit: string,
    edit: (ledger: WaveLedger) => WaveChange<T>,
  ): Promise<T | Refusal> => {
    const changed = await workspace.changeWaves({ slug: unit, change: edit });
    return changed.ok ? changed.told : refuse(changed.error, changed.hint);
  };
  const ledgerOf = async (unit: string): Promise<WaveLedger> => {
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
     * @param ask whether it may open, with the waves that it leaves unfinished, in words
     */
    async open(
      wave: string,
      unit: string,
      ask: (leaves: string) => Promise<boolean>,
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
            keep(tasks.now.filter((task) => task.unit !== unit || isIn(wave, unit)(task)));
            const left = otherOpenWaves(ledger, root, wave);
            return { waves: left.reduce((all, { id }) => endWave(all, id, "left"), ledger), told: null };
          });
        }
        return null;
      } finally {
        opening = null;
      }
    },
    /** Closes a wave once it is settled, unless work began meanwhile: the checks say nothing about that. */
    async close(
      wave: string,
      unit: string,
      settle: (open: Exclude<Closing, Refusal>) => Promise<Refusal | null>,
    ): Promise<Refusal | null> {
      const known = await workspace.readWaves({ slug: unit });
      if (!known.ok) return refuse(known.error, known.hint);
      const before = decideClosing(facts(wave, unit, known.waves));
      if (isRefusal(before)) return before;
      const settled = tasks.now;
      const refusal = await settle(before);
      if (refusal !== null) return refusal;
      return change<Refusal | null>(unit, (ledger) => {
        const decision = decideClosing(facts(wave, unit, ledger));
        if (isRefusal(decision)) return { waves: null, told: decision };
        if (tasks.now !== settled) {
          const told = refuse(
            `The wave stays open: work was delegated while wave ${wave} was being completed.`,
            `complete_wave ${wave} once more, now that it has ended.`,
          );
          return { waves: null, told };
        }
        keep(tasks.now.filter((task) => !isIn(wave, unit)(task)));
        const whole = findWave(ledger, wave) === null ? claimWave(ledger, wave, root) : ledger;
        return { waves: endWave(whole, wave, "complete"), told: null };
      });
    },
    /** Why a unit may not be closed: one of its waves is open in another conversation, or at work here; null for neither. */
    async refuseArchive(unit: string): Promise<Refusal | null> {
      const open = (await ledgerOf(unit)).filter(({ end }) => end === null);
      const lost = await gone(open);
      const atWork = tasks.now.find((task) => task.unit === unit && task.failure === null);
      const other = open.find(({ owner }) => owner !== root && !lost.has(owner));
      if (atWork !== undefined)
        return refuse(`Refused: ${atWork.agent} still works in wave ${atWork.wave}.`, "Wait for it first.");
      if (other === undefined) return null;
      const place = `another conversation (${other.owner})`;
      return refuse(`Refused: wave ${other.id} of ${unit} is open in ${place}.`, "Close it there first.");
    },
    /** Takes note of a delegation before it begins. @returns the open wave's name as it is spelled, or a refusal */
    async begin({ workUnit, waveId, ...work }: NewWork): Promise<{ waveId: string | null } | Refusal> {
      const { wave: current } = conversation.state;
      const isOutside = waveId === null && (current === null || current.workUnit !== workUnit);
      if (isOutside) return { waveId: null };
      const wave = waveId ?? current?.id ?? "";
      const unit = workUnit ?? current?.workUnit ?? "";
      const isOpen = current !== null && isSameWave(wave, current.id) && unit === current.workUnit;
      // One of several tries may fail, and its task holds all the same.
      if (isOpen && triedIn(work.call) === null)
        keep([...tasks.now, { ...work, wave: current.id, unit, failure: null }]);
      const refusal = refuseWaveId(facts(wave, unit || "no work unit", await ledgerOf(unit)));
      if (refusal !== null) forget(work.call);
      // After a kill the wave must know what was at work in it.
      else await conversation.mirrored();
      return refusal ?? { waveId: waveId === null ? null : (current?.id ?? waveId) };
    },
    /** It has not begun. */
    forget,
    taskChanged(ended) {
      const at = tasks.now.findIndex(({ call, failure }) => call === ended.callId && failure === null);
      const task = tasks.now[at];
      if (task === undefined || !isEnded(ended)) return;
      if (ended.startedAt === null) return forget(task.call);
      const failure = failureOf(ended);
      if (failure !== null) return keep([...others(task.call), { ...task, failure }]);
      // It makes good what had failed before it began: of the same agent, and one edit another.
      const isHealed = (each: WaveTask): boolean =>
        each.failure !== null &&
        isIn(task.wave, task.unit)(each) &&
        (each.agent === task.agent || (each.edits && task.edits));
      keep([...tasks.now.slice(0, at).filter((each) => !isHealed(each)), ...tasks.now.slice(at + 1)]);
    },
  } satisfies Part & Record<string, unknown>;
}

function failureOf({ agent, outcome }: Task): string | null {
  if (outcome === null) return null;
  const { status, message, denied, envelope } = outcome;
  const isFailed = status === "failed" || status === "cancelled";
  if (!isFailed && envelope?.ok !== false) return null;
  const why = isFailed
    ? (denied ?? (firstSentence(message) || status))
    : envelope?.errors.join(", ") || "it says that it was not done";
  return `${agent} failed (${excerpt(why, MAX_WHY)})`;
}
