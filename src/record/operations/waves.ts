import * as z from "zod/mini";
import { lazy } from "../../lib/async.ts";
import { inUnit, unitOf, type OperationContext, defineLocalMap } from "./context.ts";

const entrySchema = lazy(() =>
  z.object({
    id: z.string(),
    /** The conversation in which it is open. */
    owner: z.string(),
    /** How it ended: complete, or left behind unfinished; null while it is open. */
    end: z.nullable(z.enum(["complete", "left"])),
  }),
);
/** One wave of a work unit, from its opening on: its name is taken for good. */
type WaveEntry = Readonly<z.infer<ReturnType<typeof entrySchema>>>;

export type WaveLedger = readonly WaveEntry[];

const MAX_WAVES = 500;

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

/** The wave is this conversation's from now on. */
export function claimWave(ledger: WaveLedger, id: string, owner: string): WaveLedger {
  const entry: WaveEntry = { id: findWave(ledger, id)?.id ?? id, owner, end: null };
  return [...dropWave(ledger, id), entry].slice(-MAX_WAVES);
}

/** Takes a name back that was not used in the end. */
export function dropWave(ledger: WaveLedger, id: string): WaveLedger {
  return ledger.filter((entry) => !isSameWave(entry.id, id));
}

export function endWave(ledger: WaveLedger, id: string, end: "complete" | "left"): WaveLedger {
  return ledger.map((entry) => (isSameWave(entry.id, id) ? { ...entry, end } : entry));
}

/** Which waves of a unit there were; one for all conversations. */
export const ledgers = defineLocalMap(
  "waves.json",
  lazy(() => z.readonly(z.array(entrySchema()))),
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
