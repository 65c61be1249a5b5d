import { entryTexts } from "../support/entries.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openTuiProject, type TuiProject } from "../support/tui.ts";
import { HEPHAESTUS_DONE, plan, UNIT } from "./collaboration-scenes.ts";
import { callAll } from "../support/scripted-model.ts";

// The first turn in a fresh home is slow on a loaded machine, and a scenario has several waits.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

let tui: TuiProject;
beforeAll(async () => {
  tui = await openTuiProject({
    config: { default_agent: "gaia" },
    files: { "a.txt": "one\n" },
    gaia: {
      mode: "autopilot",
      delegation: { maxConcurrent: { perModel: { "scripted/main": 3 } } },
      definitionOfDone: {
        checks: [
          { id: "types", command: "true" },
          { id: "tests", command: "false" },
        ],
      },
    },
  });
});
afterAll(async () => tui.close());

/** Sends a message and waits for what GAIA says in the end. */
let rounds = 0;
async function ask(...turns: readonly Turn[]): Promise<void> {
  const answer = `Answer ${(rounds += 1)}.`;
  tui.model.script("gaia", ...turns, say(answer));
  await tui.submit(`Question ${rounds}`);
  await tui.shows(answer);
}

/** For what has to come; the time is bounded, and long for a loaded machine. */
const WAIT = { timeout: 50_000 };
const sidebar = (): string => tui.sidebar();

/** Chooses the one entry of the palette that has this title. */
async function choose(title: string): Promise<void> {
  tui.press("C-p");
  await tui.shows("Commands");
  await tui.type(title);
  await tui.shows((screen) => !screen.includes("Suggested"));
  // Enter is lost on a list that was filtered in this very moment: a user would press it again.
  await expect
    .poll(
      () => {
        if (tui.screen().includes("Commands")) tui.press("Enter");
        return tui.screen();
      },
      { ...WAIT, interval: 2_000 },
    )
    .not.toContain("Commands");
}

/** Types a slash command, and takes the panel's entry from the list that comes up. */
async function slash(name: string, description: string): Promise<void> {
  await tui.type(`/${name}`);
  await tui.shows(new RegExp(`/${name} +${description}`));
  tui.press("Enter");
}

/** Closes a dialog; keys that come too soon after Escape would belong to it. */
async function escape(dialog: string): Promise<void> {
  tui.press("Escape");
  await tui.shows((screen) => !screen.includes(dialog));
}

/** Each scenario has a session of its own, with GAIA. */
beforeEach(async () => {
  if (!tui.screen().includes("Ask anything")) {
    await choose("New session");
    await tui.shows("Ask anything");
  }
  await tui.select("Gaia");
});

describe("the panel", () => {
  it("is not there for other agents, and neither are its commands", async () => {
    tui.model.script("native", say("Built."));
    await tui.select("Build");
    await tui.submit("Build it");
    await tui.shows("Built.");
    await expect.poll(sidebar, WAIT).toMatch(/Context\n[^]*LSP\n/);
    expect(tui.sidebar()).toMatch(/spent\n\nLSP/);
    tui.press("C-p");
    await tui.shows("Commands");
    expect(tui.screen()).not.toContain("GAIA:");
    await escape("Commands");
  });

  it("shows how they work together, the work unit, its tasks, the wave and what is left", async () => {
    const tasks = ["## Tasks", "- [ ] 1. Map it", "- [ ] 2. Build it", "- [ ] 3. Test it"].join("\n");
    await ask(
      UNIT,
      plan("update_plan", { content: { markdown: tasks } }),
      plan("update_plan", { tick: ["1"] }),
      plan("open_wave", { wave_id: "w1", title: "The first" }),
    );
    await expect
      .poll(sidebar, WAIT)
      .toMatch(
        /GAIA {2}autopilot · standard\nfeature\nunit {2}1\/3 tasks\n0 proven · 1 claimed\nwave w1\nleft: 3 failures, 39 calls, \d+ min\n/,
      );
  });

  it("shows three specialists at work, and a fourth that waits", async () => {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const agents = ["minerva", "apollo", "hades", "aether"];
    for (const agent of agents) {
      tui.model.script(agent, call("read", { filePath: `${tui.directory}/a.txt` }), async () => {
        await released;
        return say("Nothing found.");
      });
      tui.model.always(agent, say("Nothing found."));
    }
    const delegations = agents.map((agent) =>
      call("delegate_gaia", { agent, goal: `Look, ${agent}`, task: { context: "NOT PRINTED" } }),
    );
    const asked = ask(callAll(...delegations));
    // Which of the four waits is decided by who was ready first.
    await expect.poll(sidebar, WAIT).toMatch(/standard\n(?:.*\n){4}left: /);
    const working = (): string[] => sidebar().match(/^● \w+ \d+s 1\.\dk main$/gm) ?? [];
    await expect.poll(working, WAIT).toHaveLength(3);
    expect(sidebar()).toMatch(/^○ \w+ queued$/m);
    const [first] = working();
    await expect.poll(working, WAIT).not.toContain(first);
    expect(working()).toHaveLength(3);
    release();
    await asked;
    // The row says who does what, and its end how that went.
    expect(tui.screen()).toMatch(/delegate_gaia \[agent=minerva, goal=Look, minerva\]/);
    expect(tui.screen()).toMatch(/◐ minerva › Look, minerva · \d+ s · [\d.]+k tokens · \$0\.00 · /);
    expect(tui.screen()).not.toContain("NOT PRINTED");
    await expect.poll(sidebar, WAIT).toMatch(/GAIA {2}autopilot · standard\n(?:(?![●○]).*\n)*LSP/);
  });

  it("shows the check that failed", async () => {
    const limit: Turn = { status: 429, message: "Too many", headers: { "retry-after": "5" } };
    const asked = ask(
      limit,
      plan("verify"),
      plan("complete_wave", { wave_id: "w9" }),
      call("delegate_gaia", { agent: "herme", goal: "Carry it" }),
    );
    // Until when, and it goes on by itself.
    await expect.poll(sidebar, WAIT).toMatch(/↻ goes on at \d\d:\d\d:\d\d: Too many/);
    await asked;
    await expect.poll(sidebar, WAIT).toMatch(/✗ tests\n/);
    expect(tui.screen()).toContain("✗ Checks do not pass · tests: failed (exit code 1)");
    expect(tui.screen()).toContain("✗ Wave w9 stays open: ");
    expect(tui.screen()).toContain("✗ herme › Carry it · not begun: ");
  });

  it("says where a check-in waits for the user, and shows its packet", async () => {
    await ask();
    await choose("GAIA: pair");
    await expect.poll(sidebar, WAIT).toMatch(/GAIA {2}supervised/);
    tui.model.script(
      "hephaestus",
      call("bash", { command: "seq 3 | tee -a a.txt; touch b.txt c.txt", description: "Append" }),
    );
    tui.model.always("hephaestus", result(HEPHAESTUS_DONE));
    const asked = ask(call("delegate_gaia", { agent: "hephaestus", goal: "append a line" }));
    await tui.shows("Permission required");
    await expect.poll(sidebar, WAIT).toMatch(/◆ hephaestus asks you/);
    tui.press("Enter");
    await asked;
    await expect.poll(sidebar, WAIT).toMatch(/‖ check-in: \/next goes on/);
    await tui.shows(/- a\.txt \+3[^]*2 \+ 1\n[^]*to change/);

    const small = await tui.openAnother({ columns: 80, rows: 20, newest: true });
    try {
      await small.shows("to change");
      // There is no sidebar, so one line beside the prompt says it.
      await small.shows(/GAIA ‖ check-in: \/next goes on/);
    } finally {
      await small.close();
    }
  });
});

describe("an approval", () => {
  it("says what it is for, above the dialog and in it, without any source", async () => {
    await ask();
    await choose("GAIA: supervised");
    await expect.poll(sidebar, WAIT).toMatch(/GAIA {2}supervised/);
    const markdown = [
      "## Goal",
      "Signup checks what is **typed**.",
      "## Tasks",
      "- [ ] 1. Check the fields",
      "  - agent: hephaestus",
      "  - files: form.js",
      "  - verify: `true`",
    ].join("\n");
    const title = "Signup";
    const unit = plan("create_work_unit", { slug: "signup", title, content: { markdown } });
    tui.model.script("gaia", unit, plan("request_approval", { kind: "plan" }), say("Approved."));
    await tui.submit("Plan it");
    // The dialog's frame is drawn before what stands in it.
    const screen = await tui.shows(/plan of signup; Signup checks what is \S+ · 1 tasks? in 1 waves?/);
    expect(screen).toContain("Permission required");
    expect(screen).toMatch(
      /Plan of signup: Signup\n[^]*Goal:\n[^]*typed\.[^]*1\. Check the fields \(hephaestus; form\.js/,
    );
    expect(screen).not.toMatch(/## |\*\*|markdown=/);
    tui.press("Enter");
    await tui.shows("Approved.");
  });
});

describe("a no", () => {
  it("leaves a prompt for the reason, in which a command is a command, and no model hears of it", async () => {
    await ask();
    await choose("GAIA: supervised");
    await expect.poll(sidebar, WAIT).toMatch(/GAIA {2}supervised/);
    const unit = plan("create_work_unit", { slug: "refused", title: "Refused" });
    tui.model.script("gaia", unit, plan("open_wave", { wave_id: "w1" }), say("You said no."));
    await tui.submit("Begin it");
    await tui.shows("Permission required");
    tui.press("Left");
    tui.press("Enter");
    await tui.shows(/Rejected wave w1 because: *\n/);
    // The prompt is filled before GAIA has answered.
    await tui.shows("You said no.");
    const asked = tui.model.requests.length;
    await tui.type("/gaia-status");
    tui.press("Enter");
    await tui.shows(/GAIA: status[^]*enter closes/);
    await escape("GAIA: status");
    expect(tui.screen()).not.toContain("Rejected wave w1 because:");
    expect(tui.model.requests.length).toBe(asked);
  });
});

describe("a talk with a specialist", () => {
  it("opens where the user can write, and /back leads to GAIA again", async () => {
    await ask();
    tui.model.script("gaia", say("It listens."));
    await tui.submit("/talk minerva");
    // A child of GAIA's conversation has no prompt line there, so that this is none.
    await tui.shows(/You speak with minerva now[^]*mode: /);
    tui.model.script("minerva", say("Two files matter."), say("Handed back."));
    await tui.submit("What matters here?");
    await tui.shows("Two files matter.");
    await tui.type("/back");
    await tui.shows(/\/back +GAIA: back from/);
    // The first takes the command from the list, the second sends it.
    tui.press("Enter");
    await tui.shows((screen) => !/\/back +GAIA:/.test(screen));
    tui.press("Enter");
    await tui.shows(/You are back from minerva \(1 message\)[^]*Two files matter/);
    await ask();
    expect(tui.model.requestsOf("gaia").at(-1)?.raw).toContain("Two files matter.");
  });
});

describe("a setting", () => {
  it("is turned from the palette and from the slash menu, and no model hears of it", async () => {
    await ask();
    const before = tui.model.requests.length;
    await choose("GAIA: locked");
    await expect.poll(sidebar, WAIT).toMatch(/GAIA {2}locked · standard/);
    await slash("gaia", "mode, profile, visibility");
    await tui.shows("how we work together");
    await tui.type("agentic_full");
    await tui.shows((screen) => !screen.includes("pair_live"));
    tui.press("Enter");
    await expect.poll(sidebar, WAIT).toMatch(/GAIA {2}autopilot · agentic_full/);
    await choose("GAIA: status");
    await tui.shows(/GAIA: status[^]*profile agentic_full · visibility quiet/);
    await escape("GAIA: status");
    expect(tui.model.requests).toHaveLength(before);

    await ask();
    expect(tui.model.requests.at(-1)?.raw).toContain('profile=\\"agentic_full\\" mode=\\"autopilot\\"');
  });
});

describe("a command that needs no model", () => {
  /** Types it to its end, with which the list of commands goes, and sends it. */
  const enter = async (line: string): Promise<void> => {
    await tui.type(line);
    tui.press("Space");
    await tui.shows((screen) => !/ {2}GAIA: .*┃\n/.test(screen));
    tui.press("Enter");
  };

  it("costs no model turn when it is typed, and says what is wrong with it", async () => {
    await ask();
    const before = tui.model.requests.length;
    await enter("/locked");
    await expect.poll(sidebar, WAIT).toMatch(/GAIA {2}locked/);
    await enter("/live");
    await enter("/gaia-status");
    await tui.shows(/GAIA: status[^]*mode locked[^]*visibility live/);
    await escape("GAIA: status");
    await enter("/cadence weekly");
    await tui.shows(/\/cadence: "weekly" is\W+not one of them/);
    // It stands there to be mended.
    expect(tui.screen()).toMatch(/┃ {2}\/cadence weekly/);
    for (const _ of "weekly ") tui.press("Backspace");
    await enter("batch");
    await enter("/gaia-status");
    await tui.shows(/GAIA: status[^]*cadence batch/);
    await escape("GAIA: status");
    expect(tui.model.requests).toHaveLength(before);
    // The prompt is as empty for OpenCode as it looks.
    await ask();
    expect(tui.model.requests.at(-1)?.raw).not.toContain("/gaia-status");
  });
});

describe("a learning that GAIA noticed", () => {
  it("is shown and counted, and kept by one key, of which no model hears", async () => {
    await writeFile(
      join(tui.directory, "check.sh"),
      "test -f fixed.txt || { echo 'error: not fixed'; exit 3; }\n",
    );
    const check = call("bash", { command: "sh check.sh", description: "Check" });
    const fix = call("write", { filePath: join(tui.directory, "fixed.txt"), content: "fixed\n" });
    tui.model.script("hephaestus", check, fix, check, result(HEPHAESTUS_DONE));
    await ask(call("delegate_gaia", { agent: "hephaestus", goal: "fix" }));
    await tui.shows(/Noticed: insight: `sh check\.sh` failed[^]*keeps it/);
    await expect.poll(sidebar, WAIT).toContain("1 proposal waits: ctrl+x k");
    const before = tui.model.requests.length;
    tui.press("C-x", "k");
    await tui.shows("Kept in .gaia/knowledge: 1.");
    await expect.poll(sidebar, WAIT).not.toContain("1 noticed");
    expect(tui.model.requests).toHaveLength(before);
    expect(await entryTexts(tui.directory)).toMatch(/^status: accepted$[^]*^`sh check\.sh` failed/m);
  });
});
