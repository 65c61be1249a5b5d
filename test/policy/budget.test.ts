import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { examineCommand } from "../../src/policy/examine-command.ts";
import { problemOf } from "../../src/policy/programs/problem.ts";
import { walkSource } from "../../src/policy/shell/source.ts";
import type { Visitor } from "../../src/policy/shell/walk-state.ts";
import { riskOf } from "../support/risk.ts";
import { families, kinds } from "./hostile/families.ts";

/** More than any line may make of the walk, however long it is and whatever it holds. */
const MAX_WORK = 5_600;

/** What a walk over a line comes across: commands with their arguments for each folder, effects and files. */
function workOf(line: string): number {
  let work = 0;
  const count = (): void => {
    work++;
  };
  const visitor: Visitor = {
    onEffect: count,
    onUnfollowed: count,
    onDanger: count,
    onInput: count,
    onOutput: count,
    onInvocation(invocation) {
      work += 1 + invocation.argv.length * invocation.walk.scope.folders.length;
      problemOf(invocation);
      return undefined;
    },
  };
  walkSource(line, visitor, "/home/user/project");
  return work;
}

const name = fc.constantFrom(...Object.keys(families));
const size = fc.constantFrom(100, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 64_000);
const lineOf = (family: string, length: number): string => families[family]?.(length) ?? "";

describe("the work that a line makes", { timeout: 60_000 }, () => {
  it("is bounded, whatever is repeated or nested", () => {
    fc.assert(
      fc.property(name, size, (family, length) => {
        expect(workOf(lineOf(family, length))).toBeLessThan(MAX_WORK);
      }),
      { numRuns: 800 },
    );
  });

  it("grows with its length and no faster", () => {
    const statements = Object.values(kinds["statements"] ?? {});
    expect(statements.length).toBeGreaterThan(100);
    for (const family of statements) {
      const [short, long] = [workOf(family(250)), workOf(family(500))];
      // What runs in a folder that is not known runs in every one that it may be, of which there are a few.
      if (!/\bcd\b|pushd|popd/u.test(family(1))) expect(long, family(1)).toBeLessThanOrEqual(short * 2 + 30);
    }
  });

  it("ends in a verdict that is never harmless for what was not followed", () => {
    fc.assert(
      fc.property(name, fc.constantFrom(16_500, 40_000, 64_000), (family, length) => {
        const line = lineOf(family, length);
        const found = examineCommand(line);
        expect(found.reason).not.toBe("");
        if (line.length > 16 * 1024) expect(riskOf(found)).not.toBe("read-only");
      }),
      { numRuns: 200 },
    );
  });
});

describe("long ordinary commands", () => {
  const listed = (count: number, part: (index: number) => string, between = " "): string =>
    Array.from({ length: count }, (_, index) => part(index)).join(between);

  test.each([
    ["project", `touch ${listed(300, (at) => `src/components/file-${at}.ts`)}`],
    ["project", `git add ${listed(300, (at) => `src/file${at}.ts`)}`],
    ["project", `cat > notes.md <<EOF\n${listed(200, (at) => `${at} (of) $HOME`, "\n")}\nEOF`],
    ["project", listed(60, (at) => `sed -i 's/a${at}/b/g' src/a${at}.ts`, " && ")],
    ["project", listed(60, (at) => `(cd p${at} && npm test)`, "; ")],
    ["read", listed(120, (at) => `echo "step ${at}: $(git rev-parse HEAD)"`, "; ")],
    ["read", listed(60, (at) => `if [ -f a${at} ]; then cat a${at}; else echo no; fi`, "\n")],
    ["read", `for f in ${listed(80, (at) => `a${at}.ts`)}; do wc -l "$f"; grep -n x "$f" | head -5; done`],
    ["read", listed(80, (at) => `grep -rn "name${at}" src | head -20`, "; ")],
  ])("have the effect %s still", (effect, line) => {
    expect(examineCommand(line, { folder: "/home/user/p", project: "/home/user/p" })).toMatchObject({
      effect,
    });
  });
});

describe("behind more than is followed", () => {
  const followedBy = (end: string): string[] =>
    [5_000, 20_000, 60_000].flatMap((length) =>
      ["echo a; ", "x=$x$x; ", "echo ${x:-${x:-a}}; ", "cd a || ", "f; ", "ls a b c d | xargs -n1 ls; "].map(
        (part) => `f() { ls; }; ${part.repeat(length / part.length)}\n${end}`,
      ),
    );

  test.each([
    ["danger", "sudo rm x", { effect: "forbidden" }],
    ["a secret", "cat .env", { secret: ".env" }],
    ["a protected path", "echo x > .gaia/config.jsonc", { protectedTarget: { kind: "path" } }],
    ["OpenCode's own address", "curl localhost:4096", { protectedTarget: { kind: "address" } }],
  ])("%s is still found", (_, end, expected) => {
    for (const line of followedBy(end)) expect(examineCommand(line)).toMatchObject(expected);
  });
});
