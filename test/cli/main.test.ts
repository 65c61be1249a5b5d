import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { type Command, runCli } from "../../src/cli/main.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { createError } from "../../src/lib/error.ts";

const greet: Command = {
  name: "greet",
  summary: "say hello",
  async run(args, { print }) {
    if (args.includes("nobody")) throw createError("greet", "Nobody is there.", { hint: "Name somebody." });
    print(`hello ${args.join(" ")}`);
    return args.length;
  },
};

async function run(...args: string[]): Promise<{ code: number; output: string }> {
  const lines: string[] = [];
  const code = await runCli([greet], args, (text) => lines.push(text));
  return { code, output: lines.join("\n") };
}

describe("the command line", () => {
  it("gives a command its arguments and returns its exit code", async () => {
    expect(await run("greet", "big", "world")).toEqual({ code: 2, output: "hello big world" });
  });

  it.each([[[]], [["--help"]], [["-h"]], [["help"]]])("lists the commands for %j", async (args) => {
    const { code, output } = await run(...args);
    expect(code).toBe(0);
    expect(output).toContain("greet  say hello");
  });

  it.each(["--version", "-v"])("says its version for %s", async (flag) => {
    const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
    expect(await run(flag)).toEqual({ code: 0, output: version });
  });

  it("names a command that it does not have, and lists those it has", async () => {
    const { code, output } = await run("gret");
    expect(code).toBe(2);
    expect(output).toMatch(/no command "gret"\. Did you mean "greet"\?[^]*greet {2}say hello/);
  });

  it("prints what a user can put right, without a stack", async () => {
    const { code, output } = await run("greet", "nobody");
    expect({ code, output }).toEqual({
      code: 1,
      output: "opencode-gaia greet: Nobody is there. Name somebody.",
    });
  });
});

describe("every command", () => {
  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    "%s explains itself, and refuses an option that it does not know",
    async (name, command) => {
      const lines: string[] = [];
      const print = (text: string): void => void lines.push(text);
      expect(await runCli([command], [name, "--help"], print)).toBe(0);
      expect(lines.join("\n")).toContain(`opencode-gaia ${name}`);
      expect(await runCli(COMMANDS, [name, "--no-such-option"], print)).toBe(2);
      expect(lines.at(-1)).toContain("--no-such-option");
      if (name === "mcp") return expect(await runCli(COMMANDS, [name, "now"], print)).toBe(2);
    },
  );

  it("refuses a word behind those that it takes", async () => {
    const lines: string[] = [];
    expect(await runCli(COMMANDS, ["report", "one", "two"], (text) => lines.push(text))).toBe(2);
    expect(lines.join("\n")).toContain('There is no "one two"');
  });
});
