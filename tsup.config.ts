import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { brotliCompressSync } from "node:zlib";
import type { Plugin } from "esbuild";
import { minify } from "terser";
import { defineConfig } from "tsup";
import { GAIA } from "./src/agents/gaia.ts";
import { SPECIALISTS } from "./src/agents/registry.ts";
import { renderConfigJsonSchema } from "./src/config/json-schema.ts";
import { TOOLS } from "./src/policy/checks/tool-lines.ts";
import { GIT_VERBS } from "./src/policy/programs/git/verb-lines.ts";
import { TABLE } from "./src/policy/programs/table.ts";

/** Written by esbuild on request: which files went into the bundle. */
const METAFILE = "dist/metafile-esm.json";

/** The licence of every package of which something is in the bundle. @throws when one ships no licence text */
async function renderLicenses(metafile: string): Promise<string> {
  const { outputs } = JSON.parse(await readFile(metafile, "utf8")) as {
    outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
  };
  const files = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  );
  const folders = files.flatMap(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replaceAll("\\", "/"))?.[0] ?? [],
  );
  const packages = await Promise.all([...new Set(folders)].toSorted().map(readLicense));
  const terms = new Map<string, { text: string; holders: string[] }>();
  for (const { text, holder } of packages) {
    // The same words in other lines are the same terms, and are said once.
    const key = text.replaceAll(/\s+/g, " ");
    const known = terms.get(key) ?? { text, holders: [] };
    terms.set(key, { ...known, holders: [...known.holders, holder] });
  }
  const sections = [...terms.values()].map(({ text, holders }) => `${holders.join("\n")}\n\n${text}\n`);
  return `Code of these packages is bundled into opencode-gaia.\n\n${sections.join(`\n${"=".repeat(80)}\n`)}`;
}

/** The terms of a package, and whose they are: its name and every line of copyright. */
async function readLicense(folder: string): Promise<{ readonly text: string; readonly holder: string }> {
  const { name, version, license } = JSON.parse(await readFile(`${folder}/package.json`, "utf8")) as Record<
    string,
    string
  >;
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} is bundled and ships no licence text.`);
  const lines = (await readFile(`${folder}/${file}`, "utf8")).trim().split("\n");
  const isOfHolder = (line: string): boolean => /^\W*copyright (?:\(c\)|©|\d)/i.test(line);
  const isTitle = (line: string): boolean => /^\W*(?:the )?mit licen[cs]e/i.test(line);
  const notices = lines.filter(isOfHolder).map((line) => `  ${line.trim()}`);
  const text = lines
    .filter((line) => !isOfHolder(line) && !isTitle(line))
    .join("\n")
    .trim();
  return { text, holder: [`${name} ${version} (${license})`, ...notices].join("\n") };
}

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

/** What the parser of bash calls its own; nobody else knows these names, none is in its types or written as text. */
const PARSERS_OWN = new RegExp(
  `^(?:_(?:nestingDepth|resolve\\w+|tokenValue|find\\w+|build\\w+|unbalanced|\\w*racketWindow|word\\w+|result\\w+|here\\w+|dq\\w+)|${`
keywordEligible makeCompoundList srcEnd syntaxDepth getSubstitutionContext extractBalanced skipNewlines findClosing\\w+
assignmentOperatorPos readBacktickExpansion substitutionContext find\\w+End embeddedWords getPos delimiterQuoted readWordText
descriptorEnd skipCompoundBody targetPos acceptEnd pendingHereDocs parenBoundary targetEnd unexpectedToken readDollar
skipSpacesAndTabs hereDocClosing\\w+ readDoubleQuoted skipSemi skipAnsiCQuoted hasPeek scanArithmeticBody parseSubFieldWord
makeStatement readProcessSubstitution simpleCommandOrFunction readRequiredWord consumePendingHereDocs emptyListPos`
    .trim()
    .replaceAll(/\s/g, "|")})$`,
);

/** Shaking what is unused out of small code makes some of it large again (`true` for `!0`, long names). */
async function makeSmall(text: string): Promise<string> {
  const { code = "" } = await minify(text, {
    module: true,
    ecma: 2020,
    compress: { passes: 3, keep_fargs: false, hoist_funs: true, unsafe_arrows: true, unsafe_methods: true },
    mangle: { properties: { regex: PARSERS_OWN } },
    format: { comments: false },
  });
  return code;
}

/** Modules that are one long text each: what they export, under its name. */
const TEXTS = [
  { module: /policy\/programs\/table\.ts$/, name: "TABLE", text: TABLE },
  { module: /policy\/programs\/git\/verb-lines\.ts$/, name: "GIT_VERBS", text: GIT_VERBS },
  { module: /policy\/checks\/tool-lines\.ts$/, name: "TOOLS", text: TOOLS },
];

/** Ships long texts compressed, all in one, a third of their size: the package has a limit (SPEC 14). */
const packTexts: Plugin = {
  name: "pack-texts",
  setup(build) {
    const names = TEXTS.map(({ name }) => name).join(", ");
    const packed = brotliCompressSync(TEXTS.map(({ text }) => text).join("\0")).toString("base64");
    build.onResolve({ filter: /^packed-texts$/ }, ({ path }) => ({ path, namespace: "packed" }));
    build.onLoad({ filter: /.*/, namespace: "packed" }, () => ({
      contents: `import { brotliDecompressSync } from "node:zlib";
export const [${names}] = brotliDecompressSync(Buffer.from("${packed}", "base64")).toString().split("\\0");`,
    }));
    for (const { module, name } of TEXTS)
      build.onLoad({ filter: module }, () => ({ contents: `export { ${name} } from "packed-texts";` }));
  },
};

/** Where in js-yaml's one file what writes begins, and what before it only other kinds of YAML than the default need. */
const WRITING = "//#region src/ast/from_js.ts";
const OTHER_YAML =
  /^var (?:(?:JSON|YAML11|DUMP)_SCHEMA|\w+(?:Json|Yaml11)Tag|(?:merge|binary|timestamp|omap|pairs|set|realMap|legacyMap)Tag) = [^]*?^[\]}]\);$/gm;

/** Ships of js-yaml only what reads: its file does not say what may be left out, so a bundler keeps most of it. */
const readYamlOnly: Plugin = {
  name: "read-yaml-only",
  setup(build) {
    build.onLoad({ filter: /js-yaml\.mjs$/ }, async ({ path }) => {
      const whole = await readFile(path, "utf8");
      const [reading = "", ...writing] = whole.split(WRITING);
      if (writing.length !== 1 || reading.match(OTHER_YAML)?.length !== 19)
        throw new Error("js-yaml is laid out in another way: look what of it is to be bundled.");
      return { contents: `${reading.replaceAll(OTHER_YAML, "")}\nexport { load, YAMLException };` };
    });
  },
};

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
      { filter: /src[\\/]config[\\/](?:schema|agent-override|definition-of-done)\.ts$/ },
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

export default defineConfig({
  entry: { index: "src/index.ts", tui: "src/tui/index.ts", cli: "src/cli/index.ts" },
  format: "esm",
  target: "es2023",
  platform: "node",
  dts: { entry: { index: "src/index.ts", tui: "src/tui/index.ts" } },
  clean: true,
  splitting: true,
  treeshake: { preset: "smallest" },
  esbuildPlugins: [packTexts, readYamlOnly, dropReasons, dropDescriptions],
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
    const texts = await Promise.all(names.map(async (name) => readFile(`dist/${name}`, "utf8")));
    // Names are made short for each file by itself.
    if (texts.filter((text) => text.includes("_nestingDepth")).length > 1)
      throw new Error("The parser of bash stands in more than one file.");
    await Promise.all(names.map(finish));
    await writeFile("dist/THIRD-PARTY-LICENSES.txt", await renderLicenses(METAFILE));
    await rm(METAFILE);
    const schema = renderConfigJsonSchema([GAIA, ...SPECIALISTS.map(({ name }) => name)]);
    await writeFile("dist/gaia.schema.json", `${JSON.stringify(schema)}\n`);
  },
});
