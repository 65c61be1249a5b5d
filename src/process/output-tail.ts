type Source = "stdout" | "stderr";

/** Bytes kept while a command runs; more than is shown, because colours and progress bars are cut away later. */
const KEPT_BYTES = 32_768;

interface TailBounds {
  maxLines: number;
  maxCharacters: number;
  /** Applied before the cut, which could otherwise leave half of a secret that is no longer recognised. */
  redact?: (text: string) => string;
}

/**
 * Keeps the end of an output of any size in a fixed amount of memory: a ring of the last 32 KB. stdout and stderr are
 * joined line by line, in order of arrival, so that a half-written line of one is not torn by the other.
 */
export function createOutputTail() {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  const pending: Record<Source, Buffer> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) };

  const keep = (bytes: Buffer): void => {
    kept.push(bytes);
    keptBytes += bytes.length;
    if (keptBytes < 2 * KEPT_BYTES) return;
    kept = [lastBytes(Buffer.concat(kept))];
    keptBytes = KEPT_BYTES;
  };

  return {
    write(source: Source, chunk: Buffer): void {
      const joined = lastBytes(Buffer.concat([pending[source], lastBytes(chunk)]));
      const end = joined.length === KEPT_BYTES ? joined.length : joined.lastIndexOf(10) + 1;
      if (end > 0) keep(joined.subarray(0, end));
      // A copy, so that a few waiting bytes do not hold on to a whole read buffer.
      pending[source] = Buffer.from(joined.subarray(end));
    },
    /** The last lines, readable: no colours, progress bars reduced to their last state. */
    text({ maxLines, maxCharacters, redact }: TailBounds): string {
      const all = lastBytes(Buffer.concat([...kept, pending.stdout, pending.stderr]));
      const text = readable(all.toString("utf8"));
      return lastLines(redact?.(text) ?? text, maxLines, maxCharacters);
    },
  };
}

function lastBytes(bytes: Buffer): Buffer {
  return bytes.length > KEPT_BYTES ? bytes.subarray(bytes.length - KEPT_BYTES) : bytes;
}

// Terminal sequences: CSI (colours, cursor), OSC (titles, links) up to its end, and two-character ones.
// oxlint-disable-next-line no-control-regex -- these are the characters to remove
const TERMINAL = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[@-_])/g;
// oxlint-disable-next-line no-control-regex -- everything below a space but tab and newline
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F]/g;

function readable(text: string): string {
  return text
    .replace(TERMINAL, "")
    .split(/\r*\n/)
    .map((line) => line.slice(line.replace(/\r+$/, "").lastIndexOf("\r") + 1).replace(CONTROL, ""))
    .join("\n")
    .replace(/^\uFFFD+/, "")
    .trimEnd();
}

function lastLines(text: string, maxLines: number, maxCharacters: number): string {
  const lines = text.split("\n").slice(-maxLines).join("\n");
  return lines.length > maxCharacters ? `…${lines.slice(1 - maxCharacters)}` : lines;
}
