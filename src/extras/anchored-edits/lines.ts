import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";

export interface FileLine {
  /** Without its end and without a byte order mark. */
  readonly text: string;
  /** Bytes `[start, end)`, its end included. */
  readonly start: number;
  readonly end: number;
  /** Empty where the file ends without one. */
  readonly lineEnd: "" | "\n" | "\r\n";
  /** Of the line and the one before it: lines that read alike are told apart, wherever they have moved to. */
  readonly hash: string;
}

const BOM = Buffer.from("\uFEFF");
/** Four letters or digits: of two lines, one in 1.7 million is taken for the other. */
const LETTERS = 36 ** 4;

/** The lines of a text file; null for one that is no UTF-8, which nothing here can write back as it was. */
export function readLines(bytes: Buffer): FileLine[] | null {
  if (!isUtf8(bytes)) return null;
  const lines: FileLine[] = [];
  for (let start = startOf(bytes); start < bytes.length;) {
    const found = bytes.indexOf("\n", start);
    const end = found === -1 ? bytes.length : found + 1;
    const lineEnd = found === -1 ? "" : bytes[found - 1] === 0x0d && found > start ? "\r\n" : "\n";
    const text = bytes.toString("utf8", start, end - lineEnd.length);
    lines.push({ text, start, end, lineEnd, hash: hashOf(`${lines.at(-1)?.text ?? ""}\n${text}`) });
    start = end;
  }
  return lines;
}

/** Where the text begins, behind a byte order mark. */
export function startOf(bytes: Buffer): number {
  return bytes.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
}

/** `12#k3f9`, as a line is called. */
export function anchorOf(line: number, hash: string): string {
  return `${line}#${hash}`;
}

/** A line's number and hash, from one; null for another text. `0` stands for the place before the first. */
export function parseAnchor(text: string): { readonly line: number; readonly hash: string } | null {
  const [, line = "", hash = ""] = /^\s*(\d{1,7})(?:#([a-z0-9]{4}))?(?::.*)?\s*$/su.exec(text) ?? [];
  if (line === "" || (hash === "" && Number(line) !== 0)) return null;
  return { line: Number(line), hash };
}

function hashOf(text: string): string {
  const number = createHash("sha256").update(text).digest().readUInt32BE(0) % LETTERS;
  return number.toString(36).padStart(4, "0");
}
