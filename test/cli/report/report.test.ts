import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { renderPage } from "../../../src/report/render.ts";
import { report } from "../../../src/cli/report.ts";
import { loadPanelKey, panelKeyPath } from "../../../src/conversation/display/panel-key.ts";
import { createSeal } from "../../../src/lib/seal.ts";
import { createRedactor } from "../../../src/lib/redaction.ts";
import type { SpendingEntry } from "../../../src/spending/entry.ts";
import { createJournal } from "../../../src/record/store.ts";
import { createWorkspace } from "../../../src/record/workspace.ts";
import { silentLogger } from "../../../src/lib/logger.ts";
import { systemClock } from "../../../src/lib/clock.ts";
import { largeUnit } from "./large-unit.ts";
import { git, writeIn } from "../../support/directory.ts";
import { openFolder } from "../../support/folder.ts";

const SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const redact = createRedactor({});
const MAX_BYTES = 500_000;
const confirm = async (): Promise<boolean> => false;

const TAGS =
  /^(?:html|head|meta|title|style|body|main|section|h[12]|p|table|thead|tbody|tr|th|td|small|div|span|code|pre|dl|dt|dd)$/;
const ATTRIBUTES = /^(?:lang|charset|name|content|http-equiv|scope|class|style|tabindex|role|aria-label)$/;

/** Tags and attributes of a page that are not the template's own. */
function foreign(page: string): string[] {
  return [...page.matchAll(/<\/?([^\s>/]*)([^>]*)>/g)].flatMap(([whole, tag = "", rest = ""]) => {
    const names = [...rest.matchAll(/([^\s=]+)="[^"]*"/g)].map(([, name = ""]) => name);
    const left = rest.replaceAll(/[^\s=]+="[^"]*"/g, "").trim();
    const isOwn = whole === "<!doctype html>" || (TAGS.test(tag) && left === "");
    return isOwn && names.every((name) => ATTRIBUTES.test(name)) ? [] : [whole];
  });
}

describe("the page", () => {
  it("of forty tasks is below its bound, tells each part and needs no network", () => {
    const page = renderPage(largeUnit(), redact);
    expect(Buffer.byteLength(page)).toBeLessThan(MAX_BYTES);
    for (const title of ["Plan", "Work", "Requests, tokens, money", "Decisions", "Checks as they ran", "Log"])
      expect(page).toContain(`<h2>${title}</h2>`);
    expect(page).toContain('<dt>Cost</dt><dd class="">$10.80, 4.6M tokens, 360 requests</dd>');
    expect(page).toContain(
      '<td class="">09:00:00</td><td class="">Write the parser 1 <small>completed</small></td>',
    );
    expect(page).toContain('<td class="">src/part-0.ts +1000 −2</td><td class="n">1 min 30 s</td>');
    expect(page).not.toMatch(/(?:src|href)=|@import|url\(|<script/);
    expect(foreign(page)).toEqual([]);
  });

  it("stays below its bound in a writing of three bytes a character, too", () => {
    const page = renderPage(largeUnit("解析器を書く".repeat(30)), redact);
    expect(Buffer.byteLength(page)).toBeLessThan(MAX_BYTES);
    expect(page).toMatch(/<h2>Checks as they ran<\/h2><div [^>]*><table>/);
    const nasty = '"'.repeat(5_000);
    expect(Buffer.byteLength(renderPage(largeUnit(nasty), redact))).toBeLessThan(MAX_BYTES);
  });

  it("tells a run that was before the last change of files from one on the files as they are", () => {
    const unit = largeUnit();
    const [check] = unit.checks;
    const seen = (tree: string | null): string =>
      renderPage({ ...unit, tree: "now", checks: [{ ...check!, tree }] }, redact);
    expect(seen("now")).not.toContain("files changed since");
    for (const tree of ["before", null]) expect(seen(tree)).toContain(", files changed since");
  });

  it("begins with how far it is and what shows that it holds, and calls nothing good that nobody here has seen", () => {
    const unit = largeUnit();
    const glance = (rest: Partial<typeof unit> = {}): string[][] => {
      const page = renderPage({ ...unit, spent: [], ...rest }, redact);
      const found = page.matchAll(/<dt>(.*?)<\/dt><dd class="(.?)">(.*?)<\/dd>/g);
      return [...found].map(([, name = "", kind = "", value = ""]) => [name, value, kind]);
    };
    expect(glance()).toEqual([
      ["Tasks", "38 of 40 done", ""],
      ["Changed", "40 files, +40000 −80", ""],
      ["Checks, last run of each", "1 of 2 passed", "r"],
      ["Reviews, last of each", "1 of 1 approve", "g"],
      ["Cost", "$0.00, 0 tokens, 0 requests", ""],
    ]);
    const tasks = unit.tasks.map((task) => ({ ...task, verdict: "REJECT: leaks", files: [] }));
    const done = { ...unit.plan, tasks: unit.plan.tasks.map((task) => ({ ...task, done: true })) };
    expect(glance({ isSealed: false, tasks, plan: done }).slice(0, 4)).toEqual([
      ["Tasks", "40 of 40 done", "g"],
      ["Changed", "nothing", ""],
      ["Checks, last run of each", "1 of 2 passed *", ""],
      ["Reviews, last of each", "0 of 4 approve", "r"],
    ]);
  });

  it("says of a done task without a command that nothing shows it", () => {
    const unit = largeUnit("x", 4);
    const tasks = unit.plan.tasks.map(({ verify: _none, ...task }) => ({ ...task, done: true }));
    const page = renderPage({ ...unit, plan: { ...unit.plan, status: "in-progress", tasks } }, redact);
    expect(page).toContain("Work unit demo, all tasks done, not closed yet.");
    expect(page).toContain("nothing shows it");
  });

  it("holds whatever stands in the record as text, without secrets, and never grows past its bound", () => {
    const nasty = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "</script><script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "<!--",
        "]]>",
        "</style>",
        "\u202eabc",
        "&lt;",
        "`${x}`",
        SECRET,
      ),
    );
    const texts = fc.array(nasty, { maxLength: 6 }).map((parts) => parts.join(" "));
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 3 }), (text, tasks) => {
        const page = renderPage(largeUnit(text, tasks), redact);
        expect(foreign(page)).toEqual([]);
        expect(page).not.toContain(SECRET);
        expect(page).not.toContain("\u202e");
      }),
      { numRuns: 20 },
    );
    const long = largeUnit(`<b>${SECRET}</b> ${"&<>".repeat(4_000)}`);
    const page = renderPage(
      { ...long, decisions: Array.from({ length: 10_000 }, () => long.decisions[0]!) },
      redact,
    );
    expect(page).not.toContain(SECRET.slice(0, 20));
    expect(foreign(page)).toEqual([]);
  });
});

describe("opencode-gaia report", () => {
  let directory: string;
  beforeEach(async () => {
    directory = await openFolder();
  });

  it("writes what the record, the journal and git know, of an open unit and of an archived one", async () => {
    await writeIn(directory, "a.txt", "one\n");
    await git(directory, "init", "-q");
    await git(directory, "add", "-A");
    await git(directory, "commit", "-qm", "Start");
    const environment = { XDG_DATA_HOME: join(directory, "data") };
    const seal = createSeal(() => loadPanelKey(panelKeyPath(environment)));
    const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger, seal });
    await workspace.createWorkUnit({ slug: "demo", title: "A demo" });
    const { checks } = largeUnit("Write two", 1);
    await workspace.writeEvidence({
      slug: "demo",
      value: { evidence: checks.slice(0, 1), before: [], pins: [], baseline: null },
    });
    await writeIn(directory, "a.txt", `one\n<two> ${SECRET}\n`);
    const [task] = largeUnit("Write two", 1).tasks;
    const entries: SpendingEntry[] = [
      // What its conversation did before is not the unit's.
      { ...largeUnit().spent[0]!, unit: null, cost: 99 },
      { ...largeUnit().spent[0]!, unit: "demo", agent: "gaia" },
      { ...task!, files: [{ path: "a.txt", added: 1, removed: 0 }] },
      { ...largeUnit().spent[0]!, unit: "other", cost: 99 },
    ];
    await createJournal(directory, "spending", () => "2026-11").append(
      entries.map((each) => JSON.stringify(each)),
      true,
    );
    const printed: string[] = [];
    const from = join(directory, "src");
    await mkdir(from);
    const run = async (...args: string[]): Promise<string> => {
      expect(
        await report.run(args, { print: (text) => void printed.push(text), confirm, from, environment }),
      ).toBe(0);
      return readFile(printed.at(-1) ?? "", "utf8");
    };
    const page = await run();
    expect(printed).toEqual([join(directory, ".gaia/.local/reports/demo.html")]);
    expect(
      execFileSync("git", ["status", "--porcelain"], { cwd: directory, encoding: "utf8" }),
    ).not.toContain("demo.html");
    expect(page).toContain("$0.0300, 12.8k tokens, 1 request");
    const passed = '<td class=""><span class="g">passed</span></td>';
    expect(page).toContain(passed);
    await workspace.archiveWorkUnit({ slug: "demo" });
    const archived = await run("demo");
    expect(archived).toContain("A demo");
    expect(archived).toContain(passed);
    expect(archived).not.toContain("Not sealed");
    // Another user's proofs, or those of a repository.
    await rm(environment.XDG_DATA_HOME, { recursive: true });
    const foreign = await run("demo");
    expect(foreign).toContain("Not sealed by your own plugin");
    expect(foreign).not.toContain(passed);
  });

  it("follows no link out of the record", async () => {
    const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger });
    await workspace.createWorkUnit({ slug: "index", title: "A demo" });
    await mkdir(join(directory, "site"));
    await mkdir(join(directory, ".gaia/.local"), { recursive: true });
    await symlink(join(directory, "site"), join(directory, ".gaia/.local/reports"));
    await expect(
      report.run([], { print: () => undefined, confirm, from: directory, environment: {} }),
    ).rejects.toThrow("lies outside");
    expect(await readdir(join(directory, "site"))).toEqual([]);
  });
});
