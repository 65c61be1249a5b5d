import { expect, it } from "vitest";
import { createOverlap, isNamed } from "../../src/plan/files.ts";
import { readCases } from "../support/cases.ts";

it.each<[string, string[], string[], boolean]>([
  ["by one name", ["x.ts"], ["./x.ts"], true],
  ["in a folder", ["src/"], ["src/x.ts"], true],
  ["by detours", ["src//x.ts"], ["lib/../src/x.ts"], true],
  ["in the whole project", ["."], ["src/x.ts"], true],
  ["in a glob", ["src/x.ts"], ["src/*.ts"], true],
  ["in a folder of a glob", ["lib/*"], ["lib/a/x.ts"], true],
  ["in two globs that begin alike", ["src/**/*.test.ts"], ["src/lib/**"], true],
  ["in globs apart", ["src/*.ts"], ["test/*.ts"], false],
  ["in none", ["x.ts", "src"], ["y.ts", "srcs/x.ts", "x.tsx"], false],
  ["where none are named", [], ["x.ts"], false],
  ["too many to tell", ["x.ts"], Array.from({ length: 2_000 }, (_each, at) => `${at}.ts`), true],
])("files of two tasks shared %s", (_name, files, others, shared) => {
  const [one, other] = [{ files }, { files: others }];
  const overlap = createOverlap([one, other]);
  expect([overlap(one, other), overlap(other, one)]).toEqual([shared, shared]);
});

it.each(readCases<[planned: string[], path: string, named: boolean]>("plan/named-files"))(
  "a file that a plan names %j and %s: %s",
  (planned, path, named) => {
    expect(isNamed(planned, path)).toBe(named);
  },
);
