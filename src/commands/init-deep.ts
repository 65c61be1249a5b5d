import { lstat, realpath, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, sep } from "node:path";
import type { Offer } from "../conversation/questions/questions.ts";
import type { JudgedEntry } from "../record/knowledge.ts";
import { counted } from "../lib/figures.ts";
import { describeError } from "../lib/error.ts";
import { isInFolder } from "../lib/folders.ts";
import { pathIn } from "../lib/path-in.ts";
import { readSource } from "../lib/read-source.ts";
import type { Runtime } from "../runtime.ts";
import { editLines, type Markdown, parseMarkdown, renderMarkdown } from "../lib/markdown.ts";
import { writeFileAtomic } from "../record/store.ts";
import { offerPicks } from "./setup.ts";

/** Between these stands what is written; everything else in the file is people's. */
export const BEGIN = "<!-- gaia:begin -->";
export const END = "<!-- gaia:end -->";

/** What is known is told in so many lines of a file at most: all who work there read them. */
const MAX_KNOWN = 60;

type Written = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

type Sections = Readonly<Record<string, readonly string[]>>;

export function hasOwnBlock(text: string): boolean {
  return marksIn(parseMarkdown(text), BEGIN).length > 0;
}

/** Puts sections between the marks of a file; every other line stays. */
export function writeBlock(text: string, sections: Sections): Written {
  const document = parseMarkdown(text.trim() === "" ? "" : text);
  const { lines: all, kinds, unclosed } = document;
  const [begins, ends] = [marksIn(document, BEGIN), marksIn(document, END)];
  const isNew = begins.length + ends.length === 0;
  const [from = all.length] = begins;
  const [to = from - 1] = ends;
  if (begins.length > 1 || begins.length !== ends.length || (!isNew && to < from))
    return { ok: false, why: `its marks ${BEGIN} and ${END} are not one pair: put that right by hand` };
  if (isNew && unclosed !== null && kinds[unclosed.line] === "code")
    return {
      ok: false,
      why: `the code in line ${unclosed.line + 1} of it has no end: put that right by hand`,
    };
  const isBlankAt = (at: number): boolean => (all[at]?.text ?? "").trim() === "";
  const gap = isNew && !isBlankAt(from - 1) ? [""] : [];
  const count = to - from + 1;
  const lines = Object.entries(sections)
    .filter(([, texts]) => texts.length > 0)
    .flatMap(([heading, texts]) => ["", `## ${heading}`, "", ...texts.map((each) => `- ${safe(each)}`)])
    .slice(1);
  if (lines.length > 0) {
    const written = editLines(document, from, count, [...gap, BEGIN, ...lines, END]);
    return { ok: true, text: renderMarkdown(written) };
  }
  if (isNew) return { ok: true, text };
  // The empty line that stood between it and what stays goes with it.
  const isApart = isBlankAt(from - 1) && isBlankAt(to + 1);
  const start = isApart ? Math.max(0, from - 1) : from;
  const rest = editLines(document, start, isApart && from === 0 ? count + 1 : to - start + 1, []);
  return { ok: true, text: renderMarkdown(rest) };
}

function marksIn({ lines, kinds }: Markdown, mark: string): number[] {
  return lines.flatMap(({ text }, at) => (text.trim() === mark && kinds[at] === "comment" ? [at] : []));
}

/** On one line, and neither end of a comment in it. */
function safe(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("<!--", "<! --").replaceAll("-->", "-- >").trim();
}

/** What is known and the code does not show, by the folder that it is about; `.` is the project. */
type KnownByFolder = ReadonlyMap<string, readonly string[]>;

/** Sorts what is known by the folders whose files it is about; what is only about files that are gone is out of date. */
export async function sortByFolder(
  project: string,
  known: readonly Pick<JudgedEntry, "kind" | "body" | "about">[],
): Promise<KnownByFolder> {
  const found = new Map<string, string[]>();
  for (const { kind, body, about } of known) {
    const folder = await folderOf(project, about);
    if (folder === null) continue;
    const line = `${kind.replaceAll("_", " ")}: ${body.replace(/^#+\s+/, "")}`;
    found.set(folder, [...(found.get(folder) ?? []), line]);
  }
  return found;
}

/** The folder that all existing files share; null where there are some and none of them is there. */
async function folderOf(project: string, about: readonly string[]): Promise<string | null> {
  const paths = about.map((path) => normalize(path)).filter(isInside);
  const folders = (await Promise.all(paths.map(async (path) => existing(project, path)))).filter(
    (folder) => folder !== null,
  );
  if (folders.length > 0) return folders.reduce(shared);
  // A tag need not be a file; a path with a folder in it is meant as one.
  return paths.some((path) => path.includes("/")) ? null : ".";
}

function isInside(path: string): boolean {
  return !isAbsolute(path) && ![".git", ".gaia", "node_modules", ".."].includes(path.split("/")[0] ?? "");
}

async function existing(project: string, path: string): Promise<string | null> {
  const found = await lstat(join(project, path)).catch(() => null);
  if (found === null) return null;
  return found.isDirectory() ? path.replace(/\/$/, "") : dirname(path);
}

function shared(one: string, other: string): string {
  const [left, right] = [one.split("/"), other.split("/")];
  const count = left.findIndex((part, at) => part !== right[at]);
  return (count === -1 ? left : left.slice(0, count)).join("/") || ".";
}

const FILE = "AGENTS.md";
const HEADER = "AGENTS.md";
const MOST = 7;
/** How long the checks may take before the file is written without them, in milliseconds. */
const CHECKS_MS = 10 * 60_000;

interface Target {
  readonly folder: string;
  readonly known: readonly string[];
  readonly isKept: boolean;
}

/** What there is to write, as a question for the user; a text says why there is nothing. */
export async function prepareDeepInit(runtime: Runtime, below: string): Promise<Offer | string> {
  const { host, knowledge } = runtime;
  const { project } = host;
  const named = (await pathIn(project, host.directory, below)) ?? below;
  const top = below === "" ? "." : normalize(named).replace(/\/$/, "");
  if (isAbsolute(top) || top.split(sep)[0] === "..") return `${below} is not in this project.`;
  if ((await stat(join(project, top)).catch(() => null))?.isDirectory() !== true)
    return `${below} is no folder of this project.`;
  // What could not be read would be taken out of the files as no longer so.
  const entries = await knowledge.all().catch((error: unknown) => describeError(error));
  if (typeof entries === "string") return `What is known cannot be read: ${entries}`;
  const accepted = entries.filter(({ standing }) => standing === "accepted");
  const known = await sortByFolder(project, accepted);
  const targets = await findTargets(runtime, known, top);
  const commands = top === "." ? await runtime.verifier.commands() : [];
  const shown = targets.filter(
    ({ folder, known: lines, isKept }) =>
      lines.length > 0 || isKept || (folder === "." && commands.length > 0),
  );
  if (shown.length === 0)
    return "Nothing is known that the code does not show: nothing that you accepted, no Definition of Done.";
  const { question, settle } = offerPicks(
    HEADER,
    "Which AGENTS.md should say what the code does not show? Your own lines stay; commands are run first, and only those that pass are written.",
    shown.slice(0, MOST),
    ({ folder, known: lines, isKept }) => ({
      label: join(folder, FILE),
      description: describeTarget(lines, isKept, folder === "." ? commands.length : 0),
    }),
    async ({ picked }) => {
      const told: string[] = [];
      for (const target of picked) told.push(await writeFileOf(runtime, target));
      return told.join(" ");
    },
  );
  return {
    header: HEADER,
    questions: [question],
    settle: async ([labels = []]) => (await settle(labels)) || "They chose nothing.",
  };
}

function describeTarget([first, ...more]: readonly string[], isKept: boolean, commands: number): string {
  const gone = isKept ? "what was written no longer holds" : "";
  const known = first === undefined ? gone : `${1 + more.length} known: ${first}`;
  const checks = commands > 0 ? `${counted(commands, "check")} to run` : "";
  return [checks, known].filter(Boolean).join(" · ").slice(0, 160);
}

/** The folders with something to say, the one that was named first: what was said there before may hold no more. */
async function findTargets({ host, clock }: Runtime, known: KnownByFolder, top: string): Promise<Target[]> {
  const isBelow = (folder: string): boolean => top === "." || folder === top || folder.startsWith(`${top}/`);
  const folders = new Set([top, ...[...known.keys()].filter(isBelow)]);
  const targets = await Promise.all(
    [...folders].map(async (folder): Promise<Target> => {
      const file = await readSource(join(host.project, folder, FILE), clock);
      const isKept = file.state === "read" && hasOwnBlock(Buffer.from(file.bytes).toString("utf8"));
      return { folder, known: known.get(folder) ?? [], isKept };
    }),
  );
  const rank = ({ folder, known: lines }: Target): number => (folder === top ? Infinity : lines.length);
  return targets.toSorted((one, other) => rank(other) - rank(one) || (one.folder < other.folder ? -1 : 1));
}

async function writeFileOf(runtime: Runtime, { folder, known }: Target): Promise<string> {
  const shown = join(folder, FILE);
  try {
    const sections: Sections = {
      ...(folder === "." ? { "Commands that pass": await passing(runtime) } : {}),
      "What the code does not show": known.slice(-MAX_KNOWN).map((line) => runtime.memory.redact(line)),
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
    await writeFileAtomic(path, written.text, async () => true);
    return `${shown} was written.`;
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
  return isInFolder(end, real) ? end : null;
}
