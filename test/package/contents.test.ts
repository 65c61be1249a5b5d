import { execFile } from "node:child_process";
import { readFile, mkdtemp, rm } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { isRecord, recordOf, type JsonRecord } from "../../src/lib/json.ts";

/** What the package may weigh unpacked, texts and templates included: 1.2 MB (SPEC 14), as `npm pack` prints it. */
const MAX_UNPACKED_BYTES = 1_249_999;

/** What a start loads that never comes to a conversation of GAIA's; SPEC 14 allows 350 KB. */
const MAX_START_BYTES = 167_000;

/** Modules that OpenCode hands to a panel. */
const GIVEN_BY_OPENCODE = ["@opentui/solid", "solid-js"];
/** Everything that the terminal loads of it. */
const MAX_PANEL_BYTES = 20_400;

let packed: JsonRecord;
let files: { path: string; size: number }[];
let manifest: JsonRecord;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "gaia-pack-"));
  // What `npm run build` made is packed as it is: other tests are using it.
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await promisify(execFile)("npm", args);
  await rm(folder, { recursive: true });
  packed = recordOf((JSON.parse(stdout) as unknown[])[0]);
  files = packed["files"] as { path: string; size: number }[];
  manifest = recordOf(JSON.parse(await readFile("package.json", "utf8")));
}, 60_000);

describe("the packed package", () => {
  it("holds what is needed to run it, and nothing else", () => {
    const own = files.map(({ path }) => path).filter((path) => !/^(dist|templates)\//.test(path));
    expect(own.toSorted()).toEqual(["LICENSE", "README.md", "package.json"]);
    const built = files.map(({ path }) => path).filter((path) => path.startsWith("dist/"));
    expect(built.map((path) => path.replace(/-[A-Z0-9]{8}\.js$/, "-*.js"))).toEqual(
      expect.arrayContaining([
        "dist/THIRD-PARTY-LICENSES.txt",
        "dist/cli.js",
        "dist/gaia.schema.json",
        "dist/index.d.ts",
        "dist/index.js",
        "dist/tui.d.ts",
        "dist/tui.js",
      ]),
    );
    expect(built.filter((path) => !/\.(js|br|d\.ts|txt)$|schema\.json$/.test(path))).toEqual([]);
    for (const folder of ["demo-feature", "demo-project", "gaia", "init"]) {
      expect(files.some(({ path }) => path.startsWith(`templates/${folder}/`))).toBe(true);
    }
  });

  it("is small", () => {
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    console.info(`packed ${String(packed["size"])}, unpacked ${bytes} bytes`);
    expect(bytes).toBeLessThanOrEqual(MAX_UNPACKED_BYTES);
  });

  it("loads no parser of commands, no search index, no conversation, no YAML and no schema of the configuration at a start", async () => {
    const marks = [
      "judges.br",
      "code-servers.br",
      "minisearch.br",
      "js-yaml.br",
      "features.br",
      '["auto","native","text"]',
    ];
    const built = await Promise.all(
      files.filter(({ path }) => /^dist\/.*\.js$/.test(path)).map(async ({ path }) => readFile(path, "utf8")),
    );
    for (const mark of marks) expect(built.some((text) => text.includes(mark))).toBe(true);
    const loaded = new Set<string>();
    let bytes = 0;
    const load = async (name: string): Promise<void> => {
      if (loaded.has(name)) return;
      loaded.add(name);
      const text = await readFile(join("dist", name), "utf8");
      bytes += text.length;
      expect(text, `${name}, for Bun to take it as it is`).toMatch(/^\/\/ @bun\n/);
      expect(text, `${name}, which Bun does not read as UTF-8 then`).not.toMatch(/[^\0-\x7f]/);
      for (const mark of marks) expect(text, name).not.toContain(mark);
      for (const [, next = ""] of text.matchAll(/(?:from|import)\s*["']\.\/([^"']+)["']/g)) await load(next);
    };
    await load("index.js");
    expect(loaded.size).toBeGreaterThan(1);
    expect(bytes).toBeLessThanOrEqual(MAX_START_BYTES);
  });

  it("loads next to nothing into the terminal: the panel, without the plugin", async () => {
    const entry = await readFile("dist/tui.js", "utf8");
    const imports = [...entry.matchAll(/from\s*["']([^"']+)["']/g)].map(([, name = ""]) => name);
    // As OpenCode looks for them.
    for (const name of GIVEN_BY_OPENCODE) expect(entry).toMatch(new RegExp(`from\\s+["']${name}["']`));
    const chunks = imports.filter((name) => name.startsWith("./"));
    const foreign = imports.filter((name) => !name.startsWith("./") && !isBuiltin(name));
    expect(foreign.toSorted()).toEqual(GIVEN_BY_OPENCODE);
    const texts = new Map<string, string>();
    for (const name of chunks) {
      if (texts.has(name)) continue;
      texts.set(name, await readFile(join("dist", name), "utf8"));
      const below = [...(texts.get(name) ?? "").matchAll(/(?:^|[;}\n])import[^;]*?["']([^"']+)["']/g)];
      chunks.push(...below.map(([, path = ""]) => path).filter((path) => !isBuiltin(path)));
    }
    expect(chunks.filter((name) => !name.startsWith("./"))).toEqual([]);
    expect(Buffer.byteLength([entry, ...texts.values()].join(""))).toBeLessThanOrEqual(MAX_PANEL_BYTES);
  });

  it("installs nothing with it and runs nothing while it is installed", () => {
    for (const kind of ["dependencies", "optionalDependencies", "peerDependencies", "bundleDependencies"]) {
      expect(manifest[kind]).toBeUndefined();
    }
    const hooks = new Set(["preinstall", "install", "postinstall", "prepare"]);
    expect(Object.keys(recordOf(manifest["scripts"])).filter((name) => hooks.has(name))).toEqual([]);
  });

  it("points only at files that are in it", () => {
    const targets = (value: unknown): string[] => {
      if (typeof value === "string") return [value.replace(/^\.\//, "")];
      return isRecord(value) ? Object.values(value).flatMap(targets) : [];
    };
    const { exports, bin, main, types } = manifest;
    const missing = targets({ exports, bin, main, types }).filter((path) =>
      files.every((file) => file.path !== path),
    );
    expect(missing).toEqual([]);
  });

  it("carries the licence of every package that it bundles", async () => {
    const licenses = await readFile("dist/THIRD-PARTY-LICENSES.txt", "utf8");
    const names = [
      "@modelcontextprotocol/sdk",
      "js-yaml",
      "jsonc-parser",
      "minisearch",
      "unbash",
      "vscode-jsonrpc",
      "zod",
    ];
    for (const name of names) {
      expect(licenses).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((MIT|ISC)\\)$`, "m"));
    }
    // The terms of MIT in each of their wordings, those of ISC beside them.
    expect(licenses.match(/^={80}$/gm)).toHaveLength(3);
    expect(licenses.match(/^Permission (?:is hereby granted|to use)/gm)).toHaveLength(4);
    expect(licenses.match(/^  Copyright/gm)).toHaveLength(9);
  });
});
