import { ledgerSchema, type WaveLedger } from "../documents/wave-ledger.ts";
import type { GaiaWriter } from "../store/gaia-files.ts";
import { inUnit, unitOf, type OperationContext } from "./context.ts";
import { defineLocal, readEntries, withEntry } from "./local.ts";

/** Which waves of a unit there were and what stands between them and their end. It outlives OpenCode, and is one for all conversations. */
const ledgers = defineLocal("waves.json", (value): ReadonlyMap<string, WaveLedger> =>
  readEntries(ledgerSchema(), value),
);

/** The waves of a unit. */
export async function readWaves(
  { files }: OperationContext,
  { slug }: { slug: string },
): Promise<{ waves: WaveLedger }> {
  const unit = await unitOf(files, slug);
  return { waves: (await ledgers.read(files)).get(unit) ?? [] };
}

/** What a change makes of the waves of a unit, with what is to be told of it. */
export interface WaveChange<T> {
  /** null to leave them as they are. */
  readonly waves: WaveLedger | null;
  readonly told: T;
}

/** Changes the waves of a unit, alone among all conversations and processes. */
export async function changeWaves<T>(
  { files }: OperationContext,
  { slug, change }: { slug: string; change: (waves: WaveLedger) => WaveChange<T> },
): Promise<{ told: T }> {
  return inUnit(files, slug, async (writer, unit) => {
    const { waves, told } = change((await ledgers.read(writer)).get(unit) ?? []);
    if (waves !== null) await ledgers.change(writer, (all) => withEntry(all, unit, waves));
    return { told };
  });
}

/** Forgets the waves of a unit that is archived: another one of its name has its own. */
export async function forgetWaves(writer: GaiaWriter, unit: string): Promise<void> {
  await ledgers.change(writer, (all) => withEntry(all, unit, null));
}
