import { existsSync } from "node:fs";
import { appendFile, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { writeIn } from "../support/directory.ts";
import type { JsonRecord } from "../../src/lib/json.ts";
import { FILE, openLanes, text, type Given, type LanesOptions, type LanesScene } from "./lanes-scene.ts";

const which = ({ folder }: Given): number => Number(/\/unit\/1\.(\d)(?:\/|$)/u.exec(folder)?.[1] ?? 0);
const notes = ({ notes: told }: JsonRecord): string => (told as string[]).join("\n");
const finished = { ok: true, status: "finished", open: [] };
/** Runs every test that there is. */
const RUNNER = `for each in tests/*.sh; do sh "$each" || exit 1; done\n`;
const ALL = { checks: [{ id: "all", command: "sh run.sh" }] };

/** Two candidates of whom the first makes the smaller change; the second leaves files. */
async function open(
  others: Readonly<Record<string, string>>,
  options: LanesOptions = {},
): Promise<LanesScene> {
  return openLanes(
    async (given) => {
      const isSecond = which(given) === 2;
      await given.edit(FILE, "line 5;", isSecond ? "top;\nlonger;" : "top;");
      for (const [path, content] of Object.entries(isSecond ? others : {})) {
        await mkdir(join(given.folder, path, ".."), { recursive: true });
        await writeFile(join(given.folder, path), content);
      }
    },
    {
      names: ["top"],
      lines: ["candidates: 2", `files: ${FILE.replace(" ", "?")}, tests/`],
      mode: "supervised",
      ...options,
      files: { "run.sh": RUNNER, "tests/old.sh": "exit 0\n", ...options.files },
      config: { lanes: "off", definitionOfDone: ALL, ...options.config },
    },
  );
}
const shared = (scene: LanesScene, path: string): boolean => existsSync(join(scene.top, path));
const PASSES = `grep -q top '${FILE}'\n`;

describe("new tests of a candidate that is not chosen", () => {
  it("come with the chosen one where they pass on it and are run, by the user's yes to both", async () => {
    const scene = await open({ "tests/more.sh": `. tests/lib.sh\n${PASSES}`, "tests/lib.sh": "true\n" });
    const told = vi.spyOn(scene.composition.host.sessions, "note");
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject(finished);
    expect(await scene.read()).toBe(text({ 5: "top;" }));
    expect(await scene.read("tests/more.sh")).toContain(PASSES);
    expect(await scene.read("tests/lib.sh")).toBe("true\n");
    expect(scene.gaia.asked.find((permission) => permission.includes("candidate of"))).toContain(
      "1 for task 1 (recommended); with 2 of the others' test files, which pass on it; say no with 1 for it alone",
    );
    const fact = "its tests/lib.sh, tests/more.sh: passes on 1";
    expect(JSON.stringify(told.mock.calls)).toContain(fact);
    expect(notes(report)).toContain(fact);
    expect(notes(report)).toContain("tests of others, kept with it: tests/lib.sh, tests/more.sh");
  });

  it("stay away where the user names the candidate alone", async () => {
    const scene = await open({ "tests/more.sh": PASSES });
    scene.gaia.answerTo = (permission) => (permission.includes("candidate of") ? { words: "1" } : "yes");
    expect(await scene.gaia.plan("run")).toMatchObject(finished);
    expect(await scene.read()).toBe(text({ 5: "top;" }));
    expect(shared(scene, "tests/more.sh")).toBe(false);
  });

  it.each<[string, Record<string, string>, LanesOptions, RegExp | null]>([
    [
      "that fail on the chosen one",
      { "tests/more.sh": `grep -q longer '${FILE}'\n` },
      {},
      /more\.sh: fail on it/u,
    ],
    [
      "that no check runs, whatever they say",
      { "tests/deep/more.sh": "exit 1\n" },
      {},
      /more\.sh: not seen to run on it/u,
    ],
    ["that are no tests", { "extra.sh": "exit 0\n" }, {}, null],
    ["that set up checks", { "tests/conftest.py": "\n", "vitest.config.ts": "\n" }, {}, null],
    [
      "that the plan does not give to the task, in autopilot",
      { "tests/more.sh": PASSES },
      { mode: "autopilot", lines: ["candidates: 2", `files: ${FILE.replace(" ", "?")}`] },
      null,
    ],
  ])("do not come %s", async (_which, others, options, fact) => {
    const scene = await open(others, options);
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject(finished);
    expect(await scene.read()).toBe(text({ 5: "top;" }));
    for (const path of Object.keys(others)) expect(shared(scene, path)).toBe(false);
    expect(notes(report)).not.toContain("kept with it");
    if (fact === null) expect(notes(report)).not.toMatch(/its [^ ]+:/u);
    else expect(notes(report)).toMatch(fact);
  });

  it("come in autopilot where the plan gives them to the task", async () => {
    const scene = await open({ "tests/more.sh": PASSES }, { mode: "autopilot" });
    expect(await scene.gaia.plan("run")).toMatchObject(finished);
    expect(await scene.read("tests/more.sh")).toBe(PASSES);
  });

  it("take nobody's place: not the user's file of that name, and not the chosen one's", async () => {
    const scene = await open({ "tests/mine.sh": PASSES, "tests/both.sh": PASSES, "tests/new.sh": PASSES });
    const { work } = scene;
    scene.work = async (given, each) => {
      await work(given, each);
      await writeFile(join(scene.top, "tests/mine.sh"), "exit 0 # the user's\n");
      if (which(given) === 1) await writeFile(join(given.folder, "tests/both.sh"), "exit 0\n");
    };
    expect(await scene.gaia.plan("run")).toMatchObject(finished);
    expect(await scene.read("tests/mine.sh")).toBe("exit 0 # the user's\n");
    expect(await scene.read("tests/both.sh")).toBe("exit 0\n");
    expect(await scene.read("tests/new.sh")).toBe(PASSES);
  });

  it("are gone again from its worktree where nothing could land", async () => {
    const scene = await open({ "tests/more.sh": PASSES });
    scene.gaia.answerTo = (permission) => {
      // While the dialog stands.
      if (permission.includes("candidate of")) void appendFile(join(scene.top, FILE), "");
      return "yes";
    };
    const { work } = scene;
    scene.work = async (given, each) => {
      await work(given, each);
      await writeFile(join(scene.top, FILE), text({ 5: "the user's;" }));
    };
    const report = await scene.gaia.plan("run");
    expect(report).toMatchObject({ ok: false, status: "user" });
    const folder = scene.given.find((given) => which(given) === 1)?.folder ?? "";
    expect(existsSync(join(folder, "tests/old.sh"))).toBe(true);
    expect(existsSync(join(folder, "tests/more.sh"))).toBe(false);
    expect(await scene.read()).toBe(text({ 5: "the user's;" }));
  });
});

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
