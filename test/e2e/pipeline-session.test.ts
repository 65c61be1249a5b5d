import { afterEach, expect, it } from "vitest";
import { call, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, lastText } from "../support/project.ts";
import { lastUser, notesOf, plan, type, UNIT } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

const BODY = "## Goal\n\nLimits.\n\n## Tasks\n\n- [ ] 1. Write it\n  - agent: hephaestus\n- [ ] 2. Test it\n";

it("/gaia-status shows the plan, who is at work and the last checks for one short turn; /handoff tells the next session all of it", async () => {
  project = await openProject({
    gaia: { definitionOfDone: { checks: [{ id: "never", command: "false" }] } },
  });
  project.model.script(
    "gaia",
    UNIT,
    plan("update_plan", { content: { markdown: BODY } }),
    plan("update_plan", { tick: ["1"] }),
    plan("verify"),
    call("delegate_gaia", { agent: "minerva", goal: "look", background: true }),
    say("Working."),
    say("Status shown."),
    say("Handed over."),
  );
  project.model.always("gaia", say("Going on."));
  project.model.script("minerva", say("late", { delayMs: 600_000 }));
  const { sessionId } = await project.prompt("gaia", "Begin");
  await type(project, sessionId, "gaia-status");
  const shown = (await notesOf(project, sessionId)).join("\n");
  expect(shown).toContain("work unit unit");
  expect(shown).toContain("plan draft · 1 of 2 tasks done · next: 2. Test it");
  expect(shown).toMatch(/running: minerva, \d+ s/);
  expect(shown).toMatch(/budgets left: .* of 40 tool calls/);
  expect(shown).toMatch(/checks .*: Definition of Done NOT passed: 0 of 1 checks passed; not passed: never/);
  expect(lastUser(project)).not.toContain("1 of 2 tasks done");

  const child = String((await project.children(sessionId))[0]?.["id"]);
  await type(project, sessionId, "handoff", "mind the clock");
  expect(lastUser(project)).toContain("say only: Handed over.");
  expect((await notesOf(project, sessionId)).join("\n")).toContain(".gaia/unit/log.md");
  const log = await project.read(".gaia/unit/log.md");
  expect(log).toContain("Definition of Done NOT passed: 0 of 1 checks passed; not passed: never");
  expect(log).toMatch(/## \d{4}-\d\d-\d\d \d\d:\d\d — Hand-over/);
  expect(log).toContain("- From the user: mind the clock");
  expect(log).toContain(`- Was running: minerva in ${child}`);
  await project.abort(child);
  const next = await project.prompt("gaia", "Go on");
  const request = project.model.requestsOf("gaia").find((each) => each.sessionId === next.sessionId);
  const text = request === undefined ? "" : lastText(request, "user");
  for (const words of ["Handed over:", "mind the clock", "2. Test it"]) expect(text).toContain(words);
});
