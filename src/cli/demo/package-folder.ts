import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createError } from "../../lib/error.ts";

/** The sample project as it is packed. */
export function sampleTemplate(): string {
  return join(packageFolder(), "templates", "demo-project");
}

/** The folder that OpenCode loads as a plugin: this very package. @throws GaiaError when it is not built */
export function builtPlugin(): string {
  const folder = packageFolder();
  if (existsSync(join(folder, "dist", "index.js"))) return folder;
  throw createError("demo", `The plugin is not built in ${folder}.`, { hint: "Run: npm run build" });
}

/** Upwards from this file, because it is bundled into `dist` when it runs for a user. */
function packageFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "templates")) && dirname(folder) !== folder) folder = dirname(folder);
  return folder;
}
