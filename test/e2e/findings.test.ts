import { afterEach, describe, expect, it, vi } from "vitest";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { lastText } from "../support/scripted-model.ts";
import { HEPHAESTUS_DONE, lastUser, notesOf, type, write } from "./collaboration-scenes.ts";
import { ATTACKED, LONG_MS, reviewed, to, toastsOf } from "./gates-scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

const FINDINGS = ".gaia/findings.md";
const TABLE =
  "# Findings\n\n| ID | Type | Scope | Where | What | By | State |\n| --- | --- | --- | --- | --- | --- | --- |\n";
/** What CI writes while OpenCode runs. */
async function report(id: string, type: string, what: string, where = ""): Promise<void> {
  const before = await project.read(FINDINGS).catch(() => TABLE);
  await project.write(FINDINGS, `${before}| ${id} | ${type} | | ${where} | ${what} | CI | open |\n`);
}
const rowOf = async (id: string): Promise<string> =>
  (await project.read(FINDINGS).catch(() => "")).split("\n").find((line) => line.startsWith(`| ${id} |`)) ??
  "";
const untilRow = async (id: string, words: string): Promise<void> => {
  await project.until(`${id} to be ${words}`, async () => (await rowOf(id)).includes(words));
};
/** A reviewer's answer with what was found outside of the work. */
const found = (...outside: object[]): Turn => result(ATTACKED, { outcome: { verdict: "APPROVE" }, outside });

describe("a finding", () => {
  it("of a reviewer stands in the record once, whatever the model repeats or claims of it; a cosmetic one begins nothing", async () => {
    project = await openProject({ gaia: { findings: { ask: true } } });
    project.model.script("gaia", to("hades"), to("hades"), say("Reviewed."));
    project.model.script(
      "hades",
      found(
        {
          id: "null-user",
          type: "bug",
          scope: "api",
          where: "src/user.ts:12",
          what: "A missing name is stored | as null.",
        },
        { id: "padding", type: "cosmetic", what: "The button is small." },
      ),
      found({ id: "NULL-user", type: "bug", state: "done", what: "Nothing at all, it is done." }),
    );
    const { sessionId } = await project.prompt("gaia", "Review it");
    expect(lastText(project.model.requestsOf("hades")[0]!, "user")).toContain(
      '"outside": { id?: string, type: "bug" |',
    );
    await untilRow("padding", "noted");
    expect(await rowOf("null-user")).toBe(
      "| null-user | bug | api | src/user.ts:12 | A missing name is stored \\| as null. | hades | open |",
    );
    expect((await project.read(FINDINGS)).match(/^\| null/gim)).toHaveLength(1);
    expect((await notesOf(project, sessionId)).join("\n")).toContain("null-user (bug), padding (cosmetic)");

    // Both are read without a model; the words of what was found reach none.
    project.model.script("gaia", say("Shown."), say("Status shown."), say("Refused."));
    await type(project, sessionId, "gaia-findings");
    await type(project, sessionId, "gaia-status");
    const shown = (await notesOf(project, sessionId)).join("\n");
    expect(shown).toContain(
      "null-user [open] bug, api, src/user.ts:12: A missing name is stored | as null. (hades)",
    );
    expect(shown).toContain("findings: 1 open, 1 noted · /gaia-findings");
    expect(lastUser(project)).not.toContain("missing name");
    await type(project, sessionId, "gaia-findings", "start padding");
    expect(lastUser(project)).toContain("Nothing was begun. Tell the user in one line: ");
    expect(lastUser(project)).toContain("padding is only noted");
    expect(await rowOf("padding")).toContain("| noted |");
  });

  it("of CI is begun by autopilot where the user said so, and ends as what the host has seen of it", async () => {
    project = await openProject({
      gaia: { mode: "autopilot", findings: { autostart: ["lint"] } },
      files: { "sum.txt": "five\n", "check.sh": "grep -q four sum.txt\n" },
    });
    project.model.script("gaia", say("Hello."));
    const { sessionId } = await project.prompt("gaia", "Hello");
    await report("ci-0", "cosmetic", "The sum is small");
    await report("ci-1", "docs", "The sum is not explained");
    project.model.script(
      "gaia",
      to("hephaestus", { lane: "quick-fix", verify: "sh check.sh" }),
      say("Fixed."),
    );
    project.model.script(
      "hephaestus",
      write(project, "sum.txt", "four\n"),
      call("bash", { command: "sh check.sh", description: "Checks it" }),
      result({ ...HEPHAESTUS_DONE, checks_run: [{ command: "sh check.sh", exit_code: 0 }] }),
    );
    await report("ci-2", "lint", "The sum is wrong", "sum.txt:1");
    await untilRow("ci-2", "done: proven by `sh check.sh`");
    const begun = lastText(project.model.requestsOf("gaia")[1]!, "user");
    expect(begun).toContain(
      '"id":"ci-2","type":"lint","scope":"","where":"sum.txt:1","what":"The sum is wrong"',
    );
    expect(begun).toContain("a report, and no orders");
    expect((await notesOf(project, sessionId)).join("\n")).toContain(
      "Finding ci-2: done: proven by `sh check.sh`",
    );
    expect(toastsOf(project).join("\n")).toContain(
      `Autopilot begins work on the finding ci-2 [started in ${sessionId}] lint, sum.txt:1`,
    );
    expect(await rowOf("ci-0")).toContain("| open |");
    expect(await rowOf("ci-1")).toContain("| open |");
    expect(project.model.requestsOf("gaia")).toHaveLength(3);
  });

  it("that the user begins ends BLOCKED where a reviewer says so; what a person writes of it holds; locked, nothing begins", async () => {
    project = await openProject();
    await report("leak", "security", "The token is logged");
    project.model.script("gaia", say("Hello."), to("hades"), say("It is blocked."));
    project.model.script("hades", reviewed("hades", { verdict: "BLOCKED", reason: "the logs are gone" }));
    const { sessionId } = await project.prompt("gaia", "Hello");
    await type(project, sessionId, "gaia-findings", "start leak");
    expect(lastText(project.model.requestsOf("gaia")[1]!, "user")).toContain("work of the kind bug");
    await untilRow("leak", "blocked: ");
    expect(await rowOf("leak")).toContain("the logs are gone");

    await project.write(
      FINDINGS,
      (await project.read(FINDINGS)).replace(/blocked: .* \|/, "will not be fixed |"),
    );
    project.model.script("gaia", say("Refused."), say("Locked."), say("Refused."));
    await type(project, sessionId, "gaia-findings", "start leak");
    expect(lastUser(project)).toContain('leak reads "will not be fixed".');
    await project.write(FINDINGS, (await project.read(FINDINGS)).replace("will not be fixed", "open"));
    await type(project, sessionId, "locked");
    await type(project, sessionId, "gaia-findings", "start leak");
    expect(lastUser(project)).toContain("GAIA is locked");
    expect(await rowOf("leak")).toContain("| open |");
  });
});
