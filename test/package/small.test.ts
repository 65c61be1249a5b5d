import { expect, it } from "vitest";
import { makeSmall } from "../../build/small.ts";

it.each([
  ["a value by default", "(x, s = g) => { const g = x; return s + g; }"],
  ["a function by default", "(x, s = () => g) => { let g = x; return s() + g; }"],
  ["a part by default", "(x, { s = g } = {}) => { const g = x; return s + g; }"],
])("what is made small takes %s from around it, whatever is called the same inside", async (_name, f) => {
  const code = await makeSmall(`const g = Number("40");\nexport const f = ${f};\n`);
  const { f: small } = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    f: (x: number) => number;
  };
  expect(small(2)).toBe(42);
});
