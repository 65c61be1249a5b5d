import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { readArguments, verbatim } from "../../src/lib/tool-arguments.ts";
import { readCases } from "../support/cases.ts";

const SCHEMA = z.object({
  file: z.optional(z.string()),
  paths: z.optional(z.array(z.string())),
  line: z.optional(z.number()),
  dry_run: z.optional(z.boolean()),
  rewrite: z.optional(verbatim(z.string())),
  until: z.optional(z.enum(["any_one", "all"])),
  inside: z.optional(z.object({ text: z.optional(z.string()) })),
  edits: z.optional(
    z.array(z.object({ op: z.enum(["replace", "delete"]), from: z.string(), to: z.optional(z.string()) })),
  ),
});
const check = (given: unknown): unknown => {
  const read = readArguments(SCHEMA, given);
  return read.ok ? read.args : read.problem;
};
const EDIT = { op: "replace", from: "1#abcd" };

describe("arguments of a call", () => {
  it.each<[string, object, object]>(readCases<[string, object, object]>("lib/tool-arguments.may-be"))(
    "may be %s",
    (_what, given, meant) => {
      expect(check(given)).toEqual(meant);
      expect(check(JSON.stringify(given))).toEqual(meant);
    },
  );

  const words = ["", " \n", "null", "None", "nil", "undefined", "N/A"];
  it.each<unknown>([...words, null, undefined, [], {}, [""], [null]])(
    "that are optional and %j are absent",
    (nothing) => {
      for (const name of ["file", "paths", "dry_run", "until", "inside", "edits"])
        expect(check({ line: 1, [name]: nothing }), name).toEqual({ line: 1 });
      expect(check({ inside: { text: nothing } })).toEqual({});
      expect(check({ edits: [{ ...EDIT, to: nothing }] })).toEqual({ edits: [EDIT] });
    },
  );

  it("may be blank where that means something, and a choice in any case", () => {
    expect(check({ rewrite: "" })).toEqual({ rewrite: "" });
    expect(check({ rewrite: null })).toEqual({});
    expect(check({ until: "Any one" })).toEqual({ until: "any_one" });
    expect(check({ until: "some" })).toMatch(/^Wrong arguments\. until: .*"any_one"\|"all"/);
  });

  it.each<[object, RegExp]>(readCases<[object, RegExp]>("lib/tool-arguments.that-stand-for-nothing-are"))(
    "that stand for nothing are told of: %j",
    (given, words) => {
      expect(check(given)).toMatch(words);
    },
  );
});
