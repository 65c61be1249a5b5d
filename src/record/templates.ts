import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createError } from "../lib/error.ts";

export type TemplateName =
  | "plan.md"
  | "spec.md"
  | "log.md"
  | "decisions.md"
  | "sessions.md"
  | "findings.md"
  | "gaia-init.md";

/** The texts for the model in `templates/commands/`, sent when their command is typed and not before. */
export type CommandTextName =
  | "gaia-plan"
  | "plan-review"
  | "gaia-spec"
  | "gaia-work"
  | "gaia-review"
  | "gaia-unify";

let folder: Promise<string> | undefined;

export async function renderTemplate(
  name: TemplateName,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  return fill(join("gaia", name), values);
}

export async function renderCommandText(
  name: CommandTextName,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  return (await fill(join("commands", `${name}.md`), values)).trim();
}

async function fill(path: string, values: Readonly<Record<string, string>>): Promise<string> {
  folder ??= findFolder(dirname(fileURLToPath(import.meta.url)));
  const text = await readFile(join(await folder, path), "utf8");
  return text.replaceAll(/\{\{(\w+)\}\}/g, (found, key: string) => values[key] ?? found);
}

/** Walks up from this module, which is `src/record/` in the repository and `dist/` in the package. */
async function findFolder(from: string): Promise<string> {
  const candidate = join(from, "templates");
  if (existsSync(join(candidate, "gaia"))) return candidate;
  if (dirname(from) !== from) return findFolder(dirname(from));
  throw createError("workspace", "The templates of opencode-gaia are missing.", {
    hint: "Install the package again.",
  });
}
