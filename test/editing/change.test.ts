import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { type FileChange, prepareChange } from "../../src/extras/changes/change.ts";
import { locate } from "../../src/extras/changes/locate.ts";
import type { FileToolCall } from "../../src/host/port.ts";
import { isRefusal } from "../../src/lib/error.ts";
import { openFolder } from "../support/directory.ts";
import { fileCall } from "./scene.ts";

const WORDS = { title: "", tell: () => "done", diff: "" };
let directory: string;
beforeEach(async () => {
  directory = await openFolder();
});

async function change(name: string, before: string, after: string): Promise<FileChange> {
  const path = join(directory, name);
  await writeFile(path, before);
  const [old, fresh] = [Buffer.from(before), Buffer.from(after)];
  return { path, name, ruled: name, before: old, after: fresh };
}

/** Makes a change as a tool does. */
const make = async (
  changes: readonly FileChange[],
  askToEdit: FileToolCall["askToEdit"] = async () => undefined,
) => prepareChange(changes, WORDS).run(fileCall({ askToEdit }));

const textOf = async (name: string): Promise<string> => readFile(join(directory, name), "utf8");

describe("a change of files", () => {
  it("is declared with every file and piece, asked for by their names and made with their modes kept", async () => {
    const changes = [await change("a.sh", "one\n", "1\n2\n"), await change("b.ts", "x", "y")];
    await chmod(join(directory, "a.sh"), 0o755);
    expect(prepareChange(changes, WORDS).effect).toEqual({
      kind: "edit",
      isPatch: true,
      edits: [
        { path: join(directory, "a.sh"), before: "one\n", after: "1\n2\n" },
        { path: join(directory, "b.ts"), before: "x", after: "y" },
      ],
    });
    const asked: (readonly string[])[] = [];
    const { files } = await make(changes, async (paths) => void asked.push(paths));
    expect(asked).toEqual([["a.sh", "b.ts"]]);
    expect([await textOf("a.sh"), await textOf("b.ts")]).toEqual(["1\n2\n", "y"]);
    expect((await stat(join(directory, "a.sh"))).mode & 0o777).toBe(0o755);
    expect(files).toEqual([
      { path: join(directory, "a.sh"), added: 2, removed: 1 },
      { path: join(directory, "b.ts"), added: 1, removed: 1 },
    ]);
  });

  it("is made in none of its files where one is read-only, and nobody is asked for it", async () => {
    const changes = [await change("a", "old", "new"), await change("b", "old", "new")];
    await chmod(join(directory, "b"), 0o444);
    const asked: unknown[] = [];
    await expect(make(changes, async (paths) => void asked.push(paths))).rejects.toThrow(
      "Nothing was changed: read-only is b.",
    );
    expect([await textOf("a"), await textOf("b"), asked]).toEqual(["old", "old", []]);
  });

  it.each([
    ["changed", async (path: string) => writeFile(path, "theirs"), "theirs"],
    ["a link", async (path: string) => swapForLink(path), "elsewhere"],
  ])("writes nothing at all once one of its files is %s", async (_what, disturb, left) => {
    const changes = [await change("a", "old", "new"), await change("b", "old", "new")];
    await expect(make(changes, async () => disturb(join(directory, "b")))).rejects.toThrow(
      /^Nothing was changed: b changed/,
    );
    expect([await textOf("a"), await textOf("b")]).toEqual(["old", left]);
  });

  it("puts back what it wrote when a later file cannot be written", async () => {
    await mkdir(join(directory, "no"));
    const changes = [await change("a", "old", "new"), await change("no/b", "old", "new")];
    const full = {
      length: 1,
      get byteLength(): number {
        throw new Error("disk is full");
      },
    };
    const held = new Proxy(changes[1] as FileChange, {
      get: (target, key) => (key === "after" ? full : Reflect.get(target, key)),
    });
    const run = make([changes[0] as FileChange, held]);
    await expect(run).rejects.toThrow(/no\/b could not be written: .* Nothing was changed\.$/);
    expect([await textOf("a"), await textOf("no/b")]).toEqual(["old", "old"]);
  });
});

async function swapForLink(path: string): Promise<void> {
  await writeFile(`${path}.target`, "elsewhere");
  await rm(path);
  await symlink(`${path}.target`, path);
}

describe("a file that a call names", () => {
  const find = (named: string, more: object = {}): unknown => {
    const place = { directory, project: directory, below: "pkg", standsFor: null, ...more };
    const found = locate(named, place, ["open.env"]);
    return isRefusal(found) ? found.reason : [found.name, found.ruled];
  };

  it("is one of the project's, by its real path, and none that may hold secrets", async () => {
    const outside = await openFolder();
    await writeFile(join(directory, ".env"), "");
    await symlink(outside, join(directory, "away"));
    await symlink(join(directory, ".env"), join(directory, "plain.txt"));
    expect(find("src/a.ts")).toEqual(["src/a.ts", "pkg/src/a.ts"]);
    expect(find(join(directory, "a.ts"))).toEqual(["a.ts", "pkg/a.ts"]);
    expect(find("../a.ts")).toMatch(/outside of the project/);
    expect(find("away/a.ts")).toMatch(/outside of the project/);
    expect(find(".env")).toMatch(/secrets/);
    expect(find("plain.txt")).toMatch(/secrets/);
    expect(find("open.env")).toEqual(["open.env", "pkg/open.env"]);
  });
});
