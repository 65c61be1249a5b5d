import { describe, expect, it } from "vitest";
import { followKey, type PressedKey } from "../../src/tui/typing.ts";

const key = (name: string, ctrl = false): PressedKey => ({ name, ctrl, meta: false });

/** Presses keys one after the other, `ms` apart, where a dialog binds h, l and Enter. @returns those that reach nobody */
function press(names: readonly string[], hasField: (at: number) => boolean, ms = 100): string[] {
  let typedAt = -Infinity;
  return names.filter((name, at) => {
    const isBound = ["h", "l", "1", "return"].includes(name);
    const now = 10_000 + at * ms;
    const followed = followKey(typedAt, key(name), { now, hasField: hasField(at), isBound });
    ({ typedAt } = followed);
    return followed.isKept;
  });
}
const dialog = () => false;

describe("a dialog over the prompt", () => {
  it.each<[string, readonly string[], (at: number) => boolean, readonly string[]]>([
    ["takes an Enter by itself", ["return"], dialog, []],
    ["takes its own keys, and the Enter behind them", ["h", "l", "return"], dialog, []],
    [
      "gets no Enter of someone who types on",
      ["a", "space", "b", "return"],
      dialog,
      ["space", "b", "return"],
    ],
    ["gets no key of a word, though it binds that", ["w", "h", "1", "return"], dialog, ["h", "1", "return"]],
    [
      "gets no Enter that follows what was typed before it opened",
      ["a", "return"],
      (at) => at === 0,
      ["return"],
    ],
    ["takes an Enter behind a message that was sent", ["a", "return", "return"], (at) => at < 2, []],
    ["leaves the keys to its own field", ["a", "b", "return"], () => true, []],
  ])("%s", (_name, names, hasField, kept) => {
    expect(press(names, hasField)).toEqual(kept);
  });

  it("takes the Enter again two seconds after the last character", () => {
    expect(press(["a", "return", "return"], dialog, 1_100)).toEqual(["return"]);
  });

  it("takes a key with a modifier for no character", () => {
    const { typedAt } = followKey(-Infinity, key("f", true), { now: 1, hasField: false, isBound: false });
    expect(typedAt).toBe(-Infinity);
  });
});
