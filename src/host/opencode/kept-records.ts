import { isDeepStrictEqual } from "node:util";
import { type Clock, createLines } from "../../lib/async.ts";
import { createError } from "../../lib/error.ts";
import { type JsonRecord, recordOf } from "../../lib/json.ts";

/** How long after it was read a record is taken for the one that is kept, in milliseconds: other processes may write it too. */
const KNOWN_MS = 2_000;

/** Where records are kept, whole. */
export interface RecordKeeper {
  read(id: string): Promise<JsonRecord | undefined>;
  write(id: string, record: JsonRecord): Promise<unknown>;
}

/** Changes keys of records that are read and written whole, one change after the other, and reads none that it wrote a moment ago. */
export function createKeptRecords(clock: Clock, { read, write }: RecordKeeper) {
  const inLine = createLines();
  const known = new Map<string, { readonly record: JsonRecord; readonly until: number }>();
  return {
    /** Replaces these keys; one whose value is undefined goes. */
    set: async (id: string, values: JsonRecord): Promise<void> =>
      inLine(id, async () => {
        for (const [each, { until }] of known) if (until <= clock.now()) known.delete(each);
        const { record: current = await read(id), until = clock.now() + KNOWN_MS } = known.get(id) ?? {};
        // Writing without knowing the other keys would take them away.
        if (current === undefined) throw createError("host", `There is no ${id} to write to.`);
        const record = recordOf(JSON.parse(JSON.stringify({ ...current, ...values })));
        known.set(id, { record, until });
        await write(id, record).catch((error: unknown) => {
          known.delete(id);
          throw error;
        });
      }),
    /** Somebody saw it so, or saw it go: it was changed by others, or what is told of a change came late. */
    seen(id: string, record: JsonRecord | null): void {
      if (!isDeepStrictEqual(known.get(id)?.record, record)) known.delete(id);
    },
  };
}
