import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { lazy } from "../lib/async.ts";
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

/** Of the package: above this module, which is in `src/record/` in the repository and in `dist/` in the package. */
const folder = lazy((): string => {
  for (let above = dirname(fileURLToPath(import.meta.url)); ; above = dirname(above)) {
    const found = join(above, "templates");
    if (existsSync(join(found, "gaia"))) return found;
    if (dirname(above) !== above) continue;
    const hint = "Install the package again.";
    throw createError("workspace", "The templates of opencode-gaia are missing.", { hint });
  }
});

/** A file or folder of the package's `templates`. */
export function templatePath(...names: readonly string[]): string {
  return join(folder(), ...names);
}

export async function renderTemplate(
  name: TemplateName,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  return fillTemplate(templatePath("gaia", name), values);
}

export async function renderCommandText(
  name: CommandTextName,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  return (await fillTemplate(templatePath("commands", `${name}.md`), values)).trim();
}

export async function fillTemplate(path: string, values: Readonly<Record<string, string>>): Promise<string> {
  const text = await readFile(path, "utf8");
  return text.replaceAll(/\{\{(\w+)\}\}/g, (found, key: string) => values[key] ?? found);
}
