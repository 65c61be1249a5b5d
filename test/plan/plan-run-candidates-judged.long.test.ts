import { existsSync } from "node:fs";
import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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
