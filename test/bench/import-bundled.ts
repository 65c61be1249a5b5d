import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "tsup";

/** A module bundled as it is shipped, for what is measured is what runs. @param entry its path from the project's root */
export async function importBundled<Module>(entry: string): Promise<Module> {
  const folder = await mkdtemp(join(tmpdir(), "gaia-bench-"));
  try {
    await build({
      entry: { module: entry },
      outDir: folder,
      format: "esm",
      outExtension: () => ({ js: ".mjs" }),
      noExternal: [/./],
      config: false,
      silent: true,
    });
    return (await import(join(folder, "module.mjs"))) as Module;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
