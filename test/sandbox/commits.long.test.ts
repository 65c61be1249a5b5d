import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canContain } from "../support/bubblewrap.ts";
import { Canaries } from "./canaries.ts";
import { readLines } from "./corpus/read.ts";
import { has, WRITE } from "./world.ts";

const SPELLINGS = readLines("commits.jsonl").filter((line) => !line.startsWith("python3") || has("python3"));

/** Some machines keep even their own root from reaching all through the first process. */
const works = (line: string): boolean => !line.includes("/proc/1/root") || existsSync("/proc/1/root/tmp");

/** What every line begins with, made once. */
let first: Canaries;
beforeAll(() => void (first = new Canaries()));
afterAll(() => first.close());

/** What a line does where no sandbox is around it. */
async function harmsOf(line: string): Promise<readonly string[]> {
  const canaries = await new Canaries(first.world.root).start();
  // What the run itself writes is no harm.
  const outside = await mkdtemp(join(tmpdir(), "gaia-harms-"));
  canaries.world.environment["TMPDIR"] = outside;
  const { harms } = await canaries.run([line], WRITE, false);
  canaries.close();
  await rm(outside, { recursive: true, force: true });
  return harms;
}

describe.runIf(canContain && has("unshare"))("commits, and what else changes a repository", () => {
  it("fail in the sandbox, which says why, and change nothing", { timeout: 300_000 }, async () => {
    const canaries = await new Canaries().start();
    const wrong: string[] = [];
    for (const line of SPELLINGS) {
      const { harms } = await canaries.run([line], WRITE);
      const ran = await canaries.world.run(line, WRITE);
      const said = canaries.world.explain(ran) ?? "";
      // One that fails without a word (git stash) leaves nothing to tell the wall by.
      const isSilent = ran.output.trim() === "";
      const isTold =
        isSilent || /\.git is read-only; plan_gaia|cannot be moved|is outside|no mounts/u.test(said);
      if (harms.length > 0 || ran.status === 0 || !isTold)
        wrong.push([line, ...harms, said, ran.output].join("\n    "));
    }
    canaries.close();
    expect(wrong).toEqual([]);
  });

  it("are looked for where a line that does nothing changes nothing", async () => {
    expect(await harmsOf(":")).toEqual([]);
  });

  it.each(SPELLINGS)("works where no sandbox is around it: %s", async (line) => {
    expect((await harmsOf(line)).join("\n")).toMatch(/\.git|lane/u);
  });
});

describe.runIf(canContain && has("unshare") && has("python3"))(
  "an attack, which effects.test.ts contains",
  () => {
    it.each(readLines("attacks.jsonl").filter(works))(
      "does harm where no sandbox is around it: %s",
      async (line) => {
        expect(await harmsOf(line)).not.toEqual([]);
      },
    );
  },
);
