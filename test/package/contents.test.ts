import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { Hooks, PluginInput } from "@opencode-ai/plugin";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { readCases } from "../support/cases.ts";
import { openFolder } from "../support/directory.ts";

const execute = promisify(execFile);

/** In bytes (SPEC 14); these only go down. */
const LIMITS = {
  /** All code that OpenCode loads before any session of GAIA's. */
  start: 400_000,
  /** All code that the terminal loads for the panel. */
  panel: 45_000,
  /** The package unpacked; SPEC 14 wants 3 MB, which needs fewer lines of source. */
  unpacked: 3_000_000,
  download: 800_000,
};
/** OpenCode provides these modules to a panel. */
const PROVIDED = ["@opentui/solid", "solid-js"];
/** The package holds no code as data: nothing that unpacks or evaluates a text. */
const EVALUATES =
  /\b(?:from|import|require\()\s*\(?"(?:node:)?(?:vm|zlib)"|(?<![.\w])eval\(|\bnew Function\(/;

let packed: JsonRecord;
let files: { path: string; size: number }[];
let manifest: JsonRecord;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), "gaia-pack-"));
  // What `npm run build` made is packed as it is: other tests are using it.
  const { stdout } = await execute("npm", [
    "pack",
    "--ignore-scripts",
    "--json",
    "--pack-destination",
    folder,
  ]);
  await rm(folder, { recursive: true });
  packed = recordOf((JSON.parse(stdout) as unknown[])[0]);
  files = packed["files"] as { path: string; size: number }[];
  manifest = recordOf(JSON.parse(await readFile("package.json", "utf8")));
}, 60_000);

/** A built file and all that it imports statically, by name. */
async function loadedFrom(entry: string): Promise<Map<string, string>> {
  const loaded = new Map<string, string>();
  const names = new Set([entry]);
  for (const name of names) {
    const code = await readFile(join("dist", name), "utf8");
    loaded.set(name, code);
    for (const [, next = ""] of code.matchAll(/(?:from|^import) "\.\/([^"]+)";$/gm)) names.add(next);
  }
  return loaded;
}

const sizeOf = (loaded: ReadonlyMap<string, string>) => Buffer.byteLength([...loaded.values()].join(""));

describe("the packed package", () => {
  it("holds what is needed to run it, and nothing else", () => {
    const own = files.map(({ path }) => path).filter((path) => !/^(dist|templates)\//.test(path));
    expect(own.toSorted()).toEqual(["LICENSE", "README.md", "package.json"]);
    const built = files.map(({ path }) => path).filter((path) => path.startsWith("dist/"));
    const entries = "THIRD-PARTY-LICENSES.txt cli.js gaia.schema.json index.d.ts index.js tui.d.ts tui.js";
    for (const name of entries.split(" ")) expect(built).toContain(`dist/${name}`);
    expect(built.filter((path) => !/\.(js|js\.map|d\.ts|txt)$|schema\.json$/.test(path))).toEqual([]);
    for (const folder of ["cli", "demo-feature", "demo-project", "gaia", "init"]) {
      expect(files.some(({ path }) => path.startsWith(`templates/${folder}/`))).toBe(true);
    }
  });

  it("stays within its limits", async () => {
    const unpacked = files.reduce((sum, { size }) => sum + size, 0);
    const [start, panel] = [await loadedFrom("index.js"), await loadedFrom("tui.js")].map(sizeOf);
    const sizes = { start, panel, unpacked, download: Number(packed["size"]) };
    console.info(sizes);
    for (const [name, limit] of Object.entries(LIMITS))
      expect(sizes[name as keyof typeof LIMITS], name).toBeLessThanOrEqual(limit);
  });

  it("is readable: no packed or evaluated code, and errors name their line in the sources", async () => {
    const built = files.map(({ path }) => path).filter((path) => path.startsWith("dist/"));
    for (const name of built.filter((path) => path.endsWith(".js"))) {
      const code = await readFile(name, "utf8");
      expect(code, name).not.toMatch(EVALUATES);
      expect(code.trim().split("\n").at(-1)).toBe(`//# sourceMappingURL=${basename(name)}.map`);
      expect(built).toContain(`${name}.map`);
    }
    const script = 'import("./dist/index.js").then(({ default: plugin }) => plugin.server(null))';
    const flags = ["--enable-source-maps", "--disallow-code-generation-from-strings"];
    const { stderr } = await execute(process.execPath, [...flags, "-e", script]).then(
      () => ({ stderr: "" }),
      (error: { stderr: string }) => error,
    );
    const [, line = ""] = /createPlugin \(\S*[\\/]src[\\/]plugin\.ts:(\d+)/.exec(stderr) ?? [];
    const source = (await readFile("src/plugin.ts", "utf8")).split("\n");
    expect(source[Number(line) - 1]).toContain("createOpenCodeHost(input");
  });

  it("loads into the terminal the panel alone, with modules as OpenCode replaces them", async () => {
    const loaded = await loadedFrom("tui.js");
    const imported = [...loaded.values()].flatMap((code) =>
      [...code.matchAll(/\bfrom\s*"([^"]+)"/g)].map(([, name = ""]) => name),
    );
    const foreign = new Set(imported.filter((name) => !name.startsWith("./") && !isBuiltin(name)));
    expect([...foreign].toSorted()).toEqual(PROVIDED);
    for (const name of PROVIDED) expect(loaded.get("tui.js")).toMatch(new RegExp(`\\bfrom\\s+"${name}"`));
    // OpenCode 2 looks for `setup`.
    expect(loaded.get("tui.js")).toMatch(/\bid: "opencode-gaia",\s+tui,\s+setup\b/u);
  });

  it("says in one sentence which Node it needs", async () => {
    const old = 'Object.defineProperty(process.versions, "node", { value: "18.20.4" })';
    const args = ["--import", `data:text/javascript,${encodeURIComponent(old)}`, "dist/cli.js", "doctor"];
    await expect(execute(process.execPath, args)).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: "opencode-gaia needs Node 20 or newer, and this is 18.20.4.\n",
    });
  });

  it("installs nothing with it and runs nothing while it is installed", () => {
    for (const kind of ["dependencies", "optionalDependencies", "peerDependencies", "bundleDependencies"]) {
      expect(manifest[kind]).toBeUndefined();
    }
    const hooks = new Set(["preinstall", "install", "postinstall", "prepare"]);
    expect(Object.keys(recordOf(manifest["scripts"])).filter((name) => hooks.has(name))).toEqual([]);
  });

  it("carries the licence of every package that it bundles", async () => {
    const licenses = await readFile("dist/THIRD-PARTY-LICENSES.txt", "utf8");
    const names = readCases<string>("package/contents.names");
    const sections = licenses.split(/\n={80}\n/);
    expect(sections).toHaveLength(names.length);
    for (const [at, name] of names.entries()) {
      expect(sections[at]).toMatch(
        new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\((MIT|ISC|BSD-3-Clause)\\)$`, "m"),
      );
      expect(sections[at]).toMatch(/^.*copyright/im);
      expect(sections[at]).toMatch(/^(?:Permission (?:is hereby granted|to use)|Redistribution and use)/m);
    }
  });
});

/** Installs only the files that a start loads: whatever is loaded later is missing. */
async function startAlone(): Promise<Hooks> {
  const place = await openFolder();
  vi.stubEnv("XDG_CONFIG_HOME", place);
  const names = [...(await loadedFrom("index.js")).keys()];
  expect(names.length).toBeLessThan((await readdir("dist")).length / 2);
  const installed = join(place, "node_modules/opencode-gaia");
  await cp("package.json", join(installed, "package.json"));
  await Promise.all(names.map(async (name) => cp(join("dist", name), join(installed, name))));
  const { default: plugin } = (await import(pathToFileURL(join(installed, "index.js")).href)) as {
    default: { server(input: PluginInput): Promise<Hooks> };
  };
  const silent = async (): Promise<object> => ({ data: null });
  const client = { _client: { get: silent, post: silent, patch: silent } };
  return plugin.server({ client, directory: place, worktree: place } as unknown as PluginInput);
}

it("what a start loads is all that a session with another agent ever loads; GAIA, who then cannot be loaded, is held at every gate", async () => {
  const hooks = await startAlone();
  await hooks.config?.({});
  const say = async (sessionID: string, agent: string): Promise<void> => {
    const properties = { info: { id: sessionID, title: "" } };
    await hooks.event?.({ event: { type: "session.created", properties } as never });
    const model = { providerID: "a", modelID: "one" };
    const message = { id: "msg_1", sessionID, role: "user", agent, model };
    const parts = [{ id: "prt_1", type: "text", text: "Go on" }];
    await hooks["chat.message"]?.({ sessionID }, { message, parts } as never);
  };
  const request = async (sessionID: string, agent: string): Promise<void> => {
    const input = { sessionID, agent, model: {}, provider: {}, message: {} } as never;
    await hooks["experimental.chat.system.transform"]?.(input, { system: ["You"] });
    const output = { temperature: 0, topP: 1, topK: 0, options: {} } as never;
    await hooks["chat.params"]?.(input, output);
  };
  /** A command is about to run, and has run. */
  const run = async (sessionID: string): Promise<void> => {
    const call = { tool: "bash", sessionID, callID: "call_1", args: { command: "ls" } };
    await hooks["tool.execute.before"]?.(call, { args: call.args });
    await hooks["shell.env"]?.({ ...call, cwd: "." }, { env: {} });
    await hooks["tool.execute.after"]?.(call, { title: "", output: "a", metadata: {} });
  };
  await say("ses_native", "build");
  await request("ses_native", "build");
  await run("ses_native");
  await hooks["experimental.session.compacting"]?.({ sessionID: "ses_native" }, { context: [] });

  await say("ses_root", "gaia");
  await expect(request("ses_root", "gaia")).rejects.toThrow(/could not be loaded.*restart OpenCode/i);
  await expect(run("ses_root")).rejects.toThrow(/could not be loaded/);
  await expect(hooks.tool?.["plan_gaia"]?.execute({}, {} as never)).rejects.toThrow(/could not be loaded/);
  await run("ses_native");
  await hooks.dispose?.();
});
