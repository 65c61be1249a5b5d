import { expect, it } from "vitest";
import { createLeftForUser } from "../../../src/conversation/left-for-user/left-for-user.ts";

it("tells of each thing once, keeps so many, and forgets them when the user writes", () => {
  const told: string[] = [];
  const logged: string[] = [];
  const left = createLeftForUser({
    tell: (line) => told.push(line),
    log: async (title, markdown) => void logged.push(`${title}: ${markdown}`),
  });
  left.add("`git push` reaches beyond the project");
  left.add("`git push` reaches beyond the project");
  expect(told).toEqual([expect.stringContaining("Left for you")]);
  expect(logged).toEqual(["Left for you: - `git push` reaches beyond the project"]);
  left.userSpoke?.("answer");
  expect(left.all).toEqual(["`git push` reaches beyond the project"]);
  left.userSpoke?.("message");
  expect(left.all).toEqual([]);
  for (let index = 0; index < 100; index++) left.add(`${index}${"x".repeat(1_000)}`);
  expect(left.all).toHaveLength(20);
  expect(Math.max(...left.all.map((line) => line.length))).toBeLessThanOrEqual(200);
});
