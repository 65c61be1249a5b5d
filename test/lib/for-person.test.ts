import { expect, it } from "vitest";
import { failureForPerson } from "../../src/lib/for-person.ts";

it.each([
  ["Resolve it, then try again.", "Broken. Resolve it, then try again."],
  ["list_work_units shows what there is.", "Broken."],
  ["Pass them, or replace: true if they are to go.", "Broken."],
  ["", "Broken."],
])("a user is told what to do, and nothing that only a model can: %s", (hint, told) => {
  expect(failureForPerson({ error: "Broken.", hint })).toBe(told);
});
