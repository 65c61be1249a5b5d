import type { Stats } from "node:fs";
import { stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { findBelow, type Search } from "../lib/find-below.ts";
import { parsePattern } from "../lib/path-pattern.ts";
import { isRefusal, refuse, type Refusal } from "../lib/refusal.ts";
import { isSensitivePath } from "../policy/sensitive-path.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { Runtime } from "../runtime.ts";
import { divideTasks, findWholeTasks, type DividedPlan } from "../plan/divide.ts";
import type { StandingPlan } from "../record/operations/approvals.ts";

/** More files than this are no matter for one task, however it is divided. */
const MAX_FILES = 200;
const MAX_FOLDERS = 5_000;

/** Where the files of a plan lie. */
export interface Files {
  readonly project: string;
  readonly allowSensitive: readonly string[];
  readonly signal: AbortSignal;
}

/** Divides the tasks of a plan that ask for it (`each: file`) by the files that are there now. */
export async function dividePlan(markdown: string, place: Files): Promise<DividedPlan | Refusal> {
  const files = await filesFor(markdown, place);
  return isRefusal(files) ? files : divideTasks(markdown, files);
}

/**
 * Does the same to a plan that someone else has written, before anyone is asked about it, and tells the user; what was
 * approved stays as it reads, and so does what the user said no to.
 * @returns why it cannot be divided; null where it is, or need not be
 */
export async function divideByHand(
  { workspace }: Pick<Runtime, "workspace">,
  { outbox }: Pick<Conversation, "outbox">,
  { slug, standing, refused, plan_md: markdown }: StandingPlan,
  place: Files,
): Promise<Refusal | null> {
  if (standing === "approved" || refused) return null;
  const files = await filesFor(markdown, place);
  if (isRefusal(files)) return files;
  if (files.size === 0) return null;
  const divided = await workspace.divideWritten({ slug, files });
  if (!divided.ok) return refuse(divided.error, divided.hint);
  if (divided.told.length > 0) outbox.note(`Plan of ${slug}: ${divided.told.join(" ")}`);
  return null;
}

/** The files of each task that is to be divided, by its number. */
async function filesFor(
  markdown: string,
  place: Files,
): Promise<ReadonlyMap<number, readonly string[]> | Refusal> {
  const files = new Map<number, readonly string[]>();
  for (const { number, files: named = [] } of findWholeTasks(markdown)) {
    const found = new Set<string>();
    for (const file of named) for (const path of await pathsOf(file, place)) found.add(path);
    if (found.size === 0)
      return refuse(
        `Task ${number} is to be divided by its files, and ${named.join(", ") || "it names none"}${named.length === 0 ? "" : " matches none"}.`,
        "Name files or globs, relative to the project, on its line files:.",
      );
    if (found.size > MAX_FILES)
      return refuse(
        `Task ${number} is to be divided by its files, which are more than ${MAX_FILES}.`,
        "Name fewer, by narrower globs or in several tasks.",
      );
    files.set(number, [...found]);
  }
  return files;
}

/** The files that a glob or a folder stands for; a name of a file as it is. Those with secrets are left out. */
async function pathsOf(file: string, { project, allowSensitive, signal }: Files): Promise<string[]> {
  const named = await lookAt(join(project, file));
  // Brackets and braces also occur in real names, such as app/[id]/page.tsx.
  if (named?.isFile() === true || (named === null && !/[*?{[]/.test(file))) return [file];
  const search: Search = { foldersLeft: MAX_FOLDERS, signal };
  const found = new Set<string>();
  for (const steps of parsePattern(named === null ? file : `${file}/**`) ?? []) {
    for await (const path of findBelow(project, steps, search)) {
      const name = relative(project, path).split(sep).join("/");
      if (isSensitivePath(name, allowSensitive) || (await lookAt(path))?.isFile() !== true) continue;
      found.add(name);
      if (found.size > MAX_FILES) break;
    }
  }
  return [...found].toSorted();
}

/** What lies there; null for nothing that can be looked at. */
async function lookAt(path: string): Promise<Stats | null> {
  return stat(path).catch(() => null);
}
