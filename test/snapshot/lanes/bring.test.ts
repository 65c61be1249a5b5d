import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { isSensitivePath } from "../../../src/policy/sensitive-path.ts";
import { bring } from "../../../src/snapshot/lanes/bring.ts";
import { git, makeRepository, readTree } from "./sample-repository.ts";
import { readCases } from "../../support/cases.ts";
import { writeIn } from "../../support/directory.ts";

let root: string;
let top: string;
let folder: string;
beforeEach(async () => {
  ({ root, top } = await makeRepository({ hasSubmodule: true }));
  folder = join(root, "a worktree");
  await mkdir(folder);
  await writeFile(join(top, ".gitignore"), "node_modules\n*.local.json\n.env*\nconf/\nkeys/\n.gaia/\n");
  for (const path of readCases<string>("snapshot/lanes/bring.paths"))
    await writeIn(top, path, `of the user: ${path}`);
  await writeFile(join(root, "outside.local.json"), "elsewhere");
});

const brought = async (globs: readonly string[], below = ""): Promise<string[]> => {
  await bring(top, folder, { globs, below, isPrivate: (path) => isSensitivePath(path) });
  return [...(await readTree(folder)).keys()].toSorted();
};

const CASES = readCases<[what: string, globs: string[], want: string[]]>("snapshot/lanes/bring.brings");
it.each(CASES)("brings %s", async (_what, globs, want) => {
  expect(await brought(globs)).toEqual(want);
});

it.each(readCases<[string, string[], string[]]>("snapshot/lanes/bring.below"))(
  "brings what of a project in a folder of the repository %s",
  async (_what, globs, want) => {
    expect(await brought(globs, "packages/one")).toEqual(want);
  },
);

it.runIf(process.platform !== "win32")(
  "leaves out what cannot be copied, as a pipe and a socket of a program that runs there",
  async () => {
    execFileSync("mkfifo", [join(top, "conf/pipe")]);
    const server = createServer().listen(join(top, "conf/s"));
    onTestFinished(() => void server.close());
    await once(server, "listening");
    expect(await brought(["conf"])).toEqual(["conf/deep/host.json", "conf/port.json"]);
  },
);

it("brings what the user allows, leaves what is there, and follows no link", async () => {
  await writeFile(join(folder, "y.local.json"), "the worktree's");
  await symlink(root, join(top, "conf/link"));
  await bring(top, folder, { globs: ["conf", ".env", "*.local.json"], below: "", isPrivate: () => false });
  expect(await readFile(join(folder, ".env"), "utf8")).toBe("of the user: .env");
  expect(await readFile(join(folder, "y.local.json"), "utf8")).toBe("the worktree's");
  expect((await readTree(folder)).get("conf/link")).toBe(`-> ${root}`);
  expect(git(top, "status", "--short")).toContain("?? seen.txt");
  expect(existsSync(join(folder, "seen.txt"))).toBe(false);
});
