import { expect, it } from "vitest";
import { readSaid } from "../../src/host/opencode/user-message.ts";

const own = { type: "text", text: "results", metadata: { gaia: true } };
const written = { type: "text", text: "Continue if you have next steps", synthetic: true };

it.each([
  ["a text", [{ type: "text", text: "Go" }, written], { text: "Go", files: [] }],
  ["a file alone", [{ type: "file", filename: "a.png" }], { text: "", files: ["a.png"] }],
  ["what the plugin wrote", [own], null],
  ["what OpenCode wrote", [written], null],
  ["what both wrote", [own, written], null],
])("what the user said: %s", (_what, parts, said) => {
  expect(readSaid(parts as unknown as Parameters<typeof readSaid>[0])).toEqual(said);
});
