import { existsSync } from "node:fs";
import { rm, symlink } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { writeIn } from "../support/directory.ts";
import type { JsonRecord } from "../../src/lib/json.ts";
import { FILE, openLanes, text, type Given, type LanesScene } from "./lanes-scene.ts";

const which = ({ folder }: Given): number => Number(/\/unit\/1\.(\d)(?:\/|$)/u.exec(folder)?.[1] ?? 0);
const notes = ({ notes: told }: JsonRecord): string => (told as string[]).join("\n");
const finished = { ok: true, status: "finished", open: [] };

describe("a check that candidates are not told of", () => {
  const lines = [
    "candidates: 3",
    `hidden: grep -qxf tests/secret.txt '${FILE}'`,
    `files: ${FILE.replace(" ", "?")}, tests/`,
  ];
  const openHidden = async (right: number): Promise<LanesScene> => {
    const scene = await openLanes(
      async (given) => {
        const isRight = which(given) === right || given.turn > 3;
        await given.edit(FILE, /line 5;|top, almost;/u, isRight ? "top;" : "top, almost;");
        await rm(join(given.folder, "tests"), { recursive: true, force: true });
        // What they put in its place is none of its files, and nothing leads it elsewhere.
        if (which(given) === 1) await writeIn(given.folder, "tests/secret.txt", "top, almost;\n");
        else if (which(given) === 2) await symlink(scene.data, join(given.folder, "tests"));
      },
      { names: ["top"], lines, config: { lanes: "off" } },
    );
    await writeIn(scene.top, ".gaia/unit/hidden/tests/secret.txt", "top;\n");
    return scene;
  };

  it("decides by files that they cannot see or change, and nothing of them lands", async () => {
    const scene = await openHidden(3);
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject(finished);
    expect(notes(report)).toMatch(/candidate 3 .* · passes 2 · .* chosen: the only one that passes/u);
    expect(notes(report)).toMatch(/candidate 1 hephaestus · the hidden check fails/u);
    expect(scene.given.map(({ prompt }) => prompt).join("\n")).not.toMatch(/secret|hidden/u);
    expect(await scene.read()).toBe(text({ 5: "top;" }));
    expect(existsSync(join(scene.top, "tests"))).toBe(false);
    expect(existsSync(join(scene.data, "secret.txt"))).toBe(false);
  });

  it("is not told to who is sent back for it either", async () => {
    const scene = await openHidden(0);
    expect(await scene.gaia.plan("run")).toMatchObject(finished);
    expect(scene.given).toHaveLength(4);
    expect(scene.given[3]?.prompt).toContain("A check that you are not told of fails");
    expect(scene.given[3]?.prompt).not.toMatch(/secret|grep -qxf/u);
  });
});

describe("candidates of whom a language server sees errors", () => {
  const FILES = {
    "tsconfig.json": `{ "compilerOptions": { "strict": true, "noEmit": true }, "include": ["src"] }\n`,
    "src/total.ts": "export function total(list: number[]): number {\n  return list.length;\n}\n",
    "src/bill.ts": 'import { total } from "./total";\nexport const bill: number = total([1]);\n',
  };

  it("come behind those who make fewer of them, whatever the size of the change", async () => {
    vi.stubEnv("PATH", [resolve("node_modules/.bin"), process.env["PATH"]].join(delimiter));
    const scene = await openLanes(
      async (given) => {
        const types = which(given) === 1 ? "string" : "number";
        const more = which(given) === 1 ? "" : "  // What there is of it: top.\n";
        await given.edit("src/total.ts", "number[]): number {\n", `${types}[]): number { // top\n${more}`);
      },
      {
        names: ["top"],
        files: FILES,
        lines: ["candidates: 2", "files: src/total.ts"],
        verify: () => "grep -q top src/total.ts",
        config: { lanes: "off", code: "on", sandbox: "machine" },
      },
    );
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject(finished);
    expect(notes(report)).toMatch(
      /candidate 2 .*chosen: it makes the fewest new errors\ncandidate 1 hephaestus · passes 1; 1 new error · /u,
    );
    expect(await scene.read("src/total.ts")).toContain("number[]");
  });
});
