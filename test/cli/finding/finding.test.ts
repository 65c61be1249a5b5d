import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { finding } from "../../../src/cli/finding.ts";
import { openFolder } from "../../support/folder.ts";

let root: string;
beforeEach(async () => {
  root = await openFolder();
  await mkdir(join(root, "project/.git"), { recursive: true });
  await mkdir(join(root, "project/src"));
  await mkdir(join(root, "project/.gaia"));
});
const TOKEN = "deploy-0123456789";
const file = async (): Promise<string> => readFile(join(root, "project/.gaia/findings.md"), "utf8");

/** @returns the exit code and what was printed */
async function run(...args: string[]): Promise<[number, string]> {
  const lines: string[] = [];
  const environment = {
    XDG_CONFIG_HOME: join(root, "user"),
    XDG_DATA_HOME: join(root, "data"),
    DEPLOY_TOKEN: TOKEN,
  };
  const code = await finding.run(args, {
    print: (text) => lines.push(text),
    from: join(root, "project/src"),
    environment,
    confirm: async () => false,
  });
  return [code, lines.join("\n")];
}
const add = async (...args: string[]) => run("add", "--type", "test", ...args);

describe("opencode-gaia finding", () => {
  it("adds what CI found once, from any folder of the project, and says by its exit code what became of it", async () => {
    expect(await add("--id", "ci-7", "--where", "a.ts:3", "--text", "2 tests\u001b[31m fail")).toEqual([
      0,
      "added: ci-7 [open] test, a.ts:3: 2 tests [31m fail (CI)",
    ]);
    expect(await add("--id", "CI-7", "--text", "3 tests fail")).toEqual([
      0,
      expect.stringContaining("known: ci-7"),
    ]);
    expect((await add("--id", "ci-7", "--by", "scanner", "--text", "A hole"))[0]).toBe(3);
    const [, json] = await add("--json", "--text", `The log holds ${TOKEN} | and\nmore`);
    expect(JSON.parse(json)).toMatchObject({
      result: "added",
      path: ".gaia/findings.md",
      finding: {
        type: "test",
        by: "CI",
        state: "open",
        what: expect.stringContaining("[REDACTED:env…6789] | and more") as never,
      },
    });
    expect((await file()).match(/^\| (?:ci-7|f-[0-9a-f]{10}) \| test \|/gm)).toHaveLength(2);
    expect(await file()).not.toContain(TOKEN);
  });

  it("names a file as the project has it, that CI names from where it runs", async () => {
    await writeFile(join(root, "project/src/b.ts"), "");
    await writeFile(join(root, "project/c.ts"), "");
    const placed = async (where: string): Promise<string> => {
      const [, json] = await add("--json", "--where", where, "--text", `At ${where}`);
      return (JSON.parse(json) as { finding: { where: string } }).finding.where;
    };
    expect(await placed("b.ts:3:9")).toBe("src/b.ts:3:9");
    expect(await placed("./b.ts")).toBe("src/b.ts");
    expect(await placed("src/b.ts:3")).toBe("src/b.ts:3");
    expect(await placed("c.ts:1")).toBe("c.ts:1");
    expect(await placed("gone.ts:1")).toBe("gone.ts:1");
    expect(await placed("the login page")).toBe("the login page");
  });

  it.each([
    [["add", "--text", "x"], "--type is one of bug, regression"],
    [["add", "--type", "whatever", "--text", "x"], "--type is one of"],
    [["add", "--type", "bug"], "Say what was found with --text."],
    [["add", "--type", "bug", "--text", "x", "--id", "a b"], "--id is 1 to 64"],
    [["remove", "ci-7"], '"remove ci-7" is nothing it does.'],
    [["add", "--state", "done"], "Unknown option '--state'"],
  ])("%j is told from what went wrong, and writes nothing", async (args, words) => {
    const told = { unit: "usage", message: expect.stringContaining(words) as never };
    await expect(run(...args)).rejects.toMatchObject(told);
    await expect(file()).rejects.toThrow("ENOENT");
  });

  it("writes nothing where findings are switched off, and leaves a file that it cannot read", async () => {
    await writeFile(join(root, "project/.gaia/findings.md"), "<<<<<<< ours\n");
    await expect(add("--text", "x")).rejects.toThrow(".gaia/findings.md:1: unresolved merge conflict.");
    await writeFile(join(root, "project/.gaia/config.jsonc"), '{ "findings": { "enabled": false } }');
    expect(await add("--text", "x")).toEqual([1, "Findings are switched off here (findings.enabled)."]);
    expect(await file()).toBe("<<<<<<< ours\n");
  });

  it("loses nothing of what ten report at once", async () => {
    const all = Array.from({ length: 10 }, async (_, at) =>
      add("--id", `ci-${at}`, "--text", `Finding ${at}`),
    );
    expect((await Promise.all(all)).map(([code]) => code)).toEqual(Array.from({ length: 10 }, () => 0));
    expect((await file()).match(/^\| ci-\d+ \|/gm)).toHaveLength(10);
  });
});
