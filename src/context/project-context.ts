import { realpath } from "node:fs/promises";
import { isAbsolute, join, relative } from "node:path";
import type { ResolvedConfig } from "../config/schema.ts";
import type { Clock } from "../lib/clock.ts";
import { isStrayPath } from "../trust/config-rules.ts";
import { readContextFile } from "./context-file.ts";

export type ContextSettings = ResolvedConfig["gaiaContext"];

/**
 * What GAIA is told of the project (SPEC 10, seed "Instruction Layering"): her instruction file, the curated init
 * file, configured goals and limits, further files. The same files give the same bytes; what depends on a message stands at its end.
 * @returns an empty string when there is nothing to tell
 */
export async function renderProjectContext(
  directory: string,
  settings: ContextSettings,
  clock: Clock,
): Promise<string> {
  const read = async (path: string): Promise<string | null> => {
    const file = isAbsolute(path) ? path : join(directory, path);
    return (await staysInside(directory, path, file)) ? readContextFile(file, clock) : null;
  };
  const [instructions, init, ...extra] = await Promise.all([
    read(settings.gaiaInstructionFile),
    read(settings.initFile),
    ...settings.extraContextFiles.map(read),
  ]);
  const sections = [
    section(`Instructions for GAIA (${settings.gaiaInstructionFile})`, instructions ?? null),
    section(`Project memory (${settings.initFile})`, init ?? null),
    section("Account for", bullets(settings.accountFor)),
    section("Avoid", bullets(settings.avoid)),
    ...settings.extraContextFiles.map((path, index) => section(path, extra[index] ?? null)),
  ].filter((text) => text !== "");
  if (sections.length === 0) return "";
  const order = "Where these disagree, the earlier section wins; the rules above win over all of them.";
  return [`# This project`, order, ...sections].join("\n\n");
}

/**
 * Whether a file that is written as one of the project's is one by real path too: a link that came with a project must not
 * show GAIA a file of the user's. What is written as a file from elsewhere stands in the user's own configuration, or they
 * trust it (SPEC 2.10).
 */
async function staysInside(directory: string, written: string, file: string): Promise<boolean> {
  if (isStrayPath(written)) return true;
  try {
    return !isStrayPath(relative(await realpath(directory), await realpath(file)));
  } catch {
    return false; // There is no such file.
  }
}

function section(title: string, body: string | null): string {
  return body === null || body === "" ? "" : `## ${title}\n${body}`;
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}
