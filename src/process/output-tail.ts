import { screenText } from "./excerpt.ts";

type Source = "stdout" | "stderr";

/** Bytes kept while a command runs; more than is shown, because the lines that name an error may stand far before the end. */
const KEPT_BYTES = 2_000_000;
const NOTHING = Buffer.alloc(0);

/**
 * Keeps the end of an output of any size in a fixed amount of memory. stdout and stderr are joined line by line, in order of
 * arrival, so that a half-written line of one is not torn by the other.
 */
export function createOutputTail(size = KEPT_BYTES) {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  const pending: Record<Source, Buffer> = { stdout: NOTHING, stderr: NOTHING };

  const keep = (bytes: Buffer): void => {
    kept.push(bytes);
    keptBytes += bytes.length;
    if (keptBytes < 2 * size) return;
    let count = 0;
    while (keptBytes - (kept[count]?.length ?? 0) >= size) keptBytes -= kept[count++]?.length ?? 0;
    kept.splice(0, count);
  };

  return {
    write(source: Source, chunk: Buffer): void {
      const joined = pending[source].length === 0 ? chunk : Buffer.concat([pending[source], chunk]);
      const end = joined.length >= size ? joined.length : joined.lastIndexOf(10) + 1;
      for (let at = 0; at < end; at += size) keep(joined.subarray(at, Math.min(end, at + size)));
      // A copy, so that a few waiting bytes do not hold on to a whole read buffer.
      pending[source] = Buffer.from(joined.subarray(end));
    },
    /** All that is kept, readable; redacted before anything is cut, which could leave half of a secret. */
    whole(redact: (text: string) => string = (text) => text): string {
      const all = Buffer.concat([...kept, pending.stdout, pending.stderr]).toString("utf8");
      return redact(
        screenText(all)
          .replace(/^\uFFFD+/, "")
          .trimEnd(),
      );
    },
  };
}
