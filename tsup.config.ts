import { readdir, readFile, writeFile } from "node:fs/promises";
import { decode, encode, type SourceMapSegment } from "@jridgewell/sourcemap-codec";
import type { Plugin } from "esbuild";
import { defineConfig } from "tsup";
import ts from "typescript";
import { GAIA } from "./src/agents/gaia.ts";
import { SPECIALISTS } from "./src/agents/registry.ts";
import { renderConfigJsonSchema } from "./src/config/json-schema.ts";

/**
 * What the MCP library brings and the plugin never uses: a validator that makes functions out of text, in whose place the plugin gives
 * it another one, and Zod 3, with which no schema is made here.
 */
const withoutUnused: Plugin = {
  name: "without-unused",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]validation[\\/]ajv-provider\.js$/ }, () => ({
      contents: "export class AjvJsonSchemaValidator {}",
    }));
    onLoad({ filter: /[\\/](?:zod[\\/]v3|zod-to-json-schema[\\/]dist[\\/]esm)[\\/]index\.js$/ }, () => ({
      contents:
        'export function object() { throw new Error("Zod 3 is not bundled."); }\nexport const zodToJsonSchema = object;',
    }));
  },
};

/** Folders of the packages that are bundled, from the project's root. */
const bundled = new Set<string>();
const findBundled: Plugin = {
  name: "find-bundled",
  setup({ initialOptions, onEnd }) {
    initialOptions.metafile = true;
    onEnd(({ metafile }) => {
      for (const { inputs } of Object.values(metafile?.outputs ?? {}))
        for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
          const folder = /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
          if (folder !== undefined && bytesInOutput > 0) bundled.add(folder);
        }
    });
  },
};

/** @throws when a bundled package has no licence text */
async function writeLicenses(): Promise<void> {
  const sections = [...bundled].toSorted().map(async (folder) => {
    const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, "utf8"));
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} is bundled and has no licence text.`);
    return `${name} ${version} (${license})\n\n${(await readFile(`${folder}/${file}`, "utf8")).trim()}\n`;
  });
  const text = (await Promise.all(sections)).join(`\n${"=".repeat(80)}\n\n`);
  await writeFile("dist/THIRD-PARTY-LICENSES.txt", `opencode-gaia bundles these packages.\n\n${text}`);
}

/** Keeps lines and drops columns and their names, which are four fifths of a source map. */
async function dropColumns(name: string): Promise<void> {
  const map = JSON.parse(await readFile(`dist/${name}`, "utf8"));
  const lines = decode(map.mappings).map(([first]) => {
    if (first === undefined || first.length === 1) return [];
    const [column, source, line, from] = first;
    return [[column, source, line, from] satisfies SourceMapSegment];
  });
  await writeFile(`dist/${name}`, JSON.stringify({ ...map, names: [], mappings: encode(lines) }));
}

/** An entry's declarations, from its text alone: what it exports has a named type. */
async function writeDeclarations(source: string, target: string): Promise<void> {
  const compilerOptions = { module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ES2023 };
  const { outputText } = ts.transpileDeclaration(await readFile(source, "utf8"), { compilerOptions });
  await writeFile(target, outputText);
}

export default defineConfig({
  entry: { index: "src/index.ts", tui: "src/tui/index.ts", cli: "src/cli/index.ts" },
  format: "esm",
  target: "es2023",
  platform: "node",
  clean: true,
  splitting: true,
  sourcemap: true,
  // All code that runs is bundled, so installing the plugin installs nothing else. OpenCode provides these two modules.
  noExternal: [/^(?!@opentui\/solid$|solid-js$)/],
  external: ["@opentui/solid", "solid-js"],
  // vscode-jsonrpc is CommonJS and requires modules of Node.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module";\nconst require = __createRequire(import.meta.url);',
  },
  esbuildPlugins: [withoutUnused, findBundled],
  esbuildOptions(options) {
    // jsonc-parser's CommonJS build loads its parts by a name that no bundler can follow.
    options.mainFields = ["module", "main"];
    options.sourcesContent = false;
  },
  async onSuccess() {
    await writeLicenses();
    const maps = (await readdir("dist")).filter((name) => name.endsWith(".js.map"));
    await Promise.all(maps.map(dropColumns));
    await writeDeclarations("src/index.ts", "dist/index.d.ts");
    await writeDeclarations("src/tui/index.ts", "dist/tui.d.ts");
    const schema = renderConfigJsonSchema([GAIA, ...SPECIALISTS.map(({ name }) => name)]);
    await writeFile("dist/gaia.schema.json", `${JSON.stringify(schema)}\n`);
  },
});
