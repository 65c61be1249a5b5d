import { describe, expect, it } from "vitest";
import { openSystemPrompt } from "../../src/host/opencode/hooks.ts";

const ROLE = "You are MINERVA.";
const REST = "The environment.\nThe rules.";

function move(
  system: string[],
  opening: string,
  model: object = { id: "k2p5", providerID: "kimi" },
): string[] {
  openSystemPrompt({ sessionID: "s", model } as never, { system }).moveToEnd(opening);
  return system;
}

describe("a text at the beginning of the system prompt", () => {
  it.each<[string, string[], string, string[]]>([
    ["goes to the end", [`${ROLE}\n${REST}`], ROLE, [`${REST}\n\n${ROLE}`]],
    ["stays before what was added", [`${ROLE}\n${REST}`, "More."], ROLE, [`${REST}\n\n${ROLE}`, "More."]],
    ["stays where it is all there is", [ROLE], ROLE, [ROLE]],
    [
      "stays where it is only the start of a longer line",
      [`${ROLE} Indeed.\n${REST}`],
      ROLE,
      [`${ROLE} Indeed.\n${REST}`],
    ],
    [
      "is nobody's where it does not stand there",
      [`You are opencode.\n${ROLE}\n`],
      ROLE,
      [`You are opencode.\n${ROLE}\n`],
    ],
    ["is nothing where it is empty", [`\n${REST}`], "", [`\n${REST}`]],
    ["is nothing in no prompt at all", [], ROLE, []],
  ])("%s", (_name, system, opening, expected) => {
    expect(move(system, opening)).toEqual(expected);
  });

  it.each([
    { id: "claude-x", providerID: "openrouter" },
    { id: "x", providerID: "anthropic" },
    { id: "x", providerID: "own", api: { id: "us.anthropic.x", npm: "@ai-sdk/amazon-bedrock" } },
    { id: "x", providerID: "own", api: { id: "x", npm: "@ai-sdk/anthropic" } },
  ])("becomes a text of its own for a model that caches up to marks: %o", (model) => {
    expect(move([`${ROLE}\n${REST}`], ROLE, model)).toEqual([REST, ROLE]);
  });
});
