import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import type { Plugin } from "esbuild";
import { defineConfig } from "tsup";
import { writeDeclarations } from "./build/declarations.ts";
import { packLibraries } from "./build/libraries.ts";
import { type Bundled, renderLicenses } from "./build/licenses.ts";
import { packModule } from "./build/packed-module.ts";
import { makeSmall } from "./build/small.ts";
import { GAIA } from "./src/agents/gaia.ts";
import { SPECIALISTS } from "./src/agents/registry.ts";
import { renderConfigJsonSchema } from "./src/config/json-schema.ts";

/** Written by esbuild on request: which files went into the bundle. */
const METAFILE = "dist/metafile-esm.json";

/** OpenCode puts its own modules in place of imports that it finds by `from`, white space and a quote. */
function spaceImports(code: string): string {
  return code.replaceAll(/\bfrom(?=["'](?:@opentui\/solid|solid-js)["'])/g, "from ");
}

/** Bun does not read a marked file as UTF-8; a bundler escapes texts and leaves regular expressions as they are. */
function inAscii(code: string): string {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Bun, in which OpenCode runs, takes a file that begins so as it is, instead of transpiling it at its first start: half of
 * what loading takes. Not for the panel, whose imports OpenCode rewrites, nor for the command line, which Node runs.
 */
function markAsTranspiled(name: string, code: string): string {
  return /^(?:tui|cli)\.js$/.test(name) ? code : `// @bun\n${inAscii(code)}`;
}

/** Why a hook stands where it stands in the order is for those who read the source: nothing that runs asks for it. */
const dropReasons: Plugin = {
  name: "drop-reasons",
  setup(build) {
    build.onLoad({ filter: /src[\\/]hooks[\\/][^\\/]+\.ts$/ }, async ({ path }) => {
      const whole = await readFile(path, "utf8");
      return { contents: whole.replaceAll(/^ +why:\s+"[^"]*",$/gm, ""), loader: "ts" };
    });
  },
};

/** What the keys of the configuration are for stands in its JSON Schema, which is written beside; no start reads it. */
const dropDescriptions: Plugin = {
  name: "drop-descriptions",
  setup(build) {
    build.onLoad(
      { filter: /src[\\/]config[\\/](?:schema|sections|agent-override|definition-of-done)\.ts$/ },
      async ({ path }) => {
        const [before, after] = (await readFile(path, "utf8")).split(
          'import { describe } from "../lib/schema.ts";',
        );
        if (after === undefined) throw new Error(`${path} describes in another way.`);
        return {
          contents: `${before}const describe = <S>(schema: S, _about: string): S => schema;${after}`,
          loader: "ts",
        };
      },
    );
  },
};

async function finish(name: string): Promise<void> {
  const small = await makeSmall(await readFile(`dist/${name}`, "utf8"));
  const code = name === "tui.js" ? spaceImports(small) : small;
  await writeFile(`dist/${name}`, markAsTranspiled(name, code));
}

/** A library that is imported by what nobody uses in the end. */
async function dropUnused(names: readonly string[]): Promise<void> {
  const code = (await Promise.all(names.map(async (name) => readFile(`dist/${name}`, "utf8")))).join("");
  const packed = (await readdir("dist")).filter((name) => name.endsWith(".br"));
  await Promise.all(packed.filter((name) => !code.includes(name)).map(async (name) => rm(`dist/${name}`)));
}

/** What went into the packed libraries. */
const libraries: Bundled[] = [];

export default defineConfig({
  entry: { index: "src/index.ts", tui: "src/tui/index.ts", cli: "src/cli/index.ts" },
  format: "esm",
  target: "es2023",
  platform: "node",
  clean: true,
  splitting: true,
  treeshake: { preset: "smallest" },
  esbuildPlugins: [packLibraries((bundle) => libraries.push(bundle)), dropReasons, dropDescriptions],
  minify: true,
  // Everything that runs is bundled: installing the plugin installs nothing else. Two modules are OpenCode's to give.
  noExternal: [/^(?!@opentui\/solid$|solid-js$)/],
  external: ["@opentui/solid", "solid-js"],
  esbuildOptions(options) {
    // jsonc-parser's CommonJS build loads its parts by a name that no bundler can follow.
    options.mainFields = ["module", "main"];
  },
  metafile: true,
  async onSuccess() {
    const names = (await readdir("dist")).filter((name) => name.endsWith(".js"));
    await Promise.all(names.map(finish));
    await Promise.all(names.map(packModule));
    await dropUnused(names);
    await writeFile(
      "dist/THIRD-PARTY-LICENSES.txt",
      await renderLicenses([JSON.parse(await readFile(METAFILE, "utf8")) as Bundled, ...libraries]),
    );
    await rm(METAFILE);
    await writeDeclarations("src/index.ts", "dist/index.d.ts");
    await writeDeclarations("src/tui/index.ts", "dist/tui.d.ts");
    const schema = renderConfigJsonSchema([GAIA, ...SPECIALISTS.map(({ name }) => name)]);
    await writeFile("dist/gaia.schema.json", `${JSON.stringify(schema)}\n`);
  },
});
