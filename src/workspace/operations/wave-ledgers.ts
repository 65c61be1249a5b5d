import * as z from "zod/mini";
import { parseJson } from "../../lib/json.ts";
import { lazy } from "../../lib/lazy.ts";
import type { WaveLedger } from "../documents/wave-ledger.ts";
import { LOCAL_FOLDER, type GaiaReader, type GaiaWriter } from "../store/gaia-files.ts";
import { inUnit, unitOf, type OperationContext } from "./context.ts";

/**
 * Which waves there were and what still stands between them and their end: a fact about this checkout, like its approvals.
 * It outlives OpenCode, and is one for all conversations.
 */
const WAVES = `${LOCAL_FOLDER}/waves.json`;

const ledgers = lazy(() =>
  z.record(
    z.string(),
    z.array(
      z.object({
        id: z.string(),
        owner: z.string(),
        end: z.nullable(z.enum(["complete", "left"])),
        tasks: z.array(
          z.object({
            call: z.string(),
            agent: z.string(),
            edits: z.boolean(),
            state: z.enum(["running", "failed"]),
            why: z.string(),
            heals: z.array(z.string()),
          }),
        ),
      }),
    ),
  ),
);

/** The waves of a unit. */
export async function readWaves(
  { files }: OperationContext,
  { slug }: { slug: string },
): Promise<{ waves: WaveLedger }> {
  return { waves: await waveOf(files, await unitOf(files, slug)) };
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
    const { waves, told } = change(await waveOf(writer, unit));
    if (waves !== null) await write(writer, unit, waves);
    return { told };
  });
}

/** Forgets the waves of a unit that is archived: another one of its name has its own. */
export async function forgetWaves(writer: GaiaWriter, unit: string): Promise<void> {
  if ((await writer.read(WAVES, "replaceable")) !== null) await write(writer, unit, null);
}

async function waveOf(reader: GaiaReader, unit: string): Promise<WaveLedger> {
  const all = parse(await reader.read(WAVES, "replaceable"));
  return Object.hasOwn(all, unit) ? (all[unit] ?? []) : [];
}

async function write(writer: GaiaWriter, unit: string, waves: WaveLedger | null): Promise<void> {
  await writer.change(
    WAVES,
    (text) => {
      const { [unit]: _before, ...others } = parse(text);
      const next = waves === null ? others : { ...others, [unit]: waves };
      return { text: `${JSON.stringify(next)}\n`, result: null };
    },
    "replaceable",
  );
}

function parse(text: string | null): Record<string, WaveLedger> {
  return ledgers().safeParse(parseJson(text ?? "")).data ?? {};
}
