import { shortCount } from "../../src/lib/figures.ts";
import { expect, it } from "vitest";
import { plainText } from "../../src/lib/plain-text.ts";
import { firstSentence } from "../../src/lib/sentence.ts";
import { withoutComments } from "../../src/lib/markdown.ts";
import { readCases } from "../support/cases.ts";

it.each(readCases<[string, string]>("lib/plain-text.reads-where-nothing-renders-it"))(
  "%j reads %j where nothing renders it",
  (markdown, plain) => {
    expect(plainText(markdown)).toBe(plain);
  },
);

// Where each sign was looked at from each other one, this took minutes.
it.each(["<!--", "**a ", "[", "[a](http:"])("comes to its end in a long line of %j", (sign) => {
  expect(plainText(sign.repeat(150_000))).toEqual(expect.any(String));
});

it("leaves out comments that end, and nothing else", () => {
  expect(withoutComments("a<!-- b --><!---->c --> <!-- d <!-- e --> f <!-- g")).toBe("ac -->  f <!-- g");
});

it.each([
  ["It broke. Try again.", "It broke"],
  ["see delegation.maxTaskMinutes now", "see delegation.maxTaskMinutes now"],
  ["two\nlines! and more", "two lines!"],
  ["", ""],
])("the first sentence of %j is %j", (text, first) => {
  expect(firstSentence(text)).toBe(first);
});

it("counts in a few characters", () => {
  expect([999, 12_345, 1_200_000].map(shortCount)).toEqual(["999", "12.3k", "1.2M"]);
});
