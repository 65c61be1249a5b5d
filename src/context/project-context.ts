import type { ResolvedConfig } from "../config/schema.ts";
import type { Clock } from "../lib/async.ts";
import type { Redactor } from "../lib/redaction.ts";
import { readContextFile } from "./context-file.ts";

export type ContextSettings = ResolvedConfig["gaiaContext"];

/** What a project says to everyone who works on it; the text of a file that is not there is empty. */
export interface ProjectTexts {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  readonly accountFor: readonly string[];
  readonly avoid: readonly string[];
}

export async function readProjectTexts(
  directory: string,
  { gaiaInstructionFile, initFile, accountFor, avoid }: ContextSettings,
  clock: Clock,
  redact: Redactor,
): Promise<ProjectTexts> {
  const files = [gaiaInstructionFile, initFile].map(async (path) => {
    const text = await readContextFile(directory, path, clock);
    return { path, text: text === null ? "" : redact(text) };
  });
  return { files: await Promise.all(files), accountFor, avoid };
}

/** What GAIA is told of the project (SPEC 10): the same files give the same bytes. @param rules their index; empty for none */
export async function renderProjectContext(
  directory: string,
  settings: ContextSettings,
  clock: Clock,
  redact: Redactor,
  rules = "",
): Promise<string> {
  const read = async (path: string): Promise<string | null> => {
    const text = await readContextFile(directory, path, clock);
    return text === null ? null : redact(text);
  };
  const [{ files, accountFor, avoid }, ...extra] = await Promise.all([
    readProjectTexts(directory, settings, clock, redact),
    ...settings.extraContextFiles.map(read),
  ]);
  const heads = ["Instructions for GAIA", "Project memory"];
  const sections = [
    ...files.map(({ path, text }, at) => section(`${heads[at]} (${path})`, text)),
    section("Account for", bullets(accountFor)),
    section("Avoid", bullets(avoid)),
    ...settings.extraContextFiles.map((path, index) => section(path, extra[index] ?? null)),
    section("Rules of the project's own files", rules),
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
