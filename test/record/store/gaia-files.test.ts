import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../../src/lib/error.ts";
import { createGaiaFiles, type GaiaFiles } from "../../../src/record/store/gaia-files.ts";
import { HOST_TAG } from "../../../src/record/store/atomic-file.ts";
import { openFolder } from "../../support/directory.ts";

let base: string;
let files: GaiaFiles;
const at = (...names: string[]): string => join(base, "project", ".gaia", ...names);

beforeEach(async () => {
  base = await openFolder();
  await mkdir(join(base, "project"));
  await mkdir(join(base, "outside"));
  files = createGaiaFiles(join(base, "project"), silentLogger);
});

const append = async (inside: string, added: string): Promise<void> =>
  files.exclusive((writer) =>
    writer.change(inside, (text) => ({ text: (text ?? "") + added, result: undefined })),
  );

describe("writing", () => {
  it("keeps jobs in order and loses none", async () => {
    const all = Array.from({ length: 50 }, (_none, index) => `${index},`);
    await Promise.all(all.map((text) => append("unit/log.md", text)));
    expect(await readFile(at("unit", "log.md"), "utf8")).toBe(all.join(""));
  });

  it("keeps what a person saves while an edit is in work", async () => {
    await append("a.md", "old\n");
    let runs = 0;
    await files.exclusive((writer) =>
      writer.change("a.md", async (text) => {
        runs += 1;
        if (runs === 1) await writeFile(at("a.md"), "saved by a person\n");
        return { text: `${text ?? ""}added\n`, result: undefined };
      }),
    );
    expect(await files.read("a.md")).toBe("saved by a person\nadded\n");
  });

  it("gives up on a file that changes all the time, and leaves it", async () => {
    let saved = 0;
    const edit = files.exclusive((writer) =>
      writer.change("a.md", async () => {
        saved += 1;
        await mkdir(at(), { recursive: true });
        await writeFile(at("a.md"), `save ${saved}`);
        return { text: "mine", result: undefined };
      }),
    );
    await expect(edit).rejects.toThrow(/kept changing/);
    expect(await files.read("a.md")).toBe(`save ${saved}`);
    expect(await readdir(at())).toEqual([".local", "a.md"]);
  });

  it("keeps the lock and the active unit out of git", async () => {
    await append("a.md", "x");
    const git = (...args: string[]): string =>
      execFileSync("git", args, { cwd: join(base, "project"), encoding: "utf8" });
    git("init", "-q");
    expect(git("status", "--porcelain", "-uall")).toBe("?? .gaia/a.md\n");
  });
});

describe("leftovers", () => {
  const dead = spawnSync(process.execPath, ["--version"]).pid;

  it("of a killed process are removed, those of living ones and all else stay", async () => {
    await mkdir(at("unit"), { recursive: true });
    const mine = `.log.md.${process.pid}-${HOST_TAG}-00000001.tmp`;
    const elsewhere = `.log.md.${dead}-00000000-00000002.tmp`;
    const old = `.log.md.${process.pid}-${HOST_TAG}-00000003.tmp`;
    for (const name of [mine, elsewhere, old, `.log.md.${dead}-${HOST_TAG}-00000004.tmp`, "notes.tmp"]) {
      await writeFile(at("unit", name), "half");
    }
    await utimes(at("unit", old), 1000, 1000);
    await append("unit/log.md", "x");
    const stays = [elsewhere, mine, "log.md", "notes.tmp"];
    expect((await readdir(at("unit"))).toSorted()).toEqual(stays.toSorted());
  });
});

describe("refused", () => {
  it.each([
    ["a folder", "unit"],
    ["a .gaia", ""],
  ])("%s that leads out, with nothing written there", async (_what, name) => {
    await mkdir(dirname(at(name)), { recursive: true });
    await symlink(join(base, "outside"), at(name));
    await expect(append("unit/log.md", "x")).rejects.toThrow(/lies outside/);
    await expect(files.read("unit/log.md")).rejects.toThrow(/lies outside/);
    expect(await readdir(join(base, "outside"))).toEqual([]);
  });

  it("a file that is not UTF-8, with its line", async () => {
    await mkdir(at(), { recursive: true });
    const bytes = Buffer.from([0x61, 0x0a, 0x62, 0x0a, 0xff, 0x0a, 0x63]);
    await writeFile(at("a.md"), bytes);
    await expect(append("a.md", "x")).rejects.toThrow(/^\.gaia\/a\.md:3: not UTF-8/);
    expect(await readFile(at("a.md"))).toEqual(bytes);
  });

  it("a pipe, which would keep a reader waiting for ever", async () => {
    await mkdir(at(), { recursive: true });
    execFileSync("sh", ["-c", 'mkfifo "$0"', at("a.md")]);
    await expect(files.read("a.md")).rejects.toThrow(/not a file/);
  });
});
