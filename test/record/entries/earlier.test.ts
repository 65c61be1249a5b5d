import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Knowledge } from "../../../src/record/knowledge.ts";
import { git } from "../../checks/project.ts";
import { acceptLearnings, openEntries } from "../../support/entries.ts";

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
  root = await mkdtemp(join(tmpdir(), "earlier-"));
  directory = join(root, "project");
  await mkdir(directory);
  knowledge = start();
});
afterEach(async () => rm(root, { recursive: true, force: true }));

const write = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(join(directory, ".gaia", path)), { recursive: true });
  await writeFile(join(directory, ".gaia", path), text);
};
const read = async (path: string): Promise<string> =>
  readFile(join(directory, ".gaia", path), "utf8").catch(() => "none");
const standings = async (from = knowledge): Promise<Record<string, string>> =>
  Object.fromEntries((await from.all()).map(({ body, standing }) => [body, standing]));
const commit = async (folder = directory): Promise<void> => {
  await git(folder, "add", "-A");
  await git(folder, "commit", "-qm", "m");
};

describe("what an earlier version wrote", () => {
  it("is proposed once and taken out of its list; a kill in between loses nothing", async () => {
    const text = "# Learnings\n\n- **anti_pattern** No mocks\nThe gateway sleeps.\n- Use C\n";
    const taken = { "No mocks": "proposed", "Use C": "proposed" };
    await write("learnings.md", text);
    expect(await standings()).toEqual(taken);
    expect(await read("learnings.md")).toBe("# Learnings\n\nThe gateway sleeps.\n");
    const [first = ""] = await readdir(join(directory, ".gaia/knowledge"));
    expect(first).not.toMatch(/mocks|use/i);
    await rm(join(directory, ".gaia/knowledge", first));
    await write("learnings.md", text);
    expect(await standings(start())).toEqual(taken);
  });

  it("loses no line, whatever a person wrote between them", async () => {
    const part = fc.constantFrom(
      ..."- **pattern** a b|- c — 2026-01-01|Prose.|* star|  - inner|```|- code|# H|<!-- - x -->|| a | b ||1. one||- d".split(
        "|",
      ),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 9 }),
        fc.constantFrom("\n", "\r\n"),
        async (lines, end) => {
          await rm(join(directory, ".gaia"), { recursive: true, force: true });
          await write("learnings.md", lines.map((line) => line + end).join(""));
          const known = (await start().all()).map(({ body }) => body);
          const rest = await read("learnings.md");
          for (const line of lines.filter((each) => each !== ""))
            expect(rest.includes(line) || known.some((body) => line.includes(body)), line).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("two branches", () => {
  it("merge by git without a conflict: both sides' entries are kept, and a verdict reaches the other clone", async () => {
    await git(directory, "init", "-q", "-b", "main");
    await write("learnings.md", "- the old thing\n");
    await commit();
    const other = join(root, "other");
    await cp(directory, other, { recursive: true });
    const theirs = start(other);
    // Each takes over what the earlier version wrote.
    await Promise.all([knowledge.all(), theirs.all()]);
    await acceptLearnings(
      knowledge,
      "constraint: Retry the gateway twice",
      "constraint: Retry the gateway at night",
    );
    await knowledge.propose({ body: "Only one side proposes this", reason: "seen", by: "GAIA" });
    await acceptLearnings(
      theirs,
      "constraint: Retry the gateway twice, no more",
      "preference: tabs, not spaces",
    );
    await commit();
    await commit(other);
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
    await commit();
    await git(other, "pull", "-q", "--no-rebase", "--no-edit", directory, "main");
    expect(await standings(theirs)).toMatchObject({ "Only one side proposes this": "rejected" });
    await expect(
      theirs.propose({ body: "only one side proposes this.", reason: "x", by: "y" }),
    ).rejects.toThrow("A person has rejected just that");
  });
});
