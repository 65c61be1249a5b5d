import { expect, it } from "vitest";
import { stepTo } from "../../../src/conversation/own-work/taken-back.ts";

/** The user's messages have words, the plugin's notes have none. */
const SPOKEN = [
  { id: "u1", words: "First" },
  { id: "n1", words: null },
  { id: "n2", words: null },
  { id: "u2", words: "" },
  { id: "n3", words: null },
];

it.each([
  ["from the end to a note: back to the user's last", null, "n3", { id: "u2", words: "" }],
  ["back over several notes", "u2", "n2", { id: "u1", words: "First" }],
  ["to a message of the user's", "u2", "u1", "here"],
  ["forth to a note: on to the user's next", "u1", "n1", { id: "u2", words: null }],
  ["forth to a note behind the user's last: all of it", "u2", "n3", "all"],
  ["to what is not known", "u2", "x", "here"],
  ["from what is gone meanwhile", "x", "n1", { id: "u2", words: null }],
])("a step %s", (_name, before, to, expected) => {
  expect(stepTo(SPOKEN, before, to)).toEqual(expected);
});

it("a step back to a note before anything of the user's ends there", () => {
  expect(stepTo([{ id: "n", words: null }], null, "n")).toBe("here");
});
