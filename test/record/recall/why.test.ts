import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../../src/lib/async.ts";
import { silentLogger } from "../../../src/lib/error.ts";
import { createRecall } from "../../../src/record/recall/recall.ts";
import { tellWhy } from "../../../src/record/recall/why.ts";
import { createWorkspace } from "../../../src/record/workspace.ts";
import { git, writeIn, commitAll } from "../../support/directory.ts";
import { learnt, openEntries } from "../../support/entries.ts";
import type { Knowledge } from "../../../src/record/knowledge.ts";

const DECISIONS = `# Decisions

| Date | Question | Choice | Rationale | Impact |
| --- | --- | --- | --- | --- |
| 2026-01-02 | Which store? | SQLite | one file to back up | src/store/index.ts |
| 2026-01-03 | Which limit? | per user | fair | rateLimit in src/limit.ts |
| 2026-01-04 | Go on? | yes |  |  |
`;
const LEARNINGS = "- **constraint** src/api/index.ts never reads the clock — api, 2026-01-05\n";

let directory: string;
const write = async (path: string, text: string) => writeIn(directory, path, text);
const commit = async (subject: string): Promise<void> => commitAll(directory, subject);
let knowledge: Knowledge;
const ask = async (asked: string, from = directory): Promise<string> => {
  const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger });
  const recall = createRecall(workspace, silentLogger, knowledge);
  return (await tellWhy({ recall, directory, from }, asked)) ?? "nothing";
};

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "why-"));
  knowledge = openEntries(directory);
  await git(directory, "init", "-q");
  await write("src/store/index.ts", "open();\nclose();\n");
  await write("src/api/index.ts", "serve();\n");
  await write("src/[odd] name.ts", "odd();\n");
  await write("NOTES.md", "notes\n");
  await write("docs/old notes.md", "old\n");
  await commit("Begin");
  await write("src/limit.ts", "export const rateLimit = 5;\n");
  await commit("Limit each user\n\nOne customer\nheld up all others.");
  await write("src/store/index.ts", "open();\nshut();\n");
  await commit("Shut the store");
  await git(directory, "mv", "src/limit.ts", "src/limits.ts");
  await git(directory, "rm", "-q", "NOTES.md", "docs/old notes.md");
  await commit("Plural");
  await write(".gaia/app/decisions.md", DECISIONS);
  for (const [path, text] of Object.entries(learnt(LEARNINGS))) await write(path, text);
  const plan = "# App\n\n## Tasks\n\n- [ ] 1. Make rateLimit fair\n  - files: src/fair.ts\n";
  await write(".gaia/app/plan.md", plan);
  await commit("The record of rateLimit");
});
afterAll(async () => rm(directory, { recursive: true, force: true }));

describe("why something is as it is", () => {
  it("is told of a file by its decisions and commits, and not by those of another of the same name", async () => {
    const told = await ask("src/store/index.ts");
    expect(told).toContain("Which store? → SQLite · one file to back up");
    expect(told).toContain("(.gaia/app/decisions.md:5)");
    expect(told).toMatch(/Commits:\n- .* Shut the store\n- .* Begin$/);
    expect(told).not.toContain("never reads the clock");
    const known = "Known:\n- 2026-01-05 src/api/index.ts never reads the clock";
    expect(await ask("@src/api/index.ts")).toContain(known);
  });

  it("is told of what the user means where they are, in a folder of the project, and else in the project", async () => {
    const from = join(directory, "src");
    for (const asked of ["store/index.ts", "src/store/index.ts", "./store/../store/index.ts:2"]) {
      const told = await ask(asked, from);
      expect(told, asked).toContain("Why src/store/index.ts");
      expect(told).toContain("Which store? → SQLite");
      expect(told).toContain("Shut the store");
    }
    expect(await ask("limit.ts", from)).toContain("Plural");
    expect(await ask("../../etc/passwd", from)).toBe("nothing");
  });

  it("follows a renamed file, and knows one that is gone", async () => {
    expect(await ask("src/limits.ts")).toContain("Limit each user");
    for (const gone of ["src/limit.ts", "NOTES.md", "docs/old notes.md", "`docs/old notes.md:3`"])
      expect(await ask(gone), gone).toContain("Plural");
    expect(await ask(join(directory, "src/limits.ts"))).toContain("Plural");
  });

  it("takes a name for what it is, whatever stands in it", async () => {
    expect(await ask("src/[odd] name.ts")).toContain("Begin");
    for (const odd of ["--output=x", "-p", "../../etc/passwd", ":(top)*", "*.ts", "a:999999"])
      expect(await ask(odd)).toBe("nothing");
  });
});
