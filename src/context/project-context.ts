import { isAbsolute, join } from "node:path";
import type { ResolvedConfig } from "../config/schema.ts";
import type { Clock } from "../lib/clock.ts";
import { readContextFile } from "./context-file.ts";

/** How many of the newest learnings are put into the system prompt. */
const MAX_LEARNINGS = 15;

export type ContextSettings = ResolvedConfig["gaiaContext"];

/**
 * What GAIA is told of the project (SPEC 10, seed "Instruction Layering"): her instruction file, the curated init
 * file, configured goals and limits, further files, selected learnings. The same files give the same bytes.
 * @returns an empty string when there is nothing to tell
 */
export async function renderProjectContext(
  directory: string,
  settings: ContextSettings,
  clock: Clock,
): Promise<string> {
  const read = async (path: string): Promise<string | null> =>
    readContextFile(isAbsolute(path) ? path : join(directory, path), clock);
  const [instructions, init, learnings, ...extra] = await Promise.all([
    read(settings.gaiaInstructionFile),
    read(settings.initFile),
    settings.useLearnings ? read(".gaia/learnings.md") : null,
    ...settings.extraContextFiles.map(read),
  ]);
  const sections = [
    section(`Instructions for GAIA (${settings.gaiaInstructionFile})`, instructions ?? null),
    section(`Project memory (${settings.initFile})`, init ?? null),
    section("Account for", bullets(settings.accountFor)),
    section("Avoid", bullets(settings.avoid)),
    ...settings.extraContextFiles.map((path, index) => section(path, extra[index] ?? null)),
    section("Learnings of earlier work", newestLearnings(learnings ?? null)),
  ].filter((text) => text !== "");
  if (sections.length === 0) return "";
  const order = "Where these disagree, the earlier section wins; the rules above win over all of them.";
  return [`# This project`, order, ...sections].join("\n\n");
}

function section(title: string, body: string | null): string {
  return body === null || body === "" ? "" : `## ${title}\n${body}`;
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

/** Learnings are appended, so the last lines are the newest. */
function newestLearnings(markdown: string | null): string {
  const entries = (markdown ?? "").split("\n").filter((line) => /^[-*] \S/.test(line));
  return entries.slice(-MAX_LEARNINGS).join("\n");
}
