import type { FilePlace, PreparedCall } from "../../host/tool.ts";
import type { Redactor } from "../../lib/redaction.ts";
import { isRefusal, type Refusal, refuse } from "../../lib/refusal.ts";
import { prepareChange } from "../changes/change.ts";
import { type LineChange, lineChanges } from "../../lib/line-diff.ts";
import { locate } from "../changes/locate.ts";
import { anchorOf, type FileLine, parseAnchor, readLines, versionOf } from "./lines.ts";
import { type AnchoredEdit, workOutEdits } from "./work-out.ts";
import { readHead, readRegular } from "../../lib/read-source.ts";

export interface AnchoredCall {
  readonly file: string;
  readonly edits: readonly AnchoredEdit[];
}

export interface AnchorsInput {
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
/** Sessions whose readings are remembered, and files of one; the oldest go, and are to be read again. */
const MAX_SESSIONS = 100;
const MAX_FILES = 60;

/** What a session was shown of a file: nothing is replaced that its author has not seen as it is. */
interface SeenFile {
  /** Of the file's content when it was last shown; of another content nothing is known. */
  readonly version: string;
  /** Of lines by what they say and, for several may say the same, by their anchors. */
  readonly hashes: ReadonlySet<string>;
}

/** Edits of one file by the lines that a reading of it showed. */
export function createAnchors({ redact, allowSensitive }: AnchorsInput) {
  const sessions = new Map<string, Map<string, SeenFile>>();
  const remember = (sessionId: string, path: string, file: SeenFile): void => {
    const files = sessions.get(sessionId) ?? new Map<string, SeenFile>();
    putNewest(files, path, file, MAX_FILES);
    putNewest(sessions, sessionId, files, MAX_SESSIONS);
  };
  const seenIn = (sessionId: string, path: string): SeenFile | undefined =>
    sessions.get(sessionId)?.get(path);
  /** Lines that were shown just now, beside those of the same content. */
  const add = (sessionId: string, path: string, { version, hashes }: SeenFile): void => {
    const before = seenIn(sessionId, path);
    const kept = before?.version === version ? before.hashes : [];
    remember(sessionId, path, { version, hashes: new Set([...kept, ...hashes]) });
  };
  return {
    /**
     * The lines of a file as they stand there, for a session that is shown them.
     * @returns what gives each line its hash where it is shown as it is; null for a file without lines to name
     */
    async show(sessionId: string, path: string) {
      const bytes = await readRegular(path, MAX_BYTES);
      const lines = bytes === null ? null : readLines(bytes);
      if (bytes === null || lines === null) return null;
      const hashes = new Set<string>();
      return {
        /** Null for a line that is shown in another form, or in part: a model that sees that has not seen it. */
        hashOf(line: number, text: string): string | null {
          const found = lines[line - 1];
          if (found?.text !== text) return null;
          for (const each of seenAs(line, found.hash)) hashes.add(each);
          return found.hash;
        },
        /** What was shown counts as seen from here on. */
        done: (): void => add(sessionId, path, { version: versionOf(bytes), hashes }),
      };
    },
    async prepare({ file, edits }: AnchoredCall, place: FilePlace): Promise<PreparedCall | Refusal> {
      const located = locate(file, place, allowSensitive);
      if (isRefusal(located)) return located;
      const { path, name } = located;
      const { sessionId } = place;
      if ((await readHead(path, 0)) === null)
        return refuse(`There is no file ${name}.`, "write makes new files.");
      const before = await readRegular(path, MAX_BYTES);
      const lines = before === null ? null : readLines(before);
      if (before === null || lines === null)
        return refuse(`${name} is no UTF-8 text of at most 5 MB.`, BY_COMMAND);
      // A reading counts these as ends of lines, which they are to nobody else.
      if (lines.some(({ text }) => text.includes("\r")))
        return refuse(`${name} has carriage returns that end no line.`, BY_COMMAND);
      const known = seenIn(sessionId, path);
      if (known === undefined) return refuse(`${name} was not read in this session.`, "Read it first.");
      const version = versionOf(before);
      const worked = workOutEdits(edits, before, lines, known.version === version ? known.hashes : null);
      if (worked.kind === "wrong") return refuse(`${name}: ${worked.why}`, "Nothing was changed.");
      if (worked.kind === "stale") {
        const fresh = windows(worked.lines, lines);
        add(sessionId, path, { version, hashes: plainOnes(fresh, lines) });
        const shown = fresh.length === 0 ? "" : ` As it is now:\n${render(fresh, lines)}`;
        return refuse(`${name}: ${worked.why} Nothing was changed.${shown}`);
      }
      const { after } = worked;
      if (after.equals(before)) return refuse(`${name} reads like that already.`, "Nothing was changed.");
      const change = { ...located, before, after };
      return prepareChange([change], place, {
        title: name,
        tell([made = change]) {
          const now = readLines(Buffer.from(made.after)) ?? [];
          const [old, meant] = [hashesOf(lines), hashesOf(readLines(after) ?? [])];
          const all = lineChanges(old, hashesOf(now));
          const shown = around(all, now);
          // What the author wrote is known to the author; what a formatter made of it is not.
          const wrote = lineChanges(old, meant)
            .flatMap(cameIn)
            .flatMap((line) => {
              const hash = meant[line - 1] ?? "";
              return now[line - 1]?.hash === hash ? seenAs(line, hash) : [hash];
            });
          const held = [...(seenIn(sessionId, path)?.hashes ?? known.hashes)].flatMap((each) =>
            moved(each, all),
          );
          remember(sessionId, path, {
            version: versionOf(made.after),
            hashes: new Set([...held, ...wrote, ...plainOnes(shown, now)]),
          });
          return report(name, all, shown, now);
        },
      });
    },
  };

  /** Of what is shown, the lines that nothing is hidden of. */
  function plainOnes(numbers: readonly number[], lines: readonly FileLine[]): Set<string> {
    const seen = numbers.flatMap((number) => {
      const { text, hash } = lines[number - 1] ?? { text: "", hash: "" };
      const isPlain = text.length <= MAX_WHOLE && redact(text) === text;
      return hash !== "" && isPlain ? seenAs(number, hash) : [];
    });
    return new Set(seen);
  }
}

export type Anchors = ReturnType<typeof createAnchors>;

/** What is noted of a line that was shown. */
function seenAs(line: number, hash: string): string[] {
  return [hash, anchorOf(line, hash)];
}

/** The same after changes; nothing of a line that these replaced. */
function moved(seen: string, changes: readonly LineChange[]): string[] {
  const anchor = seen.includes("#") ? parseAnchor(seen) : null;
  if (anchor === null) return [seen];
  let by = 0;
  for (const { was, went, came } of changes) {
    if (anchor.line >= was + went) by += came - went;
    else if (anchor.line >= was) return [];
  }
  return [anchorOf(anchor.line + by, anchor.hash)];
}

function hashesOf(lines: readonly FileLine[]): string[] {
  return lines.map(({ hash }) => hash);
}

function putNewest<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}

function cameIn({ line, came }: LineChange): number[] {
  return Array.from({ length: came }, (_, at) => line + at);
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

function around(changes: readonly LineChange[], now: readonly FileLine[]): number[] {
  return windows(
    changes.flatMap((change) => [change.line, ...cameIn(change).slice(0, MAX_LINES)]),
    now,
    1,
  );
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
