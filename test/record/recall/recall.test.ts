import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../../src/lib/error.ts";
import type { RecallKind } from "../../../src/record/recall/entry.ts";
import { createRecall, type Recall } from "../../../src/record/recall/recall.ts";
import { rankEntries } from "../../../src/record/recall/rank.ts";
import { createWorkspace, type Workspace } from "../../../src/record/workspace.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { readCases } from "../../support/cases.ts";
import { writeIn, openFolder } from "../../support/directory.ts";

const ALL = new Set<RecallKind>(["learning", "decision", "log", "plan"]);
let directory: string;
let workspace: Workspace;
let recall: Recall;
let reads: string[];

beforeEach(async () => {
  directory = await openFolder();
  const clock = createFakeClock(Date.UTC(2026, 0, 31));
  workspace = createWorkspace({ directory, clock, logger: silentLogger });
  reads = [];
  const documents: Workspace["documents"] = async () => {
    const listed = await workspace.documents();
    if (!listed.ok) return listed;
    const watched = listed.documents.map(({ entries, ...document }) => ({
      ...document,
      entries() {
        reads.push(document.path);
        return entries();
      },
    }));
    return { ok: true, documents: watched };
  };
  recall = createRecall({ documents }, silentLogger);
});

const write = async (path: string, text: string) => writeIn(directory, path, text);
const find = async (query: string, kinds: ReadonlySet<RecallKind> = ALL): Promise<string[]> =>
  (await recall.search(query, kinds)).map(({ entry }) => `${entry.path}:${entry.line}`);

describe("recall", () => {
  it("answers why, from a decision in the archive, before anything that shares a word by chance", async () => {
    await workspace.createWorkUnit({ slug: "auth", title: "Sign-in" });
    const rows_markdown = "| 2026-01-02 | jose or jsonwebtoken? | jose | ESM native | auth |";
    await workspace.appendDecisions({ rows_markdown });
    await workspace.archiveWorkUnit({});
    await write(".gaia/tabs/log.md", "we did use tabs\n");
    expect((await find("why did we use jose?"))[0]).toBe(".gaia/archive/2026-01-31.auth/decisions.md:5");
  });

  it.each(readCases<[string, string]>("record/recall/recall.finds"))(
    "finds %s in: %s",
    async (query, text) => {
      await write(".gaia/notes/log.md", `- ${text}\n`);
      expect(await find(query)).toEqual([".gaia/notes/log.md:1"]);
    },
  );

  it.each([
    ["decisions.md", "| Question | Choice |\n| --- | --- |\n| zebra? | yes |", 3, "", "| zebra? | yes |"],
    ["plan.md", "# Auth\n## Tasks\n- [x] Herd\n- [ ] Feed the zebra", 4, "", "[ ] Feed the zebra"],
    ["log.md", "## 2026-01-02 — A\n\n- herd\n- a zebra\n  in src", 4, "2026-01-02", "- a zebra in src"],
    ["log.md", "## 2026-01-02 — A\n\n### B\nOne\nzebra.\n\n```\nzebra\n```", 4, "2026-01-02", "One zebra."],
  ])("finds the part of a %s that says it: %j", async (name, text, line, date, said) => {
    await write(`.gaia/notes/${name}`, text);
    const hits = (await recall.search("zebra")).map(({ entry }) => [entry.line, entry.date, entry.text]);
    expect(hits).toEqual([[line, date, said]]);
  });

  it("finds nothing for words that are in every text", async () => {
    await write(".gaia/notes/log.md", "- what we did to it\n");
    expect(await find("what did we do?")).toEqual([]);
  });

  it("narrows to kinds, and reads no file of another", async () => {
    await workspace.createWorkUnit({ slug: "auth", title: "t" });
    await workspace.appendLog({ markdown: "jose again" });
    await write(".gaia/notes/plan.md", "- jose is small\n");
    expect(await find("jose", new Set(["plan"]))).toEqual([".gaia/notes/plan.md:1"]);
    expect(reads).not.toContain("auth/log.md");
  });

  it("reads again only what changed, and forgets what is gone", async () => {
    await workspace.createWorkUnit({ slug: "auth", title: "t" });
    await write(".gaia/notes/log.md", "- about zebras\n");
    await find("zebra");
    reads = [];
    await write(".gaia/notes/log.md", "- about lions, not the other animal\n");
    expect(await find("zebra")).toEqual([]);
    expect(reads).toEqual(["notes/log.md"]);
    await rm(join(directory, ".gaia"), { recursive: true });
    expect(await find("lions")).toEqual([]);
    expect(recall.size).toBe(0);
  });

  it("is empty where there is no record, and creates none", async () => {
    expect(await find("anything")).toEqual([]);
    await expect(workspace.documents()).resolves.toEqual({ ok: true, documents: [] });
  });

  it("never follows a link out of the record", async () => {
    await write("outside.md", "- the secret zebra\n");
    for (const unit of ["unit", "notes"]) await mkdir(join(directory, ".gaia", unit), { recursive: true });
    await symlink(join(directory, "outside.md"), join(directory, ".gaia/notes/log.md"));
    await symlink(join(directory, "outside.md"), join(directory, ".gaia/unit/log.md"));
    expect(await find("zebra")).toEqual([]);
  });

  it("searches on when one file cannot be read", async () => {
    await workspace.createWorkUnit({ slug: "auth", title: "t" });
    await writeFile(join(directory, ".gaia/auth/log.md"), Buffer.from([0xff, 0xfe, 0xff]));
    await write(".gaia/notes/log.md", "- zebra\n");
    expect(await find("zebra")).toEqual([".gaia/notes/log.md:1"]);
  });
});

/** Entries of a log, one for each text. */
const logOf = (texts: readonly string[]) =>
  texts.map((text, at) => {
    const place = { path: `${at}`, line: 1, heading: "", unit: null, date: "" };
    return { kind: "log", text, ...place } as const;
  });

describe("a large record", () => {
  it("gives the entries that hold all words first, and those with the common one behind", async () => {
    const texts = Array.from({ length: 1_000 }, (_, at) => `limit giraffe ${at}`);
    const hits = await rankEntries(logOf([...texts, "limit jose"]), "limit jose");
    expect(hits).toHaveLength(1_001);
    expect(hits[0]?.entry.text).toBe("limit jose");
  });

  it("may have a log of more lines than anyone may write into", async () => {
    await write(".gaia/notes/log.md", `- a zebra\n${"- of many lines\n".repeat(200_000)}`);
    expect(await find("zebra")).toEqual([".gaia/notes/log.md:1"]);
  });
});

it("ranks a rare word above words that only begin with it, however many these are", async () => {
  const portals = "the portal opens the portable portals of section";
  const others = Array.from({ length: 40 }, (_, at) => `${portals} ${at}`);
  const rare = "the port of the gateway is 8080, which nobody may change without asking";
  const [first] = await rankEntries(logOf([...others, rare]), "port");
  expect(first).toMatchObject({ entry: { text: rare }, terms: ["port"] });
});
