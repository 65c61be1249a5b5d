import { describe, expect, it } from "vitest";
import { createSlashCommands } from "../../src/hooks/collaborate.ts";
import type { Runtime } from "../../src/runtime.ts";

describe("the arguments of a slash command", () => {
  it.each([
    ['/gaia-findings "start f1"', "start f1"],
    ["/gaia-findings start f1", "start f1"],
    ['/profile "pair_live"', "pair_live"],
    ['/gaia-plan "say \\"hello\\" twice"', 'say "hello" twice'],
    ['/gaia-plan "one" and "two"', '"one" and "two"'],
    ["/gaia-plan 'one'", "'one'"],
    ['/gaia-plan "open', '"open'],
    ["/gaia-status", ""],
  ])("%s are %j", (text, argumentText) => {
    const runtime = { registered: () => ({ commands: [] }) } as unknown as Runtime;
    expect(createSlashCommands(runtime).read(text)?.argumentText).toBe(argumentText);
  });
});
