import { readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { silentLogger } from "../../src/lib/error.ts";
import { createRedactor } from "../../src/lib/redaction.ts";
import { createWorkspace, type Workspace } from "../../src/record/workspace.ts";
import { FREE_BATON, renderBaton } from "../../src/record/store/lock.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { openFolder } from "../support/directory.ts";

let directory: string;
let workspace: Workspace;

const at = (...names: string[]): string => join(directory, ".gaia", ...names);
const read = (...names: string[]): Promise<string> => readFile(at(...names), "utf8");

beforeEach(async () => {
  directory = await openFolder();
  const clock = createFakeClock(Date.parse("2026-02-06T23:30:00Z"));
  workspace = createWorkspace({ directory, clock, logger: silentLogger, redact: createRedactor({}) });
});

/** Makes the unit that most tests are about. */
async function createUnit(): Promise<void> {
  expect(await workspace.createWorkUnit({ slug: "auth", title: "Token check" })).toMatchObject({ ok: true });
}
/** Everything that is done to a unit that is named. */
const useAll = async (slug: string) => [
  await workspace.readWorkUnit({ slug }),
  await workspace.setActive({ slug }),
  await workspace.appendLog({ slug, markdown: "x" }),
  await workspace.updatePlan({ slug, status: "draft" }),
  await workspace.appendDecisions({ slug, rows: [{ question: "a", choice: "b" }] }),
  await workspace.archiveWorkUnit({ slug }),
];

it("before anything was written reading finds nothing and creates nothing, and neither does what is refused", async () => {
  expect(await workspace.listWorkUnits()).toEqual({ ok: true, active: null, units: [], archived: [] });
  expect(await workspace.activeWorkUnit()).toEqual({ ok: true, slug: null });
  const refused = [
    ...(await useAll("auth")),
    await workspace.updatePlan({ status: "draft" }),
    await workspace.createWorkUnit({ slug: "No Slug", title: "x" }),
  ];
  const words = expect.stringMatching(/\S/) as string;
  for (const result of refused) expect(result).toEqual({ ok: false, error: words, hint: words });
  expect(await readdir(directory)).toEqual([]);
});

describe("a work unit", () => {
  it("is made from the templates, dated in UTC, and becomes the active one", async () => {
    expect(await workspace.createWorkUnit({ slug: "auth", title: " Token\ncheck {{date}}" })).toEqual({
      ok: true,
      slug: "auth",
      plan_path: ".gaia/auth/plan.md",
      log_path: ".gaia/auth/log.md",
      decisions_path: ".gaia/auth/decisions.md",
    });
    expect(await read("auth", "plan.md")).toMatch(
      /^# Token check \{\{date\}\}\n\n> Created: 2026-02-06 {2}\n> Status: draft\n\n## Goal\n/,
    );
    expect(await read("auth", "log.md")).toBe("# Log\n");
    expect(await read("auth", "decisions.md")).toContain("| Date | Question | Choice | Rationale | Impact |");
    expect(await workspace.activeWorkUnit()).toEqual({ ok: true, slug: "auth" });
  });

  it("is made with its plan in one call, as an update would write it, or not at all", async () => {
    const markdown = "# Better title\n\n> Status: approved\n\n## Tasks\n\n- [ ] 1. Write it\n";
    const unit = { slug: "auth", title: "Token check" };
    const refusedFor = {
      " \n": "The new plan is empty.",
      [`${markdown}2. Test it\n`]: "line 8: a task is `- [ ] 1. title`. Write: - [ ] 2. Test it",
    };
    for (const [text, error] of Object.entries(refusedFor)) {
      const made = await workspace.createWorkUnit({ ...unit, markdown: text });
      expect(made).toMatchObject({ ok: false, error: expect.stringContaining(error) });
    }
    expect(await readdir(directory)).toEqual([]);
    const made = await workspace.createWorkUnit({ ...unit, markdown });
    expect(made).toMatchObject({
      ok: true,
      plan_path: ".gaia/auth/plan.md",
      status: "draft",
      tasks_total: 1,
    });
    const written = await read("auth", "plan.md");
    expect(written).toMatch(/^# Better title\n\n> Created: 2026-02-06 {2}\n> Status: draft\n\n## Tasks\n/);
    expect(await workspace.createWorkUnit({ ...unit, markdown: "Nothing." })).toMatchObject({ ok: false });
    expect(await read("auth", "plan.md")).toBe(written);
  });

  it("moves to the archive under the day, numbered when that name is taken", async () => {
    for (const name of ["", "-2", "-3"]) {
      await createUnit();
      const path = `.gaia/archive/2026-02-06.auth${name}`;
      expect(await workspace.archiveWorkUnit()).toEqual({ ok: true, slug: "auth", archived_path: path });
      expect(await readFile(join(directory, path, "log.md"), "utf8")).toBe("# Log\n");
    }
    const archived = ["2026-02-06.auth", "2026-02-06.auth-2", "2026-02-06.auth-3"];
    expect(await workspace.listWorkUnits()).toMatchObject({ active: null, units: [], archived });
  });
});

describe("the record", () => {
  beforeEach(createUnit);

  it("takes log entries and decisions, and starts missing files from their templates", async () => {
    await rm(at("auth", "log.md"));
    await writeFile(at("auth", "decisions.md"), " \n");
    const logged = { ok: true, path: ".gaia/auth/log.md", heading: "2026-02-06 — Done" };
    expect(await workspace.appendLog({ markdown: "- x", title: "Done" })).toEqual(logged);
    const given = { rows: [{ question: "a?", choice: "b" }], rows_markdown: "| c? | d | e | f |" };
    const path = ".gaia/auth/decisions.md";
    const counts = { appended: 2, enriched: 0, skipped: 0 };
    expect(await workspace.appendDecisions(given)).toEqual({ ok: true, path, ...counts });
    expect(await read("auth", "log.md")).toBe("# Log\n\n## 2026-02-06 — Done\n\n- x\n");
    expect(await workspace.readDecisions()).toMatchObject({
      decisions: [
        { line: 5, date: "2026-02-06", question: "a?" },
        { line: 6, question: "c?", impact: "f" },
      ],
    });
  });

  it("is refused with file and line, and not overwritten, where it cannot be read", async () => {
    const broken = "# Decisions\r\n\r\n| Date | Question |\r\n|---|---|\r\n| 2026-01-01 | mine |\r\n";
    await writeFile(at("auth", "decisions.md"), broken);
    const row = { question: "a", choice: "b" };
    const error = expect.stringMatching(/^\.gaia\/auth\/decisions\.md:3: the columns are Date, Question\./);
    const refused = { ok: false, error, hint: expect.any(String) as string };
    expect(await workspace.appendDecisions({ rows: [row] })).toEqual(refused);
    expect(await workspace.readDecisions()).toMatchObject({ ok: false, error });
    expect(await read("auth", "decisions.md")).toBe(broken);
  });

  it("holds no secret, whichever way it came", async () => {
    const secret = ["ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
    const pem = ["-----BEGIN ", "PRIVATE KEY-----\nMIIEvgIBADANBgkq\n-----END ", "PRIVATE KEY-----"].join("");
    await workspace.createWorkUnit({ slug: "other", title: secret });
    await workspace.updatePlan({ markdown: `## Tasks\n- [ ] ${secret}` });
    await workspace.appendLog({ title: secret, markdown: `${secret}\n\n${pem}` });
    await workspace.appendDecisions({
      rows: [{ question: secret, choice: secret, rationale: pem, impact: secret }],
      rows_markdown: `| ${secret} | ${pem.replaceAll("\n", "<br>")} | ${secret} | x |`,
    });
    for (const path of ["other/plan.md", "other/log.md", "other/decisions.md"]) {
      expect(await read(path)).toContain("[REDACTED:key…q7R8]");
      expect(await read(path)).not.toMatch(/ghp_|MIIE/);
    }
  });

  it("waits for another process for no longer than its bound, and says whom it waited for", async () => {
    const lock = at(".local", "lock");
    const holder = { pid: process.pid, host: "00000000", renewedAt: Date.now(), nonce: "ab" };
    // The lock is given back only after the answers of those who had it.
    await vi.waitFor(() => rename(join(lock, FREE_BATON), join(lock, renderBaton(holder))));
    const results = await Promise.all([
      workspace.appendLog({ markdown: "x" }),
      workspace.appendLog({ markdown: "y" }),
    ]);
    const error = expect.stringContaining(`process ${process.pid} on another`) as string;
    for (const result of results) expect(result).toMatchObject({ ok: false, error });
    expect(await workspace.readWorkUnit()).toMatchObject({ ok: true, content: { log_md: "# Log\n" } });
  });
});

describe("names that lead out", () => {
  it.each(["../../x", "/etc", "..", ".", "a/../../b", "auth/../../x", "a\0b", "archive", "con"])(
    "%j",
    async (slug) => {
      const results = [await workspace.createWorkUnit({ slug, title: "x" }), ...(await useAll(slug))];
      expect(results.map(({ ok }) => ok)).toEqual(results.map(() => false));
      expect(await readdir(directory)).toEqual([]);
    },
  );

  it("a linked unit, document or archive", async () => {
    const outside = await openFolder();
    await createUnit();
    await symlink(outside, at("linked"));
    await symlink(outside, at("archive"));
    await rm(at("auth", "log.md"));
    await symlink(join(outside, "log.md"), at("auth", "log.md"));
    const results = [
      await workspace.createWorkUnit({ slug: "linked", title: "x" }),
      await workspace.appendLog({ slug: "linked", markdown: "x" }),
      await workspace.appendLog({ slug: "auth", markdown: "x" }),
      await workspace.readWorkUnit({ slug: "auth" }),
      await workspace.archiveWorkUnit({ slug: "auth" }),
    ];
    expect(results.map(({ ok }) => ok)).toEqual([false, false, false, false, false]);
    expect(await readdir(outside)).toEqual([]);
  });
});
