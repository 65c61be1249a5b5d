import { writeFile } from "node:fs/promises";
import { defineConfig } from "tsup";
import { GAIA } from "./src/agents/gaia.ts";
import { SPECIALISTS } from "./src/agents/registry.ts";
import { renderConfigJsonSchema } from "./src/config/json-schema.ts";

export default defineConfig({
  entry: { index: "src/index.ts", cli: "src/cli/index.ts" },
  format: "esm",
  target: "es2023",
  platform: "node",
  dts: { entry: { index: "src/index.ts" } },
  clean: true,
  splitting: true,
  treeshake: true,
  minify: true,
  // Everything that runs is bundled: installing the plugin installs nothing else.
  noExternal: [/.*/],
  esbuildOptions(options) {
    // jsonc-parser's CommonJS build loads its parts by a name that no bundler can follow.
    options.mainFields = ["module", "main"];
  },
  async onSuccess() {
    const schema = renderConfigJsonSchema([GAIA, ...SPECIALISTS.map(({ name }) => name)]);
    await writeFile("dist/gaia.schema.json", `${JSON.stringify(schema, null, 1)}\n`);
  },
});
