import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../src/lib/error.ts";
import { createTrustStore, type TrustStore } from "../../src/trust/store.ts";
import { openFolder } from "../support/directory.ts";

let folder: string;
let project: string;
let store: TrustStore;

beforeEach(async () => {
  const root = await openFolder();
  folder = join(root, "data", "opencode-gaia");
  project = join(root, "project");
  await mkdir(project);
  store = createTrustStore(folder, project, silentLogger);
});
const hashes = async (from = store): Promise<string[]> => [...(await from.read()).hashes].toSorted();

describe("the store of trust", () => {
  it("keeps what is granted, for its project alone, and takes it back", async () => {
    expect(await store.read()).toEqual({ hashes: new Set(), problem: null });
    await store.grant(["a", "b"]);
    await store.grant(["c"]);
    expect(await hashes()).toEqual(["a", "b", "c"]);
    expect(await hashes(createTrustStore(folder, tmpdir(), silentLogger))).toEqual([]);
    await store.revoke(["b"]);
    expect(await hashes()).toEqual(["a", "c"]);
    await store.revoke("all");
    expect(await hashes()).toEqual([]);
    const kept = await readFile(join(folder, "trust.json"), "utf8");
    expect(JSON.parse(kept)).toEqual({ version: 1, projects: {} });
  });

  it("knows a project by its real path", async () => {
    const link = join(folder, "..", "link");
    await store.grant(["a"]);
    await symlink(project, link);
    expect(await hashes(createTrustStore(folder, link, silentLogger))).toEqual(["a"]);
  });

  it.skipIf(process.platform === "win32")("is the user's alone, and stays it", async () => {
    await store.grant(["a"]);
    await store.grant(["b"]);
    expect((await stat(join(folder, "trust.json"))).mode & 0o777).toBe(0o600);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await readdir(folder)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it.each([
    ["no JSON", "{"],
    ["a list", "[]"],
    ["another version", '{"version":2,"projects":{}}'],
    ["no projects", '{"version":1}'],
    ["merge-conflict marks", "<<<<<<< a\n{}\n=======\n{}\n>>>>>>> b\n"],
  ])("grants nothing and says so when it holds %s, and is not overwritten", async (_name, text) => {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "trust.json"), text);
    const { hashes: granted, problem } = await store.read();
    expect([granted.size, problem]).toEqual([0, expect.stringContaining("trust.json")]);
    await expect(store.grant(["a"])).rejects.toThrow("trust.json");
    expect(await readFile(join(folder, "trust.json"), "utf8")).toBe(text);
  });

  it("grants nothing for what is no list of hashes, and nothing unread", async () => {
    await mkdir(folder, { recursive: true });
    const path = join(folder, "trust.json");
    await writeFile(path, JSON.stringify({ version: 1, projects: { [project]: "*" } }));
    expect(await hashes()).toEqual([]);
    await rm(path);
    await mkdir(path);
    const { hashes: granted, problem } = await store.read();
    expect([...granted]).toEqual([]);
    expect(problem).not.toBeNull();
  });

  it("loses nothing of writers at once", async () => {
    const names = Array.from({ length: 24 }, (_none, at) => `h${String(at).padStart(2, "0")}`);
    const openAnother = (): TrustStore => createTrustStore(folder, project, silentLogger);
    await Promise.all(names.map(async (name) => openAnother().grant([name])));
    expect(await hashes()).toEqual(names);
  });

  it("loses nothing of several processes at once", async () => {
    const source = fileURLToPath(new URL("./grant-process.ts", import.meta.url));
    const codes = await Promise.all(
      ["p", "q", "r"].map(async (name) => {
        const args = ["--import", "tsx", source, folder, project, name, "15"];
        const [code] = (await once(spawn(process.execPath, args, { stdio: "inherit" }), "exit")) as [number];
        return code;
      }),
    );
    expect(codes).toEqual([0, 0, 0]);
    expect(await hashes()).toHaveLength(45);
  }, 60_000);
});
