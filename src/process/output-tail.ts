import { screenText } from "./excerpt.ts";

type Source = "stdout" | "stderr";

/** Bytes kept while a command runs; more than is shown, because colours and progress bars are cut away later. */
const KEPT_BYTES = 32_768;
/** Parts that are looked through for what is worth keeping: of an output of hundreds of megabytes only the first ones. */
const MAX_PARTS = 128;
const NOTHING = Buffer.alloc(0);

interface TailOptions {
  /** Bytes of the end that are kept. */
  readonly keptBytes?: number;
  /** Given each part that no longer fits, readable and in whole lines: what it returns is kept in front of the end. */
  salvage?(text: string): string;
  /** Characters that are salvaged; what comes first is kept. */
  readonly maxSalvaged?: number;
}

/**
 * Keeps the end of an output of any size in a fixed amount of memory: a ring of its last bytes. stdout and stderr are
 * joined line by line, in order of arrival, so that a half-written line of one is not torn by the other.
 */
export function createOutputTail(options: TailOptions = {}) {
  const { keptBytes: size = KEPT_BYTES, salvage, maxSalvaged = 0 } = options;
  let salvaged = "";
  let partsLeft = MAX_PARTS;
  const kept: Buffer[] = [];
  let keptBytes = 0;
  const pending: Record<Source, Buffer> = { stdout: NOTHING, stderr: NOTHING };

  const keep = (bytes: Buffer): void => {
    kept.push(bytes);
    keptBytes += bytes.length;
    if (keptBytes < 2 * size) return;
    let count = 0;
    while (keptBytes - (kept[count]?.length ?? 0) >= size) keptBytes -= kept[count++]?.length ?? 0;
    const gone = kept.splice(0, count);
    // What is kept begins with a line, unless one of them is nearly all of it.
    const begun = kept[0] ?? NOTHING;
    const isWhole = gone.at(-1)?.at(-1) === 10;
    const rest = begun.subarray(0, isWhole ? 0 : begun.subarray(0, size / 2).indexOf(10) + 1);
    kept[0] = begun.subarray(rest.length);
    keptBytes -= rest.length;
    if (salvage === undefined || salvaged.length >= maxSalvaged || partsLeft-- <= 0) return;
    const saved = salvage(readable(Buffer.concat([...gone, rest]).toString("utf8")));
    salvaged = (salvaged + saved).slice(0, maxSalvaged);
  };
  /** All that is kept, readable; redacted before anything is cut, which could leave half of a secret. */
  const whole = (redact: (text: string) => string = (text) => text): string => {
    const all = Buffer.concat([...kept, pending.stdout, pending.stderr]);
    return redact(salvaged + readable(all.toString("utf8")));
  };

  return {
    write(source: Source, chunk: Buffer): void {
      const joined = pending[source].length === 0 ? chunk : Buffer.concat([pending[source], chunk]);
      const end = joined.length >= size ? joined.length : joined.lastIndexOf(10) + 1;
      for (let at = 0; at < end; at += size) keep(joined.subarray(at, Math.min(end, at + size)));
      // A copy, so that a few waiting bytes do not hold on to a whole read buffer.
      pending[source] = Buffer.from(joined.subarray(end));
    },
    whole,
  };
}

function readable(text: string): string {
  return screenText(text)
    .replace(/^\uFFFD+/, "")
    .trimEnd();
}
