import type { ResolvedConfig } from "../config/schema.ts";
import type { Clock } from "../lib/async.ts";
import type { Redactor } from "../lib/redaction.ts";
import { readForModel } from "./context-file.ts";

/** What one context file may cost in the system prompt, in bytes; the rest is cut with a note. */
const MAX_BYTES = 16_384;

export type ContextSettings = ResolvedConfig["gaiaContext"];

/** What a project says to everyone who works on it; the text of a file that is not there is empty. */
export type ProjectTexts = Awaited<ReturnType<typeof readProjectTexts>>;

export async function readProjectTexts(
  directory: string,
  { gaiaInstructionFile, initFile, accountFor, avoid }: ContextSettings,
  clock: Clock,
  redact: Redactor,
) {
  const files = [gaiaInstructionFile, initFile].map(async (path) => ({
    path,
    text: await readContextFile(directory, path, clock, redact),
  }));
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
  const [{ files, accountFor, avoid }, ...extra] = await Promise.all([
    readProjectTexts(directory, settings, clock, redact),
    ...settings.extraContextFiles.map(async (path) =>
      section(path, await readContextFile(directory, path, clock, redact)),
    ),
  ]);
  const heads = ["Instructions for GAIA", "Project memory"];
  const sections = [
    ...files.map(({ path, text }, at) => section(`${heads[at]} (${path})`, text)),
    section("Account for", bullets(accountFor)),
    section("Avoid", bullets(avoid)),
    ...extra,
    section("Rules of the project's own files", rules),
  ].filter((text) => text !== "");
  if (sections.length === 0) return "";
  const order = "Where these disagree, the earlier section wins; the rules above win over all of them.";
  return [`# This project`, order, ...sections].join("\n\n");
}

function section(title: string, body: string): string {
  return body === "" ? "" : `## ${title}\n${body}`;
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join("\n");
}

/** The text of an optional file; empty when it is absent or unreadable, which `doctor` tells. Never throws. */
async function readContextFile(
  directory: string,
  path: string,
  clock: Clock,
  redact: Redactor,
): Promise<string> {
  const file = await readForModel(directory, path, clock);
  if (file === null || "withheld" in file) return file === null ? "" : `(not read: ${file.withheld})`;
  // Redacted before it is cut, which could leave half of a secret.
  const text = redact(Buffer.from(file.bytes).toString("utf8")).trim();
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_BYTES) return text;
  return `${bytes.toString("utf8", 0, MAX_BYTES).replace(/\uFFFD+$/, "")}\n[cut at ${MAX_BYTES} bytes]`;
}
