import { describe, expect, it } from "vitest";
import { openSystemPrompt } from "../../src/host/opencode/hooks.ts";
import { readCases } from "../support/cases.ts";

function move(system: string[], opening: string, model: object): string[] {
  openSystemPrompt({ sessionID: "s", model } as never, { system }).moveToEnd(opening);
  return system;
}

describe("a text at the beginning of the system prompt", () => {
  it.each(readCases<[string, string[], string, string[]]>("host/system-prompt"))(
    "%s",
    (_name, system, opening, expected) => {
      expect(move(system, opening, { id: "k2p5", providerID: "kimi" })).toEqual(expected);
    },
  );

  it.each([
    { id: "claude-x", providerID: "openrouter" },
    { id: "x", providerID: "anthropic" },
    { id: "x", providerID: "own", api: { id: "us.anthropic.x", npm: "@ai-sdk/amazon-bedrock" } },
    { id: "x", providerID: "own", api: { id: "x", npm: "@ai-sdk/anthropic" } },
  ])("becomes a text of its own for a model that caches up to marks: %o", (model) => {
    expect(move(["A role.\nThe rules."], "A role.", model)).toEqual(["The rules.", "A role."]);
  });
});
