import { expect, it } from "vitest";
import { readConditions } from "../../../src/workspace/documents/plan-conditions.ts";

it.each([
  ["## Done When", "- [ ] npm test passes"],
  ["## Done when:", "1. npm test passes"],
  ["### **Definition of Done**", "* npm test passes"],
  ["## 4. Done-When", "npm test passes"],
])("conditions are read under %s", (heading, line) => {
  expect(readConditions(`# T\n\n## Tasks\n\n- [ ] a\n\n${heading}\n\n${line}\n`)).toEqual([
    { number: 1, text: "npm test passes", done: false },
  ]);
});

it("the lines of a block are commands, an item each", () => {
  const plan = "## Done When\n\n- [x] It works\n\n```sh\n# all of it\n$ npm test\nnpm run lint\n```\n";
  expect(readConditions(plan).map(({ text }) => text)).toEqual(["It works", "`npm test`", "`npm run lint`"]);
});
