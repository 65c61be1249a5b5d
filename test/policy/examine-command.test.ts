import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { type CommandContext, examineCommand } from "../../src/policy/examine-command.ts";
import { loadPolicy } from "../../src/policy/policy.ts";
import { readCases } from "../support/cases.ts";
import { git, writeIn, openFolder } from "../support/directory.ts";
import { policyContext } from "../support/examination.ts";
import { randomOf } from "../support/random.ts";

const SETTINGS: Partial<CommandContext> = {
  allow: ["npm run fmt", "make *", "./bin/gen", "GAIA_SANDBOX=network npm ci", "GAIA_SANDBOX=off docker ps"],
  dangerous: ["helm uninstall *", "terraform * destroy"],
  allowSensitive: [".env.test"],
  realPath: (path) => (path === "/project/notes.txt" ? "/project/.env" : path),
};
const examine = async (command: string, rest = SETTINGS) =>
  examineCommand(command, policyContext("/project", rest));

describe("a command", () => {
  test.each(readCases<[string, string, object]>("policy/commands"))(
    "%s: %j",
    async (_about, command, expected) => {
      expect(await examine(command)).toMatchObject(expected);
    },
  );

  it("may not delete the home folder, by whatever name and from wherever it runs", async () => {
    expect(await examine(`rm -rf ${homedir()}`)).toMatchObject({ effect: "forbidden" });
    expect(await examine("rm -rf .", { folder: homedir() })).toMatchObject({ effect: "forbidden" });
  });

  it("is not read where another shell runs it", async () => {
    const seen = await examine("ls", { isPosix: false, allow: ["ls"] });
    expect(seen).toMatchObject({ effect: "unknown", isAllowed: false });
    expect((await examine("sudo ls", { isPosix: false })).effect).toBe("forbidden");
  });

  it("is refused where it is too long to be read", async () => {
    for (const program of ["echo", "ls"])
      expect(await examine(`${program} ${"a".repeat(40_000)}`)).toMatchObject({
        effect: "forbidden",
        reason: expect.stringContaining("put it in a script"),
      });
  });
});

it("what nothing holds and a command plainly deletes is asked about, as git tells it from where the command runs", async () => {
  const directory = await openFolder();
  const kept = "dev.db data/a.db kept/only/b.db src/a.ts untracked.txt a[1].db node_modules/a/x.db";
  const made = "packages/a/node_modules/x.db packages/a/dist/y.db";
  for (const path of `${kept} ${made}`.split(" ")) await writeIn(directory, path, "x");
  await writeIn(directory, ".gitignore", "*.db\nnode_modules\n");
  const policy = loadPolicy({ directory, dangerous: [], allow: [], allowSensitive: [] });
  const deletes = async (command: string, workdir: string | null = null) =>
    (await policy("bash", { kind: "command", command, workdir })).deletes;
  expect(await deletes("rm dev.db")).toBeNull();
  await git(directory, "init", "-q");
  await git(directory, "add", "src", ".gitignore");
  await git(directory, "commit", "-qm", "x");
  const cases = readCases<[string, string | null, string | null]>("policy/deletions");
  for (const [command, workdir, expected] of cases)
    expect(await deletes(command, workdir), command).toBe(expected);
});

describe("lines at random", () => {
  const PROGRAMS = "cat ls echo cd find sort uniq date head tail grep basename cut diff wc true type".split(
    " ",
  );
  const WORDS =
    "a b * -o -- - -n OUT --output=OUT -oOUT -fprint -exec -delete $(touch@OUT) `touch@OUT` $x ${x:=y} 'q' {a,OUT} -k -t [a](e:'touch@OUT':) *(e:'touch@OUT':) =ls @(a|b) \\-o [-]o $'\\x2do' <(touch@OUT) b* # ! -c ^a";
  const BETWEEN =
    "_;_ _&&_ _|_ _>_OUT_ _<_a_ _>&_OUT_ _&>_OUT_ _>!_OUT_ _{_ _}_ _(_ _)_ ;_do_ ;_done_ _if_ _then_ _time_ _|&_ _always_ _repeat_2_ _()_ _[[_ _((_ _))_ _<<<_";

  // A clock and other programs that more rights could make use of are left out of what is really run.
  it("that count as reading change no file, in bash", { timeout: 60_000 }, async () => {
    const random = randomOf(3);
    const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? "";
    const some = (most: number, one: () => string): string[] =>
      Array.from({ length: Math.floor(random() * most) }, one);
    const command = (): string =>
      [pick(PROGRAMS), ...some(4, () => pick(WORDS.split(" ")).replaceAll("@", " "))].join(" ");
    const between = (): string => pick(BETWEEN.split(" ")).replaceAll("_", " ");
    const lines = Array.from(
      { length: 1_500 },
      () => command() + some(3, () => between() + command()).join(""),
    );
    const effects = await Promise.all(lines.map(async (line) => (await examine(line)).effect));
    const reading = lines.filter((line, at) => /OUT|touch|-o/u.test(line) && effects[at] === "read");
    expect(reading.length).toBeGreaterThan(20);

    const folder = await openFolder();
    const files = { a: "1\n2\n1\n", b: "x\n", b2: "keep\n" };
    for (const [name, text] of Object.entries(files)) await writeIn(folder, name, text);
    const look = (): object =>
      Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
    const options = { cwd: folder, timeout: 500, input: "", env: { PATH: process.env["PATH"] } };
    for (const line of reading.slice(0, 20)) {
      spawnSync("bash", ["-c", line], options);
      expect(look(), line).toEqual(files);
    }
  });
});
