import * as z from "zod/mini";
import { lazy } from "../../lib/async.ts";
import { inUnit, unitOf, type OperationContext, defineLocalMap } from "./context.ts";

const schemas = lazy(() => {
  const task = z.object({
    /** The call that gave it out; it is known before anything has begun. */
    call: z.string(),
    agent: z.string(),
    edits: z.boolean(),
    /** One that is noted as running and that no process runs was interrupted. */
    state: z.enum(["running", "failed"]),
    why: z.string(),
    /** The failures that it makes good when it ends well, by their calls. */
    heals: z.readonly(z.array(z.string())),
  });
  /** One wave of a work unit, from its opening on: its name is taken for good. */
  const entry = z.object({
    id: z.string(),
    /** The conversation in which it is open. */
    owner: z.string(),
    /** How it ended: complete, or left behind unfinished; null while it is open. */
    end: z.nullable(z.enum(["complete", "left"])),
    tasks: z.readonly(z.array(task)),
  });
  return { task, entry };
});
type Schemas = ReturnType<typeof schemas>;
export type WaveTask = Readonly<z.infer<Schemas["task"]>>;
export type WaveEntry = Readonly<z.infer<Schemas["entry"]>>;

export type WaveLedger = readonly WaveEntry[];

const MAX_WAVES = 500;
const MAX_TASKS = 100;

/** Names are the same whatever their case. */
export function isSameWave(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}

export function findWave(ledger: WaveLedger, id: string): WaveEntry | null {
  return ledger.find((entry) => isSameWave(entry.id, id)) ?? null;
}

/** What a conversation has open in this unit beside one wave. */
export function otherOpenWaves(ledger: WaveLedger, owner: string, id: string): WaveEntry[] {
  return ledger.filter((entry) => entry.end === null && entry.owner === owner && !isSameWave(entry.id, id));
}

/** The wave is this conversation's from now on; what stood between it and its end still does. */
export function claimWave(ledger: WaveLedger, id: string, owner: string): WaveLedger {
  const known = findWave(ledger, id);
  const entry: WaveEntry = { id: known?.id ?? id, owner, end: null, tasks: known?.tasks ?? [] };
  return [...ledger.filter((each) => each !== known), entry].slice(-MAX_WAVES);
}

/** Takes a name back that was not used in the end. */
export function dropWave(ledger: WaveLedger, id: string): WaveLedger {
  return ledger.filter((entry) => !isSameWave(entry.id, id));
}

export function endWave(ledger: WaveLedger, id: string, end: "complete" | "left"): WaveLedger {
  return change(ledger, id, (entry) => ({ ...entry, end, tasks: [] }));
}

/** A delegation begins. It can make good an earlier failure of the same agent, or one edit another. */
export function beginTask(
  ledger: WaveLedger,
  id: string,
  { call, agent, edits }: Pick<WaveTask, "call" | "agent" | "edits">,
  runs: (call: string) => boolean,
): WaveLedger {
  return change(ledger, id, (entry) => {
    const heals = entry.tasks
      .filter((task) => task.state === "failed" || !runs(task.call))
      .filter((task) => task.agent === agent || (task.edits && edits))
      .map((task) => task.call);
    const task: WaveTask = { call, agent, edits, state: "running", why: "", heals };
    return { ...entry, tasks: [...entry.tasks, task].slice(-MAX_TASKS) };
  });
}

/** A delegation has ended, wherever it belongs. @param why it failed; null for a good end */
export function endTask(ledger: WaveLedger, call: string, why: string | null): WaveLedger {
  return ledger.map((entry) => {
    const task = entry.tasks.find((each) => each.call === call);
    if (task === undefined) return entry;
    const gone = why === null ? [call, ...task.heals] : [call];
    const left = entry.tasks.filter((each) => !gone.includes(each.call));
    return { ...entry, tasks: why === null ? left : [...left, { ...task, state: "failed", why, heals: [] }] };
  });
}

export function dropTask(ledger: WaveLedger, call: string): WaveLedger {
  return ledger.map((entry) => ({ ...entry, tasks: entry.tasks.filter((task) => task.call !== call) }));
}

function change(ledger: WaveLedger, id: string, edit: (entry: WaveEntry) => WaveEntry): WaveLedger {
  return ledger.map((entry) => (isSameWave(entry.id, id) ? edit(entry) : entry));
}

/** Which waves of a unit there were, and what stands between them and their end; one for all conversations. */
export const ledgers = defineLocalMap(
  "waves.json",
  lazy(() => z.readonly(z.array(schemas().entry))),
);

export interface WaveChange<T> {
  readonly waves: WaveLedger | null;
  readonly told: T;
}

export const waveOperations = ({ files, method, run }: OperationContext) => ({
  readWaves: method(async ({ slug }: { slug: string }) => ({
    waves: (await ledgers.get(files, await unitOf(files, slug))) ?? [],
  })),
  /** Changes the waves of a unit, alone among all conversations and processes. */
  changeWaves: async <T>({ slug, change }: { slug: string; change: (waves: WaveLedger) => WaveChange<T> }) =>
    run(async () =>
      inUnit(files, slug, async (writer, unit) => {
        const { waves, told } = change((await ledgers.get(writer, unit)) ?? []);
        if (waves !== null) await ledgers.set(writer, unit, waves);
        return { told };
      }),
    ),
});
