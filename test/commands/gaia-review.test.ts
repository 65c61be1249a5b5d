import { describe, expect, it } from "vitest";
import { readAsked } from "../../src/commands/reviews.ts";

describe("what /gaia-review is asked for", () => {
  it.each([
    ["", false, null, ""],
    ["branches of the parser", false, null, "branches of the parser"],
    ["branch", true, null, ""],
    ["branch the parser", true, null, "the parser"],
    ["--base v1 the parser", true, "v1", "the parser"],
    ["branch --base v1", true, "v1", ""],
    ["branch the parser --base=v1", true, "v1", "the parser"],
    ["--base v1 branch the parser", true, "v1", "the parser"],
    ["the parser --base", true, null, "the parser"],
  ])("%j", (typed, isOfBranch, base, focus) => {
    expect(readAsked(typed)).toEqual({ isOfBranch, base, focus });
  });
});
