import { describe, expect, it } from "vitest";
import { reconcile } from "../../src/record/documents.ts";
import { planTask } from "../support/plan-task.ts";

const file = (path: string, added = 1, removed = 0) => ({ path, added, removed });
const delivered = (...files: ReturnType<typeof file>[]) => ({ files, base: "0123456789abcdef", known: true });
const task = (number: number, done: boolean, ...files: string[]) =>
  planTask(files.length === 0 ? { number, done } : { number, done, files });

describe("planned against delivered", () => {
  it.each([
    ["done as planned", task(1, true, "src/a.ts"), "| src/a.ts | src/a.ts (+1 −0) | delivered |"],
    [
      "ticked, unchanged",
      task(1, true, "src/b.ts"),
      "| src/b.ts | – | ticked, but none of its files changed |",
    ],
    ["open and begun", task(1, false, "src/"), "| src/ | src/a.ts (+1 −0) | open, its files changed |"],
    ["open", task(1, false, "src/b.ts"), "| src/b.ts | – | open |"],
    ["a pattern", task(1, true, "src/*.ts"), "| src/*.ts | src/a.ts (+1 −0) | delivered |"],
    ["done without files", task(1, true), "| – | – | done |"],
  ])("%s", (_name, planned, row) => {
    const { markdown } = reconcile([planned], delivered(file("src/a.ts")));
    expect(markdown).toContain(`| 1. Do it ${row}`);
  });

  it("names what nobody planned, what is open, and what it was compared with", () => {
    const found = reconcile([task(1, false, "src/a.ts")], delivered(file("src/a.ts"), file("x|y.md", 2, 1)));
    expect(found.markdown).toContain("| – | – | x\\|y.md (+2 −1) | not planned |");
    expect(found.markdown).toContain("Compared with 0123456789ab");
    expect(found.open).toHaveLength(1);
  });
});
