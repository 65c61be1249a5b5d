import { createHash } from "node:crypto";
import type { FilePlace, PreparedCall } from "../../host/tool.ts";
import type { Redactor } from "../../lib/redaction.ts";
import { isRefusal, type Refusal, refuse } from "../../lib/error.ts";
import { prepareChange } from "../changes/change.ts";
import { type LineChange, lineChanges } from "../../lib/line-diff.ts";
import { locate } from "../changes/locate.ts";
import { anchorOf, type FileLine, readLines } from "./lines.ts";
import { findStale, workOutEdits } from "./work-out.ts";
import { readHead, readRegular } from "../../lib/read-source.ts";
import type { ANCHORED_EDITS, CallOf } from "../announced.ts";

interface AnchorsInput {
  readonly redact: Redactor;
  readonly allowSensitive: readonly string[];
}

/** A file above this is generated, or no text. */
const MAX_BYTES = 5_000_000;
const MAX_LINES = 60;
/** Characters of a line that the host's reading shows whole; of a longer one there is no more than a part, without an anchor. */
const MAX_WHOLE = 2_000;
const MAX_PART = 100;
const BY_COMMAND = "Change it with a command.";
const AROUND = 3;
/** Files of sessions that are remembered; the oldest go, and are to be read again. */
const MAX_SEEN = 2_000;

interface SeenFile {
  /** Of the file's content when it was last shown; of another content nothing is known. */
  readonly version: string;
  /** Of the lines that were shown. */
  readonly hashes: Set<string>;
}

/** Edits of one file by the lines that a reading of it showed. */
export function createAnchors({ redact, allowSensitive }: AnchorsInput) {
  /** By session and file: nothing is replaced that its author has not seen as it is. */
  const seen = new Map<string, SeenFile>();
  const remember = (key: string, file: SeenFile): void => {
    seen.delete(key);
    seen.set(key, file);
    const [oldest = ""] = seen.keys();
    if (seen.size > MAX_SEEN) seen.delete(oldest);
  };
  /** Of lines that an answer shows, those that nothing is hidden of. */
  const wholeOnes = (numbers: readonly number[], lines: readonly FileLine[]): string[] =>
    numbers.flatMap((number) => {
      const { text = "", hash = "" } = lines[number - 1] ?? {};
      return text.length <= MAX_WHOLE && redact(text) === text ? [hash] : [];
    });
  return {
    /**
     * The lines of a file as they stand there, for a session that is shown them.
     * @returns the hash of a line, null for one that is shown in another form or in part; null for a file without lines to name
     */
    async show(sessionId: string, path: string) {
      const bytes = await readRegular(path, MAX_BYTES);
      const lines = bytes === null ? null : readLines(bytes);
      if (bytes === null || lines === null) return null;
      const [key, version] = [keyOf(sessionId, path), versionOf(bytes)];
      const known = seen.get(key);
      const hashes = known?.version === version ? known.hashes : new Set<string>();
      remember(key, { version, hashes });
      return (line: number, text: string): string | null => {
        const found = lines[line - 1];
        if (found?.text !== text) return null;
        hashes.add(found.hash);
        return found.hash;
      };
    },
    async prepare(
      { file, edits }: CallOf<typeof ANCHORED_EDITS>,
      place: FilePlace,
    ): Promise<PreparedCall | Refusal> {
      const located = locate(file, place, allowSensitive);
      if (isRefusal(located)) return located;
      const { path, name } = located;
      const key = keyOf(place.sessionId, path);
      if ((await readHead(path, 0)) === null)
        return refuse(`There is no file ${name}.`, "write makes new files.");
      const before = await readRegular(path, MAX_BYTES);
      const lines = before === null ? null : readLines(before);
      if (before === null || lines === null)
        return refuse(`${name} is no UTF-8 text of at most 5 MB.`, BY_COMMAND);
      // A reading counts these as ends of lines, which they are to nobody else.
      if (lines.some(({ text }) => text.includes("\r")))
        return refuse(`${name} has carriage returns that end no line.`, BY_COMMAND);
      const known = seen.get(key);
      if (known === undefined) return refuse(`${name} was not read in this session.`, "Read it first.");
      const found = findStale(edits, lines);
      const version = versionOf(before);
      const isOther = known.version !== version;
      if (isOther || found.stale.length > 0) {
        const why = [
          ...(isOther ? ["It has changed since it was read."] : []),
          ...found.stale.map((anchor) => `${anchor} is stale.`),
        ];
        const fresh = windows(found.lines, lines);
        const kept = isOther ? [] : known.hashes;
        remember(key, { version, hashes: new Set([...kept, ...wholeOnes(fresh, lines)]) });
        const shown = fresh.length === 0 ? "" : ` As it is now:\n${render(fresh, lines)}`;
        return refuse(`${name}: ${why.join(" ")} Nothing was changed.${shown}`);
      }
      const after = workOutEdits(edits, before, lines, ({ hash }) => known.hashes.has(hash));
      if (typeof after === "string") return refuse(`${name}: ${after}`, "Nothing was changed.");
      if (after.equals(before)) return refuse(`${name} reads like that already.`, "Nothing was changed.");
      return prepareChange([{ ...located, before, after }], {
        title: name,
        tell() {
          const now = readLines(after) ?? [];
          const changes = lineChanges(lines.map(textOf), now.map(textOf));
          const wrote = changes.flatMap(({ line, came }) => now.slice(line - 1, line - 1 + came));
          // The line behind a change has another hash as well.
          const changed = changes.flatMap(({ line, came }) =>
            Array.from({ length: Math.min(came, MAX_LINES) + 1 }, (_, at) => line + at),
          );
          const shown = windows(changed, now, 1);
          const hashes = [...known.hashes, ...wrote.map(({ hash }) => hash), ...wholeOnes(shown, now)];
          remember(key, { version: versionOf(after), hashes: new Set(hashes) });
          return report(name, changes, shown, now);
        },
      });
    },
  };
}

export type Anchors = ReturnType<typeof createAnchors>;

function keyOf(sessionId: string, path: string): string {
  return `${sessionId}\0${path}`;
}

function versionOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url");
}

function textOf({ text }: FileLine): string {
  return text;
}

function report(
  name: string,
  changes: readonly LineChange[],
  shown: readonly number[],
  now: readonly FileLine[],
): string {
  const moves = changes
    .filter(({ came, went }) => came !== went)
    .map(({ was, came, went }) => `after ${was + went - 1} by ${came > went ? "+" : ""}${came - went}`);
  const moved = moves.length === 0 ? "" : ` Lines moved: ${moves.join(", ")}.`;
  const isNow = now.length === 0 ? "It is empty now." : `As it is now:\n${render(shown, now)}`;
  return `Changed ${name}.${moved} ${isNow}`;
}

/** These lines with some around them, in their order. */
function windows(numbers: readonly number[], lines: readonly FileLine[], margin = AROUND): number[] {
  const wanted = new Set<number>();
  for (const each of numbers) {
    const number = Math.min(each, lines.length);
    for (let at = number - margin; at <= number + margin; at++)
      if (at >= 1 && at <= lines.length) wanted.add(at);
  }
  return [...wanted].toSorted((one, other) => one - other).slice(0, MAX_LINES);
}

function render(numbers: readonly number[], lines: readonly FileLine[]): string {
  return numbers
    .map((number, index) => {
      const { hash = "", text = "" } = lines[number - 1] ?? {};
      const gap = index > 0 && numbers[index - 1] !== number - 1 ? "…\n" : "";
      return text.length > MAX_WHOLE
        ? `${gap}${number}: ${text.slice(0, MAX_PART)}… (${text.length} characters: only a command changes it)`
        : `${gap}${anchorOf(number, hash)}: ${text}`;
    })
    .join("\n");
}
