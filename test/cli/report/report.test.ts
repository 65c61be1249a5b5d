import { execFileSync } from "node:child_process";
import { mkdir, readdir, readFile, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { commandKey } from "../../../src/checks/evidence/evidence.ts";
import { gatherReport } from "../../../src/report/gather.ts";
import { renderPage } from "../../../src/report/render.ts";
import { report } from "../../../src/cli/report.ts";
import { loadPanelKey, panelKeyPath } from "../../../src/conversation/display/panel-key.ts";
import { createSeal } from "../../../src/lib/seal.ts";
import { createRedactor } from "../../../src/lib/redaction.ts";
import type { SpendingEntry } from "../../../src/spending/entry.ts";
import { createJournal } from "../../../src/record/store.ts";
import { openVcs } from "../../../src/snapshot/vcs.ts";
import { createWorkspace } from "../../../src/record/workspace.ts";
import { silentLogger } from "../../../src/lib/error.ts";
import { systemClock } from "../../../src/lib/async.ts";
import { largeUnit } from "./large-unit.ts";
import { commitAll, git, openFolder, writeIn } from "../../support/directory.ts";

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

  it("tells a unit that is done from one that is under way, and each task's standing with what shows it", () => {
    const unit = largeUnit("x", 4);
    const page = (rest: Partial<typeof unit>, plan: Partial<typeof unit.plan> = {}): string =>
      renderPage({ ...unit, ...rest, plan: { ...unit.plan, ...plan } }, redact);
    const all = unit.plan.tasks.map(({ verify: _none, ...task }) => ({ ...task, done: true }));
    const review = { ...unit.tasks[2]!, verdict: "REJECT: leaks" };
    const now = page({ tasks: [...unit.tasks, review] }, { tasks: all });
    expect(now).toContain("Work unit demo, all tasks done, not closed yet.");
    expect(now).toMatch(/<span class="g">proven<\/span> hades: REJECT: leaks/);
    expect(page({}, { status: "complete" })).toContain("Work unit demo, complete.");
    const stale = { ...unit.claims[0]!, standing: "stale" as const, why: "files changed since" };
    expect(page({ claims: [stale] })).toMatch(
      /<span class="m">stale<\/span> <code>npm test<\/code> <small>files changed since<\/small>/,
    );
    const failed = { ...unit.claims[0]!, standing: "failed" as const };
    expect(page({ claims: [failed] })).toContain('<span class="r">failed</span> <code>npm test</code>');
  });

  it("shows the log as it reads, without the marks of its markdown", () => {
    const log = "# Log\n\n## 2026-11-22 — Review\n\n- **APPROVE** by hades\n\n```text\n# kept\n```\n";
    const page = renderPage({ ...largeUnit("x", 1), log }, redact);
    expect(page).not.toContain("<pre>Log");
    expect(page).toContain("<pre>2026-11-22 — Review:\n\n- APPROVE by hades\n\n    # kept</pre>");
  });

  it("begins with how far it is and what shows that it holds", () => {
    const unit = largeUnit();
    const glance = (rest: Partial<typeof unit> = {}): string[][] => {
      const page = renderPage({ ...unit, spent: [], ...rest }, redact);
      const found = page.matchAll(/<dt>(.*?)<\/dt><dd class="(.?)">(.*?)<\/dd>/g);
      return [...found].map(([, name = "", kind = "", value = ""]) => [name, value, kind]);
    };
    expect(glance()).toEqual([
      ["Tasks", "38 of 40 done", ""],
      ["Changed", "40 files, +40000 −80", ""],
      ["Proof", "38 proven, 0 claimed", ""],
      ["Reviews, last of each", "1 of 1 approve", "g"],
      ["Cost", "$0.00, 0 tokens, 0 requests", ""],
    ]);
    const tasks = unit.tasks.map((task) => ({ ...task, verdict: "REJECT: leaks", files: [] }));
    const done = { ...unit.plan, tasks: unit.plan.tasks.map((task) => ({ ...task, done: true })) };
    const claims = unit.claims.slice(0, 38);
    expect(glance({ claims, tasks, plan: done }).slice(0, 4)).toEqual([
      ["Tasks", "40 of 40 done", ""],
      ["Changed", "nothing", ""],
      ["Proof", "38 proven, 0 claimed", "g"],
      ["Reviews, last of each", "0 of 4 approve", "r"],
    ]);
  });

  it("has on top what was asked for, what is not fixed and what is left", () => {
    const page = renderPage(largeUnit(), redact);
    const top = [...page.slice(0, page.indexOf("<dl>")).matchAll(/<p>(.*?)<\/p>/g)].map(([, line = ""]) =>
      line.replaceAll(/<.*?>/g, ""),
    );
    expect(top).toEqual([
      "Asked: Write the parser",
      "Goal: Write the parser and show it",
      "Not fixed: src/part-0.ts: Write the parser (hades)",
      expect.stringMatching(/^Left for you: task 0: Write the parser; .*; and 4 more, below$/),
    ]);
    expect(renderPage({ ...largeUnit(), left: [] }, redact)).toMatch(/Left for you:<[^>]*> <[^>]*>nothing</);
  });

  it("says little of a unit of which little is known", () => {
    const nothing = {
      request: "",
      goal: "",
      unfixed: [],
      tasks: [],
      spent: [],
      checks: [],
      decisions: [],
      log: "",
    };
    const page = renderPage(
      {
        ...largeUnit(),
        ...nothing,
        plan: { title: "", status: null, tasks: [], errors: [], conditions: [], places: [] },
      },
      redact,
    );
    expect(page).toContain("<h1>demo</h1>");
    expect(page).not.toContain("<h2>");
    expect(page).not.toMatch(/NaN|Infinity|undefined/);
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
      { ...long, decisions: Array.from({ length: 1_000 }, () => long.decisions[0]!) },
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

  /** A repository, and its record as this user's plugin writes it. */
  const open = async () => {
    await writeIn(directory, ".gitignore", "data\n");
    await writeIn(directory, "a.txt", "one\n");
    await git(directory, "init", "-q");
    await commitAll(directory);
    const environment = { XDG_DATA_HOME: join(directory, "data") };
    const seal = createSeal(() => loadPanelKey(panelKeyPath(environment)));
    const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger, seal });
    return { environment, workspace };
  };
  const run = async (args: readonly string[], environment: NodeJS.ProcessEnv = {}, from = directory) => {
    const printed: string[] = [];
    const print = (text: string): void => void printed.push(text);
    expect(await report.run(args, { print, confirm, from, environment })).toBe(0);
    return printed.join("\n");
  };

  it("writes what the record, the journal and git know, of an open unit and of an archived one", async () => {
    const { environment, workspace } = await open();
    await workspace.createWorkUnit({ slug: "demo", title: "A demo" });
    await workspace.updatePlan({ slug: "demo", section: "Goal", markdown: "Two lines" });
    await workspace.writeSession({ slug: "demo", root: "root", markdown: "- Asked: Write two" });
    await workspace.addDebt({
      slug: "demo",
      notes: [{ place: "a.txt:1", text: "no end of line", by: "hades" }],
    });
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
    await createJournal(directory, () => "2026-11", environment).append(
      entries.map((each) => JSON.stringify(each)),
    );
    const from = join(directory, "src");
    await mkdir(from);
    const pageOf = async (...args: string[]) => readFile(await run(args, environment, from), "utf8");
    expect(await run([], environment, from)).toBe(join(directory, ".gaia/.local/reports/demo.html"));
    const page = await pageOf();
    expect(
      execFileSync("git", ["status", "--porcelain"], { cwd: directory, encoding: "utf8" }),
    ).not.toContain("demo.html");
    for (const told of ["Write two", "Two lines", "a.txt:1: no end of line (hades)"])
      expect(page).toContain(told);
    expect(page).toContain("$0.0300, 12.8k tokens, 1 request");
    const passed = '<td class=""><span class="g">passes</span></td>';
    expect(page).toContain(passed);
    await workspace.archiveWorkUnit({ slug: "demo" });
    const archived = await pageOf("demo");
    expect(archived).toContain("A demo");
    expect(archived).toContain(passed);
    expect(archived).not.toContain("Not sealed");
    // Another user's proofs, or those of a repository.
    await rm(environment.XDG_DATA_HOME, { recursive: true });
    const foreign = await pageOf("demo");
    expect(foreign).toContain("Not sealed by your own plugin");
    expect(foreign).not.toContain(passed);
  });

  it("leaves nothing only where plan and evidence were read and all is green", async () => {
    const { environment, workspace } = await open();
    const markdown =
      "## Tasks\n\n- [x] 1. Write it\n  - agent: hephaestus\n  - verify: `npm test`\n\n## Done When\n\n- [x] It is liked\n";
    await workspace.createWorkUnit({ slug: "demo", title: "A demo", markdown });
    const tree = await openVcs(directory, directory).fingerprint();
    const [check] = largeUnit("x", 1).checks;
    const seen = { ...check!, key: commandKey("npm test"), command: "npm test", tree };
    const lint = { ...seen, key: "lint", command: "lint" };
    const red = [{ key: "lint", id: "lint", status: "failed", exit_code: 1, signature: [] }];
    const left = async (...evidence: object[]): Promise<readonly string[]> => {
      const baseline = { at: "2026-11-22T09:00:00.000Z", red, base: null };
      if (evidence.length > 0)
        await workspace.writeEvidence({ slug: "demo", value: { evidence, before: [], pins: [], baseline } });
      return (await gatherReport({ directory, workspace, environment }, "demo")).left;
    };
    const liked = "condition 1 (It is liked) claimed: no command shows it";
    expect(await left()).toEqual(["checks not run", "task 1 claimed", liked.replace(/:.*/, "")]);
    expect(await left({ ...seen, status: "failed", exit_code: 1 }, { ...lint, tree: "old" })).toEqual([
      "task 1 failed: `npm test` fails (exit code 1)",
      liked,
      "check stale: files changed since `lint` passed; it failed before the work as well",
    ]);
    const plan = await readFile(join(directory, ".gaia/demo/plan.md"), "utf8");
    await writeIn(directory, ".gaia/demo/plan.md", plan.replace("- [x] It is liked", ""));
    expect(await left(seen, lint)).toEqual([]);
    // Red before the work and green after it is proven, unless the work changed what the check runs.
    const standing = async (changed: string[], wave = "1"): Promise<unknown> => {
      const before = [{ key: seen.key, wave, status: "failed" }];
      const value = { evidence: [{ ...seen, changed }], before, pins: [], baseline: null };
      await workspace.writeEvidence({ slug: "demo", value });
      const { claims } = await gatherReport({ directory, workspace, environment }, "demo");
      return claims.map((claim) => claim.standing);
    };
    expect(await standing([])).toEqual(["proven"]);
    expect(await standing([], "2")).toEqual(["passes"]);
    expect(await standing(["a.test.ts"])).toEqual(["stale"]);
    await writeIn(directory, ".gaia/demo/plan.md", "## Tasks\n\n- [ ] nothing that is read\n");
    expect(await left()).toContain("plan.md is not in its grammar: its tasks are not known");
  });

  it("follows no link out of the record", async () => {
    const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger });
    await workspace.createWorkUnit({ slug: "index", title: "A demo" });
    await mkdir(join(directory, "site"));
    await mkdir(join(directory, ".gaia/.local"), { recursive: true });
    await symlink(join(directory, "site"), join(directory, ".gaia/.local/reports"));
    await expect(run([])).rejects.toThrow("lies outside");
    expect(await readdir(join(directory, "site"))).toEqual([]);
  });

  it("says which units there are where there is none of that name", async () => {
    await expect(run(["x"])).rejects.toThrow('There is no work unit "x"');
    await expect(run([])).rejects.toThrow("There is no work unit yet");
  });
});
