import { expect, it } from "vitest";
import { following } from "../../src/lib/following.ts";

it("is what is there now, for functions that were taken from it before as well", () => {
  const one = { name: "one", read: () => "first" };
  const other = { name: "other", read: () => "second" };
  let now = one;
  const both = following(one, () => now);
  const { read } = both;
  const copy = { ...both };
  expect([both.name, read(), copy.read()]).toEqual(["one", "first", "first"]);
  now = other;
  expect([both.name, both.read(), read(), copy.read()]).toEqual(["other", "second", "second", "second"]);
});
