import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { createPlaces } from "../../../src/policy/places.ts";
import type { Call } from "../../../src/policy/programs/program.ts";
import { programsFrom } from "../../../src/policy/programs/usage.ts";
import { Scope } from "../../../src/policy/shell/scope.ts";
import { type Arg, literal, unknown } from "../../../src/policy/shell/arg.ts";

/** Why a call is not read-only by these lines, undefined when it is; `$` stands for an argument known at run time. */
function problem(lines: string, args: readonly (string | Arg)[], name = "x"): string | undefined {
  const program = programsFrom(lines).get(name);
  if (program === undefined) throw new Error(`no line is about ${name}`);
  const all = args.map((arg) =>
    arg === "$" ? unknown("$", false) : typeof arg === "string" ? literal(arg) : arg,
  );
  // Usage lines look at nothing else of a call.
  const walk = { placeOf: createPlaces({}), scope: new Scope() };
  const found = program({ name, args: all, walk } as unknown as Call);
  return typeof found === "object" ? found.reason : found;
}

const reads = (lines: string, command: string): boolean =>
  problem(lines, command === "" ? [] : command.split(" ")) === undefined;

describe("a usage line", () => {
  const list = "x  list|show [-a --all] W* => read";
  const nested = "x (config list|(image|volume) ls)? => read";
  const letters = "x [-{abv} -n= -I? --name= --color?] F* => read";
  const tried = "x (-n|--dry-run) [-{v}] F* => read";
  const open = "x [-n= --text] (get|auth can-i) [-o=] ... !--textconv !-s !/^-[a-z]*w$/ => read";
  test.each([
    [list, "list", true],
    [list, "show -a b --all c", true],
    [list, "", false],
    [list, "remove", false],
    [list, "-a list", false],
    [list, "list -b", false],
    [list, "list --al", false],
    [list, "list -aa", false],
    [nested, "", true],
    [nested, "config list", true],
    [nested, "volume ls", true],
    [nested, "config", false],
    [nested, "config ls", false],
    [nested, "image ls more", false],
    [letters, "-ab file", true],
    [letters, "-abn 5 file", true],
    [letters, "-abn5 -I -Ix", true],
    [letters, "-abc", false],
    [letters, "--name a --name=b --color --color=c", true],
    [letters, "--all", false],
    [letters, "a -- -c", true],
    [letters, "+5", false],
    [tried, "-n a", true],
    [tried, "a -vn", true],
    [tried, "a --dry-run", true],
    [tried, "a -v", false],
    [tried, "-- -n", false],
    [open, "get pods --foo bar -o x", true],
    [open, "-n ns get", true],
    [open, "-n=ns auth --x can-i", false],
    [open, "auth can-i", true],
    [open, "-n get delete", false],
    [open, "--foo get", false],
    [open, "-o x get", false],
    [open, "-- get", false],
    [open, "get --textconv", false],
    [open, "get --textc", false],
    [open, "get --text", true],
    [open, "get -server", false],
    [open, "get -aw", false],
    [open, "get x -- --textconv", true],
    [open, "get --label -- --textconv", false],
    ["x [-n=N -t=/a|b/] => read", "-n 5 -t b", true],
    ["x [-n=N -t=/a|b/] => read", "-n5", true],
    ["x [-n=N -t=/a|b/] => read", "-n=5", true],
    ["x [-n=N -t=/a|b/] => read", "-n x", false],
    ["x [-n=N -t=/a|b/] => read", "-ta", false],
    ["x [-n=N -t=/a|b/] => read", "-t abc", false],
    ["x [-n=N -t=/a|b/] => read", "-n", false],
    ["x [-json -o=] => read", "-json", true],
    ["x [-json -o=] => read", "-js", false],
    ["x [-json -o=] => read", "-out", false],
    ["x -- -t [-v] F* => read", "-t -v a", true],
    ["x -- -t [-v] F* => read", "-t a -v", false],
    ["x -- -t [-v] F* => read", "-t -- a -v", true],
    ["x fmt -- -check W* => read", "fmt -check a", true],
    ["x fmt -- -check W* => read", "fmt a -check", false],
    ["x W - => read", "a -", true],
    ["x W - => read", "- a", false],
    ["x /a.*/s I? => read", "abc", true],
    ["x /a.*/s I? => read", "xabc", false],
    ["x F? => read", "in", true],
    ["x F? => read", "in out", false],
    ["x P* => read", "+%s", true],
    ["x P* => read", "0101", false],
    ["x L => read", "a.tar", true],
    ["x L => read", "host:a.tar", false],
    ["x * => read", "--anything at all", true],
    ["x a => project\nx a|b => read", "a", false],
    ["x a => project\nx a|b => read", "b", true],
    ["# x a => read\nx b => read", "a", false],
    ["x a\n    b => read", "a b", true],
  ])("%s: %j reads is %s", (lines, command, expected) => {
    expect(reads(lines, command)).toBe(expected);
  });

  test.each([
    ["x F* => read", ["$"], false],
    ["x F* => read", ["--", "$"], true],
    ["x W* => read", ["--", "$"], false],
    ["x /.*/s* => read", ["--", "$"], false],
    ["x F? => read", ["--", unknown("$", true)], false],
    ["x [-n=] => read", ["-n", "$"], true],
    ["x [-n=] => read", ["-n", unknown("$@", true)], false],
    ["x [-n=N] => read", ["-n", "$"], false],
    ["x list => read", ["$"], false],
    ["x list ... => read", ["list", "$"], false],
    ["x list ... !/y/ => read", ["list", "--", "$"], true],
    [
      "x list ... !/y/ => read",
      ["list", { pieces: ["a", { kind: "any", text: "$", split: false }], many: false }],
      false,
    ],
    ["x -- -t F* => read", ["-t", "a", "$"], false],
  ] as const)("%s: %j, known at run time, reads is %s", (lines, args, expected) => {
    expect(problem(lines, args) === undefined).toBe(expected);
  });

  test.each([
    "x",
    "x list",
    "x list => reads",
    "x list =>",
    "  x list\n  y list => read",
    "x (list => read",
    "x list) => read",
    "x [-a => read",
    "x [list] => read",
    "x (-a|list) => read",
    "x (list|-a) => read",
    "x Z => read",
    "x -n=Z => read",
    "x /(/ => read",
    "x list| => read",
    "x ? => read",
    "x [-a -a=] => read",
    "x list ... more => read",
    "x [-{ab}] list ... => read",
    "x { => read",
    "x [-c>] => read",
    "x create> => read",
    "x > => read",
    "x [-c>W] ... => read",
  ])("that cannot be read is an error: %s", (lines) => {
    expect(() => programsFrom(lines)).toThrow(/usage line/u);
  });

  it("says what is wrong where an option decided", () => {
    expect(problem("x list [-a] => read", ["list", "-b"])).toContain("-b");
    expect(problem("x list [-a] => read", ["remove", "y"])).toContain("x remove y");
    expect(problem("x list F* => read", ["list", "$"])).toContain("--");
  });
});

describe("options", () => {
  const LINE = "x [-{abc} -n= --all --name= --color?] F* => read";
  const option = fc.constantFrom(
    ["-a"],
    ["-bc"],
    ["-n", "5"],
    ["-cn5"],
    ["--all"],
    ["--name", "y"],
    ["--name=y"],
    ["--color=z"],
  );
  const operand = fc.constantFrom(["file"], ["other/file"], ["-"]);

  it("may stand in any order, among the operands too", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(option, operand)), (parts) => {
        expect(problem(LINE, parts.flat())).toBeUndefined();
      }),
    );
  });

  it("may be bundled in any order, as long as every letter is known", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."abcdef".split("")), minLength: 1, maxLength: 6 }),
        (letters) => {
          expect(problem(LINE, [`-${letters}`]) === undefined).toBe(!/[def]/u.test(letters));
        },
      ),
    );
  });

  it("are refused wherever an unknown one stands before a --, and are operands behind it", () => {
    fc.assert(
      fc.property(
        fc.array(option),
        fc.constantFrom("-x", "-ax", "--other", "--other=x"),
        fc.array(option),
        (left, bad, right) => {
          expect(problem(LINE, [...left.flat(), bad, ...right.flat()])).toBeDefined();
          expect(problem(LINE, [...left.flat(), "--", bad, ...right.flat()])).toBeUndefined();
        },
      ),
    );
  });

  it("are unknown in any abbreviation", () => {
    const whole = ["--all", "--name", "--color"];
    const short = fc
      .constantFrom(...whole)
      .chain((name) => fc.nat({ max: name.length - 4 }).map((size) => name.slice(0, size + 3)));
    fc.assert(
      fc.property(
        short.filter((name) => !whole.includes(name)),
        fc.array(option),
        (name, rest) => {
          expect(problem(LINE, [name, ...rest.flat()])).toBeDefined();
          expect(problem(LINE, [`${name}=y`, ...rest.flat()])).toBeDefined();
        },
      ),
    );
  });
});
