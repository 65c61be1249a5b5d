import { expect, it } from "vitest";
import { plainText } from "../../src/lib/markdown.ts";
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
