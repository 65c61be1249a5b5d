import { afterEach, expect, it, vi } from "vitest";
import { toolResults } from "../../src/scripted-model/request.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openTuiProject, type TuiProject } from "../support/tui.ts";
import { HEPHAESTUS_DONE, plan, write } from "./collaboration-scenes.ts";
import { reviewed } from "./gates-scenes.ts";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 });
const SIZES = [
  { columns: 200, rows: 50 },
  { columns: 120, rows: 40 },
  { columns: 80, rows: 24 },
] as const;
let tui: TuiProject;
afterEach(async () => tui.close());

async function open(gaia: object): Promise<void> {
  tui = await openTuiProject({
    files: { "a.txt": "one\n" },
    config: { default_agent: "gaia", snapshot: true },
    gaia,
  });
  await tui.select("Gaia");
}
async function capture(name: string, wanted: RegExp | string): Promise<void> {
  for (const size of SIZES) {
    await tui.resize(size);
    await new Promise((r) => setTimeout(r, 2500));
    console.log(`=== ${name} ${size.columns}x${size.rows}\n${tui.screen()}\n`);
    if (!(typeof wanted === "string" ? tui.screen().includes(wanted) : wanted.test(tui.screen()))) console.log(`!!! ${name} ${String(wanted)}`);
  }
  await tui.resize({ columns: 160, rows: 48 });
}
const MARKDOWN = ["## Goal", "The sum is right.", "## Tasks", "- [ ] 1. Write b.txt", "  - agent: hephaestus", "  - wave: 1", "  - files: b.txt", "  - verify: test -s b.txt", "- [ ] 2. Test b.txt", "  - agent: artemis", "  - wave: 2", "  - files: c.txt", "  - verify: test -s c.txt"].join("\n");
const tested = result({ checks_run: [], tests_added: ["c.txt"], coverage_notes: "", pass_status: "pass" }, { outcome: { verdict: "APPROVE" } });
const recorded = result({ log_entry: "Two files.", decisions: [], learnings: [], plan_updates: [], session_summary: "x" });
const done = result(HEPHAESTUS_DONE);
const unit = (): Turn => plan("create_work_unit", { slug: "sum", title: "Sum", content: { markdown: MARKDOWN } });
function workers(): void {
  tui.model.always("hephaestus", (request) => (toolResults(request).length > 0 ? done : write(tui, "b.txt", "b\n")));
  tui.model.always("artemis", (request) => (toolResults(request).length > 0 ? tested : write(tui, "c.txt", "c\n")));
  tui.model.always("hades", reviewed("hades"));
  tui.model.always("aether", reviewed("aether"));
  tui.model.always("demeter", recorded);
}

it("feature supervised", async () => {
  await open({ definitionOfDone: { checks: [{ id: "b", command: "test -s b.txt" }] } });
  workers();
  tui.model.script("gaia", unit(), plan("request_approval", { kind: "plan" }), plan("run", { commit: true }), say("Built."));
  tui.model.always("gaia", say("I stop."));
  await tui.submit("Build the sum");
  await tui.shows(/Permission required|Type your own answer/);
  await capture("first question", /./);
  tui.press("Enter");
  await new Promise((r) => setTimeout(r, 3000));
  if (!tui.screen().includes("plan of sum")) { console.log("AFTER ENTER\n" + tui.screen()); tui.press("Enter"); await new Promise((r) => setTimeout(r, 3000)); console.log("AFTER ENTER 2\n" + tui.screen()); }
  await tui.shows(/plan of sum/);
  await capture("plan dialog", /Permission required/);
  tui.press("Enter");
  await tui.shows(/wave 2 of sum[^]*Allow once/);
  await capture("wave 2 dialog", /Permission required/);
  tui.press("Enter");
  await tui.shows(/revision of sum[^]*Allow once/);
  await capture("revision dialog", /Permission required/);
  tui.press("Enter");
  await tui.shows(/GAIA: \w+/);
  await capture("end", /GAIA: \w+/);
});

it("no and esc", async () => {
  await open({ mode: "supervised", startup: { askAtTaskStart: false } });
  workers();
  tui.model.script("gaia", unit(), plan("request_approval", { kind: "plan" }), say("You said no."));
  await tui.submit("Build the sum");
  await tui.shows(/plan of sum[^]*Allow once/);
  tui.press("Escape");
  await tui.shows("You said no.");
  await capture("esc at plan", /Rejected/);
});

it("lying, looping, silent", async () => {
  await open({ mode: "autopilot", startup: { askAtTaskStart: false }, delegation: { stallSeconds: 5 } });
  tui.model.script("gaia", say("All done. All 12 tests pass and everything is committed."));
  await tui.submit("Fix it");
  await tui.shows("All done.");
  await capture("lying", /./);
  tui.model.always("hephaestus", call("bash", { command: "ls", description: "look" }));
  tui.model.script("gaia", call("delegate_gaia", { agent: "hephaestus", goal: "Write two" }), say("It looped."));
  await tui.submit("Two, please");
  await tui.shows("It looped.");
  await capture("looping", /GAIA: /);
  tui.model.always("hephaestus", { trouble: "hang" });
  tui.model.script("gaia", call("delegate_gaia", { agent: "hephaestus", goal: "Write three" }), say("It was silent."));
  await tui.submit("Three, please");
  await tui.shows(/progress=/);
  await capture("silent at work", /hephaestus/);
  await tui.shows("It was silent.");
  await capture("silent", /GAIA: /);
});
