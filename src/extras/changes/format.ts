import { extname } from "node:path";
import type { Host, HostFormatter } from "../../host/port.ts";
import type { FilePlace, FormatFiles, WrittenFile } from "../../host/tool.ts";
import type { Clock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { MAX_SOURCE_BYTES, readRegular } from "../../lib/read-source.ts";
import { runBoundedProcess } from "../../process/bounded-process.ts";
import { excerptOutput } from "../../process/excerpt.ts";
import { createOutputTail } from "../../process/output-tail.ts";
import type { ContainedPrograms } from "../../sandbox/load.ts";
import { contain } from "../programs.ts";

/** How long one formatter may take for one file, and all of a call's together, in milliseconds. */
const FILE_MS = 15_000;
const CALL_MS = 60_000;
const GRACE_MS = 500;
const MAX_NAMED = 10;
const MAX_WORDS = 200;

export interface FormatInput {
  readonly host: Pick<Host, "formatters" | "worktree" | "logger">;
  readonly contained: ContainedPrograms;
  readonly clock: Clock;
  readonly environment: NodeJS.ProcessEnv;
}

/** The host's formatters for what the plugin's tools write, looked for at the first write. */
export function openFormatting(input: FormatInput): FormatFiles {
  const { host } = input;
  let known: ReturnType<typeof host.formatters> | null = null;
  return async (files, place, signal) => {
    try {
      known ??= host.formatters();
      const formatters = await known;
      if (formatters === null) {
        known = null;
        return ["Not formatted: OpenCode did not tell its formatters."];
      }
      if (formatters.length === 0) return [];
      const said = await runFormatters(files, formatters, { ...input, place, signal });
      for (const each of said) host.logger.log("debug", "formatting", each);
      return said;
    } catch (error) {
      return [`Not formatted: ${describeError(error)}`];
    }
  };
}

interface FormatCall extends FormatInput {
  readonly place: FilePlace;
  readonly signal: AbortSignal;
}

/** Runs the formatters of each file on it, one after the other as the host does. @returns what there is to say, a sentence each */
async function runFormatters(
  files: readonly WrittenFile[],
  formatters: readonly HostFormatter[],
  call: FormatCall,
): Promise<string[]> {
  const deadline = call.clock.now() + CALL_MS;
  /** What there is to say, with the files of which it is said. */
  const notes = new Map<string, string[]>();
  for (const file of files)
    for (const formatter of formatters) {
      const { name, endings, command } = formatter;
      if (!endings.includes(extname(file.path)) || command.length === 0) continue;
      const before = await readRegular(file.path, MAX_SOURCE_BYTES);
      if (before === null) continue;
      const left = Math.min(FILE_MS, deadline - call.clock.now());
      const problem = await runOn(file, formatter, left, call);
      const isSame = (await readRegular(file.path, MAX_SOURCE_BYTES))?.equals(before) !== false;
      if (problem === null && isSame) continue;
      const note = problem === null ? `Formatted by ${name}` : `Not formatted, ${name} ${problem}`;
      notes.set(note, [...(notes.get(note) ?? []), file.name]);
    }
  return Array.from(notes, ([note, names]) => `${note}: ${listed(names)}.`);
}

/** @returns why it did not go well; null where it did */
async function runOn(
  { path }: WrittenFile,
  { command, environment: own }: HostFormatter,
  timeoutMs: number,
  { contained, clock, environment, host, place, signal }: FormatCall,
): Promise<string | null> {
  const [program = "", ...args] = command.map((word) => word.replace("$FILE", path));
  if (timeoutMs <= 0) return "was left out, for there was no more time";
  const env = { ...environment, ...own };
  const tail = createOutputTail();
  try {
    // A formatter is given what it formats, and no network that a check would not have.
    const tree = {
      top: place.standsFor?.to ?? host.worktree,
      folder: place.directory,
      project: "write",
    } as const;
    const started = await contain(contained, tree, [program, ...args]);
    const ending = await runBoundedProcess({
      command: started.command,
      cwd: place.directory,
      env,
      timeoutMs,
      graceMs: GRACE_MS,
      signal,
      clock,
      output: tail,
    });
    if (ending.kind === "timeout") return `took longer than ${Math.round(timeoutMs / 1_000)} s`;
    if (ending.kind === "cancelled") return "was stopped";
    if (ending.kind === "unstartable") return `could not be started (${ending.problem})`;
    if (ending.code === 0) return null;
  } catch (error) {
    return `was not run: ${describeError(error)}`;
  }
  const words = excerpt(excerptOutput(tail.whole(), { maxLines: 3, maxCharacters: MAX_WORDS }), MAX_WORDS);
  return `failed${words === "" ? "" : ` (${words})`}`;
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
