import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { call, say, type Turn } from "../../src/scripted-model/turn.ts";
import { openTuiProject, type TuiProject } from "../support/tui.ts";
import { callAll } from "../support/project.ts";
import { done, plan, UNIT } from "./scenes.ts";

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
/** After so long a user presses a key again. */
const AGAIN_MS = 2_000;
const sidebar = (): string => tui.sidebar();

/** Chooses the one entry of the palette that has this title. */
async function choose(title: string): Promise<void> {
  tui.press("C-p");
  await tui.shows("Commands");
  await tui.type(title);
  await tui.shows((screen) => !screen.includes("Suggested"));
  // Enter is lost on a list that was filtered in this very moment: a user would press it again.
  let pressed = 0;
  await tui.shows((screen) => {
    const isOpen = screen.includes("Commands");
    if (isOpen && Date.now() - pressed > AGAIN_MS) {
      pressed = Date.now();
      tui.press("Enter");
    }
    return !isOpen;
  });
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

  it("says where a check-in waits for the user, and shows its packet", async () => {
    await ask();
    await choose("GAIA: pair");
    await expect.poll(sidebar, WAIT).toMatch(/GAIA {2}supervised/);
    tui.model.script(
      "hephaestus",
      call("bash", { command: "seq 3 | tee -a a.txt; touch b.txt c.txt", description: "Append" }),
    );
    tui.model.always("hephaestus", done);
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

it("an approval says what it is for, above the dialog and in it, without any source; a no leaves a prompt for the reason, in which a command is a command, and no model hears of it", async () => {
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
  const screen = await tui.shows(/plan of signup; wave 1 runs unasked/);
  expect(screen).toContain("Permission required");
  expect(screen).toMatch(
    /Plan of signup: Signup \([^]*Goal: [^]*typed\.[^]*1\. Check the fields \(hephaestus, wave 1; form\.js/,
  );
  expect(screen).not.toMatch(/## |\*\*|markdown=/);
  // Someone who types has not answered.
  tui.press("k", "Space", "Enter");
  expect(await tui.shows("You were typing")).toContain("Permission required");
  await expect
    .poll(
      () => {
        if (tui.screen().includes("Permission required")) tui.press("Enter");
        return tui.screen();
      },
      { ...WAIT, interval: 2_100 },
    )
    .toContain("Approved.");

  const other = plan("create_work_unit", { slug: "refused", title: "Refused" });
  tui.model.script("gaia", other, plan("open_wave", { wave_id: "w1" }), say("You said no."));
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
