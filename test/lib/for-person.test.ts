import { expect, it } from "vitest";
import { toUser } from "../../src/lib/for-person.ts";

it.each([
  ["The user has said no, and the user is asked.", "You have said no, and you are asked."],
  ["b.txt holds uncommitted changes of the user's own.", "b.txt holds uncommitted changes of your own."],
  ["The user's file is the user's.", "Your file is yours."],
  ["the users of it", "the users of it"],
])("speaks to the user: %s", (text, spoken) => {
  expect(toUser(text)).toBe(spoken);
});
