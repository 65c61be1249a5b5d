import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../../src/cli/main.ts";
import { trust } from "../../../src/cli/trust.ts";
import { writeIn } from "../../support/directory.ts";
import { openFolder } from "../../support/folder.ts";

let root: string;
let asked: string[];
beforeEach(async () => {
  root = await openFolder();
  asked = [];
  await put("project/.git/HEAD", "");
  await put(
    "project/.gaia/config.jsonc",
    JSON.stringify({
      mode: "autopilot",
      agents: { minerva: { prompt: "x" } },
      definitionOfDone: { checks: [{ id: "a", command: "make" }] },
    }),
  );
});

const put = async (path: string, text: string): Promise<string> => writeIn(root, path, text);

/** Runs the command; a person answers as given. */
async function run(args: string, answer = true): Promise<string> {
  const lines: string[] = [];
  const environment = { XDG_CONFIG_HOME: join(root, "user"), XDG_DATA_HOME: join(root, "data") };
  await trust.run(args.split(" ").filter(Boolean), {
    print: (text) => lines.push(text),
    confirm: async (question) => {
      asked.push(question);
      return answer;
    },
    from: join(root, "project"),
    environment,
  });
  return lines.join("\n");
}
const idOf = (text: string, what: string): string =>
  text
    .split("\n")
    .find((line) => line.includes(what))
    ?.trim()
    .split(" ")[0] ?? "";

describe("opencode-gaia trust", () => {
  it("shows what is asked for, grants it when a person says yes, and takes it back", async () => {
    const before = await run("");
    expect(before).toContain("Not in force");
    expect(before).toContain('.gaia/config.jsonc, mode: GAIA works in mode "autopilot"');
    expect(before).toContain("replaces the prompt of minerva");
    expect(before).not.toContain("In force, because");

    expect(await run("grant --all")).toMatch(/Granted, 2 in all/);
    expect(asked).toHaveLength(1);
    const after = await run("show");
    expect(after).not.toContain("Not in force");
    expect(after).toContain("In force, because you said yes");
    expect(await run("grant --all")).toBe("There is nothing to grant.");

    await run(`revoke ${idOf(after, '"make"')}`);
    expect(await run("")).toMatch(/Not in force[^]*"make"[^]*In force, because[^]*autopilot/);
    await run("revoke --all");
    expect(await run("")).not.toContain("In force, because");
  });

  it("grants one by its id, and nothing where the answer is another", async () => {
    const id = idOf(await run(""), '"make"');
    expect(await run(`grant ${id}`, false)).toContain("Nothing was granted.");
    expect(await run("")).not.toContain("In force, because");
    await run(`grant ${id}`);
    expect(await run("")).toMatch(/Not in force[^]*autopilot[^]*In force, because[^]*"make"/);
  });

  it("asks again for what has changed", async () => {
    await run("grant --all");
    const checks = [
      { id: "a", command: "make" },
      { id: "b", command: "make b" },
    ];
    await put(
      "project/.gaia/config.jsonc",
      JSON.stringify({ mode: "autopilot", definitionOfDone: { checks } }),
    );
    const [open = ""] = (await run("")).split("In force");
    expect(open).toContain('"make b"');
    expect(open).not.toContain('"make"');
  });

  it("knows the options of the plugin's entry, and whose they are", async () => {
    const entry = JSON.stringify({ plugin: [["opencode-gaia", { specialistTools: ["*"] }]] });
    await put("project/opencode.json", entry);
    expect(await run("")).toContain("plugin options, specialistTools");
    await put("user/opencode/opencode.json", entry);
    expect(await run("")).not.toContain("plugin options");
  });

  it.each(["grant", "grant abc", "grant 0123456789", "nonsense", "show x", "--wrong"])(
    "refuses: %s",
    async (args) => {
      await expect(run(args)).rejects.toThrow(/\./);
      expect(asked).toEqual([]);
    },
  );

  it("grants nothing without a terminal", async () => {
    const before = process.cwd();
    process.chdir(join(root, "project"));
    onTestFinished(() => process.chdir(before));
    const lines: string[] = [];
    expect(await runCli([trust], ["trust", "grant", "--all"], (text) => lines.push(text))).toBe(1);
    expect(lines.join("\n")).toContain("Only a person at a terminal can say yes.");
  });
});
