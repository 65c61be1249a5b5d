import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../../src/lib/logger.ts";
import { entryKey } from "../../../src/record/entries/entry.ts";
import { parseLearning } from "../../../src/record/entries/earlier.ts";
import { openKnowledge, type Knowledge } from "../../../src/record/entries/open.ts";
import { createTrustStore } from "../../../src/trust/store.ts";
import { createWorkspace } from "../../../src/record/workspace.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { git } from "../../checks/project.ts";
import { acceptLearnings, entriesPlace, openEntries } from "../../support/entries.ts";

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
/** What an agent's call does while it is watched. */
const call = async (work: () => Promise<unknown>): Promise<void> => {
  const end = knowledge.begins();
  await work();
  await end(true);
};

describe("one line of learnings", () => {
  const line = { date: "", unit: "", evidence: "" };
  it.each([
    ["Use jose", { ...line, kind: "insight", text: "Use jose" }],
    [
      "- **anti_pattern** No mocks — auth, 2026-02-06, confidence 0.8",
      {
        kind: "anti_pattern",
        text: "No mocks",
        date: "2026-02-06",
        unit: "auth",
        evidence: "confidence 0.8",
      },
    ],
    ["**pattern** a — b — 2026-02-06", { ...line, kind: "pattern", text: "a — b", date: "2026-02-06" }],
    ["Constraint: Node 20", { ...line, kind: "constraint", text: "Node 20" }],
    ["- **Never** push to main", { ...line, kind: "insight", text: "**Never** push to main" }],
    ["a — auth, yesterday", { ...line, kind: "insight", text: "a — auth, yesterday" }],
  ])("%s", (text, learning) => {
    expect(parseLearning(text)).toEqual(learning);
  });
});

describe("what an earlier version wrote", () => {
  it("is taken over once: learnings with all they say, proposals, and what was declined is not proposed again", async () => {
    const kept = "- **anti_pattern** No mocks — auth, 2026-02-06, confidence 0.8\n";
    await write("learnings.md", `# Learnings\n\n${kept}- Use C\n- use C++\n- **insight** Use \`c\`.\n`);
    const proposal = { kind: "correction", text: "use zod", date: "2026-02-07", unit: "api" };
    const settled = [entryKey("declined"), "promote:1234abcd"];
    await write(".local/proposals.json", JSON.stringify({ proposals: [proposal, { id: 7 }], settled }));
    expect(await standings()).toEqual({
      "No mocks": "accepted",
      "Use C": "accepted",
      "use C++": "accepted",
      "use zod": "proposed",
    });
    expect((await knowledge.all()).find(({ body }) => body === "No mocks")).toMatchObject({
      kind: "anti_pattern",
      source: "auth",
      at: "2026-02-06",
      evidence: "confidence 0.8",
    });
    expect(await read("learnings.md")).toBe("none");
    expect(await read(".local/taken-over/learnings.md")).toContain(kept);
    expect(JSON.parse(await read(".local/proposals.json"))).toEqual({ settled });
    const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger, knowledge });
    const learnings = [{ text: "Declined." }];
    const observed = await workspace.observe({ learnings, unit: null, by: "demeter" });
    expect(observed).toMatchObject({ proposed: [], refused: [] });
    const names = await readdir(join(directory, ".gaia/knowledge"));
    expect(await standings(start())).toHaveProperty("No mocks", "accepted");
    expect(await readdir(join(directory, ".gaia/knowledge"))).toEqual(names);
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
          const rest = `${await read("learnings.md")}\n${await read(".local/taken-over/learnings.md")}`;
          for (const line of lines.filter((each) => each !== ""))
            expect(rest.includes(line) || known.some((body) => line.includes(body)), line).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  });

  it("is told where it is no learning, and stays", async () => {
    await write("learnings.md", "# L\n\nThe gateway sleeps.\n- a\n");
    expect(await knowledge.unread()).toEqual([
      expect.stringMatching(/^\.gaia\/learnings\.md is read no more/),
    ]);
    expect(await read("learnings.md")).toBe("# L\n\nThe gateway sleeps.\n");
    expect(await standings()).toEqual({ a: "accepted" });
  });

  it("goes on where it was killed in between", async () => {
    const text = "- a thing\n- b thing\n";
    await write("learnings.md", text);
    await knowledge.all();
    const [first = ""] = await readdir(join(directory, ".gaia/knowledge"));
    await rm(join(directory, ".gaia/knowledge", first));
    await write("learnings.md", text);
    expect(await standings(start())).toEqual({ "a thing": "accepted", "b thing": "accepted" });
    expect(await read("learnings.md")).toBe("none");
  });

  it("is a proposal where an agent may have written it, now or under that version", async () => {
    const data = join(`${directory}-home`, "data/opencode-gaia");
    const said = createTrustStore(data, directory, silentLogger, "knowledge.json");
    await said.grant(["forged before", "kept by its user"].map((text) => `learnt:${entryKey(text)}`));
    await said.grant([`kept:${entryKey("kept by its user")}`]);
    await write("learnings.md", "- theirs\n- forged before\n- kept by its user\n");
    await call(async () => null);
    await call(async () => write("learnings.md", "- forged now\n"));
    expect(await standings()).toEqual({
      theirs: "accepted",
      "forged before": "proposed",
      "kept by its user": "accepted",
      "forged now": "proposed",
    });
    const names = (await readdir(join(directory, ".gaia/knowledge"))).join(" ");
    expect(`${names} ${await read(".local/taken-over/learnings.md")}`).not.toContain("forged");
    await write("learnings.md", "- written by hand\n");
    expect(await standings()).toMatchObject({ "written by hand": "accepted" });
    knowledge.doubt();
    await write("learnings.md", "- written by who knows whom\n");
    await write("patterns.md", "## page\n- a.ts\n");
    expect(await standings()).toMatchObject({
      "written by who knows whom": "proposed",
      "## page\n\n- a.ts": "proposed",
    });
  });

  it("is left alone by a process in which no agents work", async () => {
    await write("learnings.md", "- a\n");
    const { follows: _follows, ...place } = entriesPlace(directory);
    const other = openKnowledge(place);
    expect(await other.all()).toEqual([]);
    expect(await other.unread()).toHaveLength(1);
    expect(await read("learnings.md")).toBe("- a\n");
  });
});

describe("a pattern", () => {
  const workspace = () => createWorkspace({ directory, clock: systemClock, logger: silentLogger, knowledge });
  beforeEach(async () => git(directory, "init", "-q", "-b", "main"));

  it("is found by its name, with what is gone of it", async () => {
    const text =
      "# Patterns\n\n## Page\n\nCopy its layout.\n\n- src/a.tsx: the newest\n- `db/0001_a.sql`\n\n## route\n- b.ts\n- [top](v.sql#L3)\n- gone.sql:4\n";
    await write("patterns.md", text);
    for (const name of ["db/0001_a.sql", "v.sql", "b.ts"]) {
      await mkdir(dirname(join(directory, name)), { recursive: true });
      await writeFile(join(directory, name), "");
    }
    await commit();
    knowledge = start();
    expect(await workspace().findPattern({ type: "page" })).toEqual({
      ok: true,
      files: ["src/a.tsx", "db/0001_a.sql"],
      hint: "Copy its layout.\n\n- src/a.tsx: the newest",
      missing: ["src/a.tsx"],
    });
    expect(await workspace().findPattern({ type: "route" })).toMatchObject({
      hint: "",
      missing: ["gone.sql:4"],
    });
    expect(await workspace().findPattern({ type: "form" })).toMatchObject({
      ok: false,
      hint: "There are: Page, route.",
    });
    const page = (await knowledge.all()).find(({ about }) => about.includes("src/a.tsx"));
    expect(page).toMatchObject({ kind: "pattern", standing: "accepted" });
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
      "the old thing": "accepted",
      "Retry the gateway twice": "accepted",
      "Retry the gateway at night": "accepted",
      "Retry the gateway twice, no more": "accepted",
      "tabs, not spaces": "accepted",
      "Only one side proposes this": "proposed",
    };
    expect(await standings()).toEqual(all);
    expect(await standings(theirs)).toEqual(all);
    const entry = (await knowledge.all()).find(({ standing }) => standing === "proposed");
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
