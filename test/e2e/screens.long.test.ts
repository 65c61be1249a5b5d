import { afterEach, describe, expect, it, vi } from "vitest";
import { toolResults } from "../../src/scripted-model/request.ts";
import { call, say, type Turn } from "../../src/scripted-model/turn.ts";
import type { RecordedRequest } from "../../src/scripted-model/request.ts";
import { openTuiProject, type TuiProject } from "../support/tui.ts";
import { done, plan, recorded, reviewed, tested, write, planOf } from "./scenes.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });

/** As of a small window, a laptop and a large screen. */
const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
  { columns: 200, rows: 50 },
];
const CHECK = { checks: [{ id: "sum", command: "test -s b.txt" }] };
const MARKDOWN = planOf("The sum is right.", [
  { text: "Write b.txt", wave: "1", files: "b.txt", verify: "test -s b.txt" },
  { text: "Test b.txt", agent: "artemis", wave: "2", files: "c.txt", verify: "test -s c.txt" },
]);

let tui: TuiProject;
afterEach(async () => tui.close());

/** Opens a project whose specialists do what they are told, and says something to GAIA. */
async function begin(gaia: object, said: string, ...turns: readonly Turn[]): Promise<void> {
  const files = { "a.txt": "one\n" };
  tui = await openTuiProject({ files, config: { default_agent: "gaia", snapshot: true }, gaia });
  const worker = (name: string, end: Turn) => (request: RecordedRequest) =>
    toolResults(request).length > 0 ? end : write(tui, name);
  tui.model.always("hephaestus", worker("b.txt", done));
  tui.model.always("artemis", worker("c.txt", tested));
  tui.model.always("hades", reviewed("hades"));
  tui.model.always("aether", reviewed("aether"));
  tui.model.always("demeter", recorded);
  tui.model.script("gaia", ...turns);
  await tui.select("Gaia");
  await tui.submit(said);
}

/** Waits until the screen of each size shows this: all of it at once, without scrolling. */
async function expectScreens(wanted: RegExp): Promise<void> {
  for (const size of SIZES) {
    await tui.resize(size);
    await tui.shows(wanted);
    if (process.env["SHOW"] === "1") console.log(`${size.columns} × ${size.rows}\n${tui.screen()}`);
  }
}

const planned = [
  plan("create_work_unit", { slug: "sum", title: "Sum", content: { markdown: MARKDOWN } }),
  plan("request_approval", { kind: "plan" }),
];

describe("on a screen of any size", () => {
  it("a supervised feature puts the plan, each later wave, the revision and the end before the user", async () => {
    const turns = [...planned, plan("run", { commit: true }), say("Built.")];
    await begin({ mode: "supervised", definitionOfDone: CHECK }, "Build the sum", ...turns);
    await expectScreens(
      /Plan of sum: Sum[^]*Goal: The sum is right\.[^]*1\. Write b\.txt \(hep[^]*2\. Test b\.txt \(art[^]*Permission required[^]*wave 1 runs unasked[^]*Allow once/,
    );
    tui.press("Enter");
    await expectScreens(
      /b\.txt \+1 −0[^]*Next: 2\. Test b\.txt[^]*wave 2 of sum; artemis c\.txt[^]*Allow once/,
    );
    tui.press("Enter");
    await expectScreens(/To be committed[^]*b\.txt[^]*revision of sum[^]*Allow once/);
    tui.press("Enter");
    await expectScreens(/Left for you: nothing[^]*GAIA: done: 2 proven[^]*Built\./);
    expect(tui.model.unscripted).toEqual([]);
  });

  it("the dialog of a plan of nine tasks leaves them readable, and names how many more there are", async () => {
    const many = (count: number) => {
      const tasks = Array.from({ length: count }, (_, at) => ({
        text: `Write part ${at + 1} of the export with all of its odd cases and a long title`,
        wave: String(Math.floor(at / 3) + 1),
        files: `src/some/nested/folder/part${at + 1}.ts`,
        verify: `npm test -- part${at + 1}`,
      }));
      return planOf(
        "Invoices can be exported.",
        tasks,
        "`npm test`: tests pass",
        "the customer opens the file",
      );
    };
    const write = (markdown: string): Turn =>
      plan("run", { slug: "export", title: "Export", replace: true, content: { markdown } });
    await begin({ mode: "supervised" }, "Build it", write(many(9)), say("Refused."));
    await expectScreens(
      /Goal: Invoices can be exported\.\s[^]*- 1\. Write part 1 [^]*- 5\. Write part 5 [^]*- 9\. Write part 9 [^]*Done When: `npm test`: tests pass; the customer opens[^]*wave 1 runs unasked[^]*Allow once/,
    );
    tui.press("Escape");
    await tui.shows("Refused.");
    tui.model.script("gaia", write(many(13)), say("Again."));
    await tui.submit("Build more");
    await expectScreens(
      /Goal: Invoices[^]*- 8\. Write part 8 [^]*… 5 more tasks in \.gaia\/export\/plan\.md[^]*Allow once/,
    );
    expect(tui.model.unscripted).toEqual([]);
  });

  it("a claim, a loop and a silence are called what they are", async () => {
    const gaia = { mode: "autopilot", startup: { askAtTaskStart: false }, delegation: { stallSeconds: 5 } };
    const delegate = (goal: string): Turn => call("delegate_gaia", { agent: "hephaestus", goal });
    await begin(gaia, "Fix it", delegate("Fix it"), say("All 12 tests pass."));
    await expectScreens(/All 12 tests pass\.[^]*GAIA: done: claimed, not proven/);
    tui.model.always("hephaestus", call("bash", { command: "ls", description: "look" }));
    tui.model.script("gaia", delegate("Write two"), say("It looped."));
    await tui.submit("Two, please");
    await expectScreens(/It looped\.[^]*GAIA: failed/);
    tui.model.always("hephaestus", { trouble: "hang" });
    tui.model.script("gaia", delegate("Write three"), say("It was silent."));
    await tui.submit("Three, please");
    await expectScreens(/hephaestus/);
    await expectScreens(/It was silent\.[^]*GAIA: failed/);
    expect(tui.model.unscripted).toEqual([]);
  });
});
