import { findNewFiles } from "../../conversation/planning/decide-approval.ts";
import { readForModel } from "../../context/context-file.ts";
import { fencedBlock } from "../../lib/fenced-block.ts";
import type { Runtime } from "../../runtime.ts";
import type { PlanTask } from "../../plan/task.ts";

/** In characters: a larger file is read in part by the one who works on it. */
const MAX_FILE = 20_000;
/** Room for the largest part of a task that is divided: five files of the usual size fit. */
const MAX_ALL = 40_000;

/**
 * A task's files as they are now: who is to change them would read them first, which costs a request each. Left out is what
 * is not there or does not fit, what may hold secrets, and what is no text.
 * @param project where they lie
 */
export async function filesNow(
  { clock, memory }: Pick<Runtime, "clock" | "memory">,
  project: string,
  { files = [] }: PlanTask,
): Promise<string> {
  const read = await Promise.all(
    files.map(async (path) => ({ path, file: await readForModel(project, path, clock) })),
  );
  const shown: string[] = [];
  let room = MAX_ALL;
  for (const { path, file } of read) {
    if (file === null || "withheld" in file) continue;
    const text = Buffer.from(file.bytes).toString("utf8");
    const isText = !text.includes("\0") && !text.includes("\uFFFD") && memory.redact(text) === text;
    if (!isText || text.trim() === "" || text.length > Math.min(room, MAX_FILE)) continue;
    room -= text.length;
    shown.push(`${path}\n${fencedBlock("", text.replace(/\n$/, ""))}`);
  }
  const fresh = [...(await findNewFiles([{ files, done: false }], [project]))];
  return [
    fresh.length === 0 ? "" : `Not there yet: ${fresh.join(", ")}`,
    shown.length === 0 ? "" : `They read now, so that you need not read them again:\n${shown.join("\n")}`,
  ]
    .filter(Boolean)
    .join("\n");
}
