type Source = "stdout" | "stderr";

/** Bytes kept while a command runs; more than is shown, because colours and progress bars are cut away later. */
const KEPT_BYTES = 32_768;

/** Parts that are looked through for what is worth keeping: of an output of hundreds of megabytes only the first ones. */
const MAX_PARTS = 64;

interface TailBounds {
  maxLines: number;
  maxCharacters: number;
  /** Applied before the cut, which could otherwise leave half of a secret that is no longer recognised. */
  redact?: (text: string) => string;
}

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
  let kept: Buffer[] = [];
  let keptBytes = 0;
  const pending: Record<Source, Buffer> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };

  const lastBytes = (bytes: Buffer): Buffer =>
    bytes.length > size ? bytes.subarray(bytes.length - size) : bytes;
  const keep = (bytes: Buffer): void => {
    kept.push(bytes);
    keptBytes += bytes.length;
    if (keptBytes < 2 * size) return;
    const all = Buffer.concat(kept);
    // At the end of a line, unless there is none.
    const cut = all.lastIndexOf(10, all.length - size) + 1 || all.length - size;
    if (salvage !== undefined && salvaged.length < maxSalvaged && partsLeft-- > 0) {
      const saved = salvage(readable(all.subarray(0, cut).toString("utf8")));
      salvaged = (salvaged + saved).slice(0, maxSalvaged);
    }
    kept = [lastBytes(all.subarray(cut))];
    keptBytes = kept[0]?.length ?? 0;
  };
  const whole = (redact: (text: string) => string = (text) => text): string => {
    const all = Buffer.concat([...kept, pending.stdout, pending.stderr]);
    return redact(salvaged + readable(all.toString("utf8")));
  };

  return {
    write(source: Source, chunk: Buffer): void {
      const joined = Buffer.concat([pending[source], chunk]);
      const end = joined.length >= size ? joined.length : joined.lastIndexOf(10) + 1;
      for (let at = 0; at < end; at += size) keep(joined.subarray(at, Math.min(end, at + size)));
      // A copy, so that a few waiting bytes do not hold on to a whole read buffer.
      pending[source] = Buffer.from(joined.subarray(end));
    },
    /** All that is kept, readable: no colours, progress bars reduced to their last state. */
    whole,
    /** The last lines of it. */
    text({ maxLines, maxCharacters, redact }: TailBounds): string {
      return lastLines(whole(redact), maxLines, maxCharacters);
    },
  };
}

// Terminal sequences: CSI (colours, cursor), OSC (titles, links) up to its end, character sets, and two-character ones.
const TERMINAL =
  // oxlint-disable-next-line no-control-regex -- these are the characters to remove
  /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[ -/]+[0-~]|[@-_])/g;
// oxlint-disable-next-line no-control-regex -- everything below a space but tab and newline
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F]/g;

function readable(text: string): string {
  return text
    .replace(TERMINAL, "")
    .split("\n")
    .map((line) => lastState(line).replace(CONTROL, ""))
    .join("\n")
    .replace(/^\uFFFD+/, "")
    .trimEnd();
}

/** Of what was written over only the end. */
function lastState(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end -= 1;
  return end === 0 ? "" : line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

/** The end of a text within both bounds. */
export function lastLines(text: string, maxLines: number, maxCharacters: number): string {
  const lines = text.split("\n").slice(-maxLines).join("\n");
  return lines.length > maxCharacters ? `…${lines.slice(1 - maxCharacters)}` : lines;
}
