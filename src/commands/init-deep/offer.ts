import { failureForPerson } from "../../lib/for-person.ts";
import { realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, relative, sep } from "node:path";
import type { Offer } from "../../conversation/questions/offers.ts";
import { describeError } from "../../lib/error.ts";
import { findBelow, type Search } from "../../lib/find-below.ts";
import { parsePattern } from "../../lib/path-pattern.ts";
import { pathIn } from "../../lib/path-in.ts";
import { readSource } from "../../lib/read-source.ts";
import type { Runtime } from "../../runtime.ts";
import { pickQuestion } from "../setup/define.ts";
import { countOf, hasBlock, type Sections, writeBlock } from "./block.ts";
import { type KnownByFolder, sortByFolder } from "./facts.ts";

const FILE = "AGENTS.md";
const HEADER = "AGENTS.md";
const MOST = 7;
/** How long the checks may take before the file is written without them, in milliseconds. */
const CHECKS_MS = 10 * 60_000;
/** How far files that were written before are looked for: folders that are read, and milliseconds. */
const MAX_FOLDERS = 5_000;
const SEARCH_MS = 3_000;

interface Target {
  /** Relative to the project; `.` is the project itself. */
  readonly folder: string;
  readonly known: readonly string[];
  /** Something was written there before. */
  readonly isKept: boolean;
}

/** What there is to write, as a question for the user; a text says why there is nothing. */
export async function prepareDeepInit(runtime: Runtime, below: string): Promise<Offer | string> {
  const { host, workspace, knowledge, memory } = runtime;
  const { project } = host;
  const named = (await pathIn(project, host.directory, below)) ?? below;
  const top = below === "" ? "." : normalize(named).replace(/\/$/, "");
  if (isAbsolute(top) || top.split(sep)[0] === "..") return `${below} is not in this project.`;
  if ((await stat(join(project, top)).catch(() => null))?.isDirectory() !== true)
    return `${below} is no folder of this project.`;
  // What could not be read would be taken out of the files as no longer so.
  const learned = await workspace.readLearnings();
  if (!learned.ok) return failureForPerson(learned);
  const entries = await knowledge.all().catch((error: unknown) => describeError(error));
  if (typeof entries === "string") return `What is known cannot be read: ${entries}`;
  const accepted = entries.filter(({ scope, standing }) => scope === "project" && standing === "accepted");
  const tell = await memory.confidenceOfLearnings();
  const learnings = learned.learnings.map((learning) => {
    const confidence = tell(learning);
    // What is sure enough needs no figure that grows old in a file.
    return { ...learning, doubt: confidence.startsWith("low") ? confidence : "" };
  });
  const known = await sortByFolder(project, learnings, accepted);
  const targets = await findTargets(runtime, known, top);
  const commands = top === "." ? await runtime.verifier.commands() : [];
  const shown = targets.filter(
    ({ folder, known: lines, isKept }) =>
      lines.length > 0 || isKept || (folder === "." && commands.length > 0),
  );
  if (shown.length === 0)
    return "Nothing is known that the code does not show: no learnings, no accepted knowledge, no Definition of Done.";
  const { question, read } = pickQuestion(
    HEADER,
    "Which AGENTS.md should say what the code does not show? Your own lines stay; commands are run first, and only those that pass are written.",
    shown.slice(0, MOST),
    ({ folder, known: lines, isKept }) => ({
      label: join(folder, FILE),
      description: describe(lines, isKept, folder === "." ? commands.length : 0),
    }),
  );
  return {
    header: HEADER,
    questions: [question],
    async settle(answers) {
      const told: string[] = [];
      for (const target of read(answers[0] ?? [])?.picked ?? []) told.push(await write(runtime, target));
      return told.length === 0 ? "They chose nothing." : told.join(" ");
    },
  };
}

function describe(lines: readonly string[], isKept: boolean, commands: number): string {
  const parts = [
    ...(commands > 0 ? [`${commands} ${commands === 1 ? "check" : "checks"} to run`] : []),
    ...(lines.length > 0
      ? [`${lines.length} known: ${lines[0]}`]
      : isKept
        ? ["what was written no longer holds"]
        : []),
  ];
  return parts.join(" · ").slice(0, 160);
}

/** The folders with something to say, and those where something was said before, the top one first. */
async function findTargets({ host, clock }: Runtime, known: KnownByFolder, top: string): Promise<Target[]> {
  const isBelow = (folder: string): boolean => top === "." || folder === top || folder.startsWith(`${top}/`);
  const folders = new Set([
    top,
    ...[...known.keys()].filter(isBelow),
    ...(await writtenBefore(host.project, top)),
  ]);
  const targets = await Promise.all(
    [...folders].map(async (folder): Promise<Target> => {
      const file = await readSource(join(host.project, folder, FILE), clock);
      const isKept = file.state === "read" && hasBlock(Buffer.from(file.bytes).toString("utf8"));
      return { folder, known: known.get(folder) ?? [], isKept };
    }),
  );
  const rank = ({ folder, known: lines }: Target): number => (folder === top ? Infinity : lines.length);
  return targets.toSorted((one, other) => rank(other) - rank(one) || (one.folder < other.folder ? -1 : 1));
}

/** Folders that have an AGENTS.md, at any depth. */
async function writtenBefore(project: string, top: string): Promise<string[]> {
  const search: Search = { foldersLeft: MAX_FOLDERS, signal: AbortSignal.timeout(SEARCH_MS) };
  const folders: string[] = [];
  for (const steps of parsePattern(`**/${FILE}`) ?? [])
    for await (const path of findBelow(join(project, top), steps, search))
      folders.push(relative(project, dirname(path)) || ".");
  return folders;
}

async function write(runtime: Runtime, { folder, known }: Target): Promise<string> {
  const shown = join(folder, FILE);
  try {
    const sections: Sections = {
      ...(folder === "." ? { "Commands that pass": await passing(runtime) } : {}),
      "What the code does not show": known.map((line) => runtime.memory.redact(line)),
    };
    const path = await placeOf(runtime.host.project, folder);
    if (path === null) return `${shown} was not written: it leads out of the project.`;
    const file = await readSource(path, runtime.clock);
    if (file.state === "failed") return `${shown} was not written: it ${file.message}.`;
    const text = file.state === "read" ? Buffer.from(file.bytes).toString("utf8") : "";
    if (file.state === "read" && !Buffer.from(text).equals(file.bytes))
      return `${shown} was not written: it is no text in UTF-8.`;
    const written = writeBlock(text, sections);
    if (!written.ok) return `${shown} was not written: ${written.why}.`;
    if (written.text === text) return `${shown} says it already.`;
    await replaceFile(path, written.text);
    const left = written.left === 0 ? "" : `, ${written.left} more had no room in 200 lines`;
    const added = countOf(sections) - written.left;
    return `${shown} was written: ${added} ${added === 1 ? "line" : "lines"}${left}.`;
  } catch (error) {
    return `${shown} was not written: ${describeError(error)}`;
  }
}

/** The checks that pass on the files as they are now; what is proven already does not run again. */
async function passing({ verifier }: Runtime): Promise<string[]> {
  const ran = await verifier.open().verify({ by: "user", signal: AbortSignal.timeout(CHECKS_MS) });
  if (ran.kind !== "ran") return [];
  const passed = ran.report.checks.filter(({ status }) => status === "passed");
  return passed.map(({ id, command }) => `${id}: \`${command}\``);
}

/** Where a file really is, links followed; null outside of the project. */
async function placeOf(project: string, folder: string): Promise<string | null> {
  const real = await realpath(project);
  const path = join(await realpath(join(project, folder)), FILE);
  const end = await realpath(path).catch(() => path);
  const inside = relative(real, end);
  return inside.split(sep)[0] === ".." || isAbsolute(inside) ? null : end;
}

/** All or nothing: nobody ever reads half of it. */
async function replaceFile(path: string, text: string): Promise<void> {
  const fresh = `${path}.gaia-${process.pid}`;
  try {
    const mode = (await stat(path).catch(() => null))?.mode;
    await writeFile(fresh, text, { flag: "wx", ...(mode === undefined ? {} : { mode }) });
    await rename(fresh, path);
  } finally {
    await rm(fresh, { force: true });
  }
}
