import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../../src/cli/main.ts";
import { trust } from "../../../src/cli/trust.ts";
import { openPlace, type Place } from "../place.ts";

const CONFIG = "project/.gaia/config.jsonc";

let place: Place;
beforeEach(async () => {
  const config = {
    mode: "autopilot",
    agents: { minerva: { prompt: "x" } },
    definitionOfDone: { checks: [{ id: "a", command: "make" }] },
  };
  place = await openPlace({ [CONFIG]: JSON.stringify(config) });
});
const run = async (args: string, answer = true): Promise<string> => (await place.run(trust, args, answer))[1];

const idOf = (text: string, what: string): string =>
  /\S+/.exec(text.split("\n").find((line) => line.includes(what)) ?? "")?.[0] ?? "";

describe("opencode-gaia trust", () => {
  it("shows what is asked for, grants it when a person says yes, and takes it back", async () => {
    const before = await run("");
    expect(before).toContain("Not in force");
    expect(before).toContain('.gaia/config.jsonc, mode: GAIA works in mode "autopilot"');
    expect(before).toContain("replaces the prompt of minerva");
    expect(before).not.toContain("In force, because");

    expect(await run("grant --all")).toMatch(/Granted, 2 in all/);
    expect(place.asked).toHaveLength(1);
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

  it("knows the options of the plugin's entry, and whose they are", async () => {
    const entry = JSON.stringify({ plugin: [["opencode-gaia", { specialistTools: ["*"] }]] });
    await place.put("project/opencode.json", entry);
    expect(await run("")).toContain("plugin options, specialistTools");
    await place.put("user/opencode/opencode.json", entry);
    expect(await run("")).not.toContain("plugin options");
  });

  it.each(["grant", "grant abc", "grant 0123456789", "nonsense", "show x", "--wrong"])(
    "refuses: %s",
    async (args) => {
      await expect(run(args)).rejects.toThrow(/\./);
      expect(place.asked).toEqual([]);
    },
  );

  it("grants nothing without a terminal", async () => {
    const before = process.cwd();
    process.chdir(place.project);
    onTestFinished(() => process.chdir(before));
    const lines: string[] = [];
    expect(await runCli([trust], ["trust", "grant", "--all"], (text) => lines.push(text))).toBe(1);
    expect(lines.join("\n")).toContain("Only a person at a terminal can say yes.");
  });
});
