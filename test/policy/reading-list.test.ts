import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { isReading } from "../../src/policy/reading-list.ts";
import { parseLine } from "../../src/policy/simple-commands.ts";
import { randomOf } from "../support/random.ts";
import { readCases } from "../support/cases.ts";

const reads = (line: string): boolean => isReading(parseLine(line));

describe("what only reads", () => {
  test.each(readCases<string>("policy/reading-list.what-only-reads"))("is %j", (line) => {
    expect(reads(line)).toBe(true);
  });
});

/** Each writes, runs something, shows variables, or may: by what it says or by what a shell makes of it. */
const NOT_READING: Readonly<Record<string, readonly string[]>> = {
  "programs that are not listed": readCases<string>("policy/reading-list.programs-that-are-not-listed"),
  "options that write or run": readCases<string>("policy/reading-list.options-that-write-or-run"),
  "words that are known at run time only": readCases<string>("policy/reading-list.words-that-are-known-at"),
  "what runs inside": readCases<string>("policy/reading-list.what-runs-inside"),
  "what a shell evaluates or sets": readCases<string>("policy/reading-list.what-a-shell-evaluates-or"),
  redirections: readCases<string>("policy/reading-list.redirections"),
  "what cannot be read": ["ls (a)", "ls 'a", "ls )", "if ls", "ls ;; ls", `ls ${"a".repeat(40_000)}`],
};

describe.each(Object.entries(NOT_READING))("what may do more: %s", (_why, lines) => {
  test.each(lines)("%j", (line) => {
    expect(reads(line)).toBe(false);
  });
});

describe("lines at random", () => {
  const folder = mkdtempSync(join(tmpdir(), "gaia-reading-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const PROGRAMS = "cat ls echo cd find sort uniq date head tail grep basename cut diff wc true type".split(
    " ",
  );
  const WORDS =
    "a b * -o -- - -n OUT --output=OUT -oOUT -fprint -exec -delete $(touch@OUT) `touch@OUT` $x ${x:=y} 'q' {a,OUT} -k -t [a](e:'touch@OUT':) *(e:'touch@OUT':) =ls @(a|b) \\-o [-]o $'\\x2do' <(touch@OUT) b* # ! -c ^a";
  const BETWEEN =
    "_;_ _&&_ _|_ _>_OUT_ _<_a_ _>&_OUT_ _&>_OUT_ _>!_OUT_ _{_ _}_ _(_ _)_ ;_do_ ;_done_ _if_ _then_ _time_ _|&_ _always_ _repeat_2_ _()_ _[[_ _((_ _))_ _<<<_";

  // A clock and other programs that more rights could make use of are left out of what is really run.
  it("that count as reading change no file, in bash", { timeout: 60_000 }, () => {
    const random = randomOf(3);
    const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? "";
    const command = (): string => {
      const count = Math.floor(random() * 4);
      const words = Array.from({ length: count }, () => pick(WORDS.split(" ")).replaceAll("@", " "));
      return [pick(PROGRAMS), ...words].join(" ");
    };
    const line = (): string => {
      const count = Math.floor(random() * 3);
      const rest = Array.from(
        { length: count },
        () => pick(BETWEEN.split(" ")).replaceAll("_", " ") + command(),
      );
      return command() + rest.join("");
    };
    const files = { a: "1\n2\n1\n", b: "x\n", b2: "keep\n" };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const look = (): Record<string, string> =>
      Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
    const lines = Array.from({ length: 1_500 }, line).filter(
      (each) => /OUT|touch|-o/u.test(each) && reads(each),
    );
    expect(lines.length).toBeGreaterThan(20);
    for (const each of lines.slice(0, 20)) {
      spawnSync("bash", ["-c", each], {
        cwd: folder,
        timeout: 500,
        input: "",
        env: { PATH: process.env["PATH"] },
      });
      expect(look(), each).toEqual(files);
    }
  });
});
