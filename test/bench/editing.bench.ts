import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAnchors } from "../../src/extras/anchored-edits/anchors.ts";
import { anchorOf, readLines } from "../../src/extras/anchored-edits/lines.ts";
import type { AnchoredEdit } from "../../src/extras/anchored-edits/work-out.ts";
import { isRefusal } from "../../src/lib/refusal.ts";
import { keyed } from "../support/keyed.ts";

/**
 * Replays the changes of a repository's last commits as edits by `edit_gaia` and by a text that is replaced where it stands
 * alone, as OpenCode's `edit` begins; in between someone else has changed one line in ten. Prints what was applied and
 * refused: `npx tsx test/bench/editing.bench.ts [clone] [commits]`, by default this repository. Fails for a wrong edit by anchors.
 */
const [clone = ".", commits = "200"] = process.argv.slice(2);
const MAX_TEXT = 300_000;
const DISTURBED = 0.1;

/** Lines `[from, to]` of the file before, from one, and those that come in their place; `to` is before `from` for none. */
interface Hunk {
  readonly from: number;
  readonly to: number;
  readonly lines: readonly string[];
}

/** A line after the disturbance: which one it was, and whether it is as it was. */
interface Row {
  readonly text: string;
  readonly was: number | null;
  readonly isSame: boolean;
}

type Verdict = "right" | "refused rightly" | "refused although it fits" | "wrong";

let seed = 7;
function random(): number {
  seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
  return seed / 2_147_483_648;
}

const git = (...args: string[]): string =>
  execFileSync("git", ["-C", clone, ...args], {
    encoding: "utf8",
    maxBuffer: 1e9,
    stdio: ["ignore", "pipe", "ignore"],
  });

function hunksOf(base: string, commit: string, path: string): Hunk[] {
  const diff = git("diff", "-U0", "--no-color", "--no-ext-diff", base, commit, "--", path);
  const hunks: { from: number; to: number; lines: string[] }[] = [];
  for (const line of diff.split("\n")) {
    const [, from, count = "1"] = /^@@ -(\d+)(?:,(\d+))? /.exec(line) ?? [];
    if (from !== undefined) {
      const first = Number(from) + (count === "0" ? 1 : 0);
      hunks.push({ from: first, to: first + Number(count) - 1, lines: [] });
    } else if (line.startsWith("+") && hunks.length > 0) hunks.at(-1)?.lines.push(line.slice(1));
  }
  return hunks;
}

/** @param moves whether lines come and go as well, so that those below stand elsewhere */
function disturb(lines: readonly string[], moves: boolean): Row[] {
  return lines.flatMap((text, index): Row[] => {
    const same = { text, was: index + 1, isSame: true };
    if (random() >= DISTURBED) return [same];
    const kind = random();
    if (kind < 0.5 || !moves) return [{ text: `${text} // theirs`, was: index + 1, isSame: false }];
    if (kind < 0.75) return [];
    // Often like another line of the file, as braces and empty lines are.
    return [{ text: lines[Math.floor(random() * lines.length)] ?? "", was: null, isSame: false }, same];
  });
}

/** The file as it should be; null where what the edit is about is not there as it was read. */
function wanted({ from, to, lines }: Hunk, rows: readonly Row[]): string[] | null {
  const touched = to < from ? [from - 1] : Array.from({ length: to - from + 1 }, (_, at) => from + at);
  const places = touched
    .filter((line) => line > 0)
    .map((line) => rows.findIndex(({ was, isSame }) => was === line && isSame));
  if (places.includes(-1)) return null;
  // A line that someone put between two of them is not the author's to remove.
  if (places.some((place, index) => index > 0 && place !== (places[index - 1] ?? 0) + 1)) return null;
  const texts = rows.map(({ text }) => text);
  if (to < from) texts.splice(from === 1 ? 0 : (places[0] ?? 0) + 1, 0, ...lines);
  else texts.splice(places[0] ?? 0, places.length, ...lines);
  return texts;
}

/** A model takes as much of what it has read as stands there once. */
function replaceText({ from, to, lines }: Hunk, read: readonly string[], now: string): string | null {
  const whole = read.join("\n");
  for (let around = to < from ? 1 : 0; around <= 10; around++) {
    const [start, end] = [Math.max(from - 1 - around, 0), Math.min(to + around, read.length)];
    const old = read.slice(start, end);
    const fresh = [...read.slice(start, from - 1), ...lines, ...read.slice(to, end)];
    const text = old.join("\n");
    if (text === "" || whole.split(text).length !== 2) continue;
    return now.split(text).length === 2 ? now.replace(text, () => fresh.join("\n")) : null;
  }
  return null;
}

function judge(result: string | null, fitting: readonly string[] | null): Verdict {
  if (result === null) return fitting === null ? "refused rightly" : "refused although it fits";
  return fitting !== null && result === fitting.join("\n") ? "right" : "wrong";
}

/** A session of its own reads the file as it was, and edits it as it is. @returns the file then; null for a refusal */
async function byAnchors(hunk: Hunk, before: string, now: string, directory: string): Promise<string | null> {
  const path = join(directory, "file.txt");
  await writeFile(path, before);
  const store = { load: async () => ({}), save: () => undefined };
  const anchors = createAnchors({ store, redact: (text) => text, allowSensitive: [] });
  const shown = await anchors.show("s", path);
  const lines = readLines(Buffer.from(before)) ?? [];
  for (const [index, { text }] of lines.entries()) shown?.hashOf(index + 1, text);
  await shown?.done();
  await writeFile(path, now === "" ? "" : `${now}\n`);
  const at = (line: number): string => (line === 0 ? "0" : anchorOf(line, lines[line - 1]?.hash ?? ""));
  const edit: AnchoredEdit =
    hunk.to < hunk.from
      ? { op: "insert_after", from: at(hunk.from - 1), lines: hunk.lines }
      : { op: "replace", from: at(hunk.from), to: at(hunk.to), lines: hunk.lines };
  const place = { directory, project: directory, below: "", standsFor: null, sessionId: "s", agent: "a" };
  const prepared = await anchors.prepare({ file: "file.txt", edits: [edit] }, place);
  if (isRefusal(prepared)) return null;
  const call = {
    sessionId: "s",
    messageId: "m",
    callId: keyed("c"),
    agent: "a",
    abort: new AbortController().signal,
    ask: async () => ({ approved: true }) as const,
    askToEdit: async () => undefined,
  };
  await prepared.run(call, async () => []);
  return (await readFile(path, "utf8")).replace(/\n$/, "");
}

/** Text files that a commit changed, as they were before it. */
function changedBy(commit: string): { name: string; before: string }[] {
  const listed = git("diff-tree", "-r", "--root", "--no-renames", "--diff-filter=M", "--name-only", commit);
  return listed
    .split("\n")
    .slice(1)
    .filter(Boolean)
    .flatMap((name) => {
      const before = textBefore(commit, name);
      const isText = before.endsWith("\n") && before.length <= MAX_TEXT && !/[\0\r]/.test(before);
      return isText ? [{ name, before }] : [];
    });
}

/** Empty for a submodule, and before the first commit. */
function textBefore(commit: string, name: string): string {
  try {
    return git("show", `${commit}^:${name}`);
  } catch {
    return "";
  }
}

const directory = await mkdtemp(join(tmpdir(), "gaia-replay-"));
const tally = new Map<string, number>();
const count = (key: string): void => void tally.set(key, (tally.get(key) ?? 0) + 1);
const shas = git("log", "--no-merges", `-${commits}`, "--format=%H").trim().split("\n");
let files = 0;
for (const commit of shas) {
  for (const { name, before } of changedBy(commit)) {
    files += 1;
    const read = before.slice(0, -1).split("\n");
    const cases = hunksOf(`${commit}^`, commit, name).flatMap((hunk) =>
      [false, true].map((moves) => ({ hunk, moves })),
    );
    for (const { hunk, moves } of cases) {
      const rows = disturb(read, moves);
      const now = rows.map(({ text }) => text).join("\n");
      const fitting = wanted(hunk, rows);
      const among = moves ? "lines changed, gone and added" : "lines changed";
      count(`${among}: edit: ${judge(replaceText(hunk, read, now), fitting)}`);
      count(`${among}: edit_gaia: ${judge(await byAnchors(hunk, before, now, directory), fitting)}`);
    }
  }
}
await rm(directory, { recursive: true, force: true });
console.log(`${shas.length} commits, ${files} files`);
for (const key of [...tally.keys()].toSorted((one, other) => one.localeCompare(other)))
  console.log(`${key.padEnd(72)} ${tally.get(key)}`);
if ([...tally.keys()].some((key) => key.endsWith("edit_gaia: wrong"))) process.exitCode = 1;
