import { cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../../src/lib/error.ts";
import type { Knowledge } from "../../../src/record/knowledge.ts";
import { parseLearning } from "../../../src/record/entries/entry.ts";
import { createWorkspace } from "../../../src/record/workspace.ts";
import { systemClock } from "../../../src/lib/async.ts";
import { acceptLearnings, openEntries } from "../../support/entries.ts";
import { git, writeIn, openFolder, commitAll } from "../../support/directory.ts";

let root: string;
let directory: string;
let knowledge: Knowledge;

/** As a new process of OpenCode's. @param clone whose folder it is; each has a user of its own */
const start = (clone = directory): Knowledge => {
  const home = `${clone}-home`;
  const environment = { XDG_CONFIG_HOME: join(home, "config"), XDG_DATA_HOME: join(home, "data") };
  return openEntries(clone, { environment });
};
beforeEach(async () => {
  root = await openFolder();
  directory = join(root, "project");
  await mkdir(directory);
  knowledge = start();
});

const write = async (path: string, text: string) => writeIn(directory, `.gaia/${path}`, text);
const standings = async (from = knowledge): Promise<Record<string, string>> =>
  Object.fromEntries((await from.all()).map(({ body, standing }) => [body, standing]));

it.each([
  ["Use jose", "insight", "Use jose"],
  ["- **anti_pattern** No mocks", "anti_pattern", "No mocks"],
  ["Constraint: Node 20", "constraint", "Node 20"],
  ["- **Never** push to main", "insight", "**Never** push to main"],
])("one line of learnings: %s", (text, kind, said) => {
  expect(parseLearning(text)).toEqual({ kind, text: said });
});

describe("a pattern", () => {
  const workspace = () => createWorkspace({ directory, clock: systemClock, logger: silentLogger, knowledge });
  beforeEach(async () => git(directory, "init", "-q", "-b", "main"));

  it("is found by its name, with what is gone of it", async () => {
    const entry = async (name: string, about: string, body: string) => {
      const head = `kind: pattern\nabout: [${about}]\nstatus: accepted`;
      return write(`knowledge/${name}.md`, `---\n${head}\n---\n\n${body}\n`);
    };
    await entry("a", "src/a.tsx, pages, db/0001_a.sql", "## Page\n\nCopy its layout.");
    await entry("b", "b.ts", "## route");
    for (const name of ["db/0001_a.sql", "b.ts"]) await writeIn(directory, name, "");
    await commitAll(directory);
    knowledge = start();
    expect(await workspace().findPattern({ type: "page" })).toEqual({
      ok: true,
      files: ["src/a.tsx", "db/0001_a.sql"],
      hint: "Copy its layout.",
      missing: ["src/a.tsx"],
    });
    expect(await workspace().findPattern({ type: "route" })).toMatchObject({ hint: "", missing: [] });
    const hint = "There are: Page, route.";
    expect(await workspace().findPattern({ type: "form" })).toMatchObject({ ok: false, hint });
  });
});

it("two branches merge by git without a conflict: both sides' entries are kept, and a verdict reaches the other clone", async () => {
  await git(directory, "init", "-q", "-b", "main");
  await write("knowledge/old.md", "---\nstatus: proposed\n---\nthe old thing\n");
  await commitAll(directory);
  const other = join(root, "other");
  await cp(directory, other, { recursive: true });
  const theirs = start(other);
  const ours = ["constraint: Retry the gateway twice", "constraint: Retry the gateway at night"];
  await acceptLearnings(knowledge, ...ours);
  await knowledge.propose({ body: "Only one side proposes this", reason: "seen", by: "GAIA" });
  const others = ["constraint: Retry the gateway twice, no more", "preference: tabs, not spaces"];
  await acceptLearnings(theirs, ...others);
  await commitAll(directory);
  await commitAll(other);
  await git(directory, "pull", "-q", "--no-rebase", "--no-edit", other, "main");
  await git(other, "pull", "-q", "--no-rebase", "--no-edit", directory, "main");
  const all = {
    "the old thing": "proposed",
    "Retry the gateway twice": "accepted",
    "Retry the gateway at night": "accepted",
    "Retry the gateway twice, no more": "accepted",
    "tabs, not spaces": "accepted",
    "Only one side proposes this": "proposed",
  };
  expect(await standings()).toEqual(all);
  expect(await standings(theirs)).toEqual(all);
  const entry = (await knowledge.all()).find(({ body }) => body.startsWith("Only"));
  if (entry === undefined) throw new Error("one waits");
  await knowledge.settle({ entry, status: "rejected", reason: "no", by: "ann" });
  await commitAll(directory);
  await git(other, "pull", "-q", "--no-rebase", "--no-edit", directory, "main");
  expect(await standings(theirs)).toMatchObject({ "Only one side proposes this": "rejected" });
  await expect(
    theirs.propose({ body: "only one side proposes this.", reason: "x", by: "y" }),
  ).rejects.toThrow("A person has rejected just that");
});
