import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordOf, textOf } from "../../src/lib/json.ts";
import { call, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { has, lastUser, notesOf, type, UNIT, write } from "./scenes.ts";

let project: Project;
beforeAll(async () => {
  project = await openProject({ files: { "a.txt": "one\n" }, gaia: { startup: { askAtTaskStart: false } } });
});
afterAll(async () => project.close());

interface Created {
  readonly id: string;
  readonly title: string;
  readonly time: { readonly created: number };
}

/** The newest session in which the user speaks with this specialist. */
async function talkWith(agent: string): Promise<string> {
  const all = (await project.call("GET", "/session")) as Created[];
  const found = all.filter(({ title }) => title.startsWith(`${agent} › with you`));
  return found.toSorted((one, other) => other.time.created - one.time.created)[0]?.id ?? "";
}

/** Which session the terminal was told to show last. */
function shown(): string {
  const asked = project.events.findLast(({ type: name }) => name === "tui.session.select");
  return textOf(recordOf(asked?.properties)["sessionID"]) ?? "";
}

describe("a talk with a specialist", () => {
  it("begins with what is going on, is the specialist's, and comes back to GAIA once", async () => {
    const { model } = project;
    model.script("gaia", UNIT, say("Ready."), say("hephaestus listens."));
    const { sessionId: root } = await project.prompt("gaia", "Begin");
    await type(project, root, "talk", "hefaestus");
    expect(lastUser(project)).toContain("Did you mean /talk hephaestus?");
    model.script("gaia", say("It listens."));
    await type(project, root, "talk", "Hephaestus, one or two?");
    const talk = await talkWith("hephaestus");
    expect((await notesOf(project, talk)).join()).toContain("Not sent yet, write it here: one or two?");
    expect(lastUser(project)).toContain(`opencode run --session ${talk}`);
    expect(shown()).toBe(talk);

    // As the terminal sends it: with the agent that is selected there.
    model.script("hephaestus", write(project, "a.txt", "two\n"), say("Agreed: two it is."));
    const asked = project.prompt("gaia", "Make it two", { session: talk });
    const request = await project.permission(({ sessionID }) => sessionID === talk);
    await project.answer(request, "once");
    expect((await asked).text).toContain("Agreed: two it is.");
    const brief = model.requestsOf("hephaestus")[0]?.raw ?? "";
    expect(brief).toContain("The user speaks with you directly here");
    expect(brief).toContain("Active work unit: unit (A unit)");

    model.script("hephaestus", say("Handed back."));
    await type(project, talk, "back");
    expect(shown()).toBe(root);
    const note = (await notesOf(project, root)).join();
    expect(note).toContain("Changed there: a.txt +1 −1");
    expect(note).not.toContain("still at work");
    model.always("gaia", say("I see."));
    await project.prompt("gaia", "Go on", { session: root });
    const told = lastUser(project);
    expect(told).toContain("Changed there: a.txt +1 −1");
    expect(told).toContain("hephaestus said last: Agreed: two it is.");
    await project.prompt("gaia", "And on", { session: root });
    expect(lastUser(project)).not.toContain("said last");
  });

  it("is not lost with its session", async () => {
    project.model.always("gaia", say("I see."));
    project.model.always("hephaestus", say("Three, then."));
    const { sessionId: root } = await project.prompt("gaia", "Hello");
    await type(project, root, "talk", "hephaestus");
    const talk = await talkWith("hephaestus");
    await project.prompt("build", "And three?", { session: talk });
    await project.call("DELETE", `/session/${talk}`);
    await type(project, root, "back");
    expect(lastUser(project)).toMatch(/And three\?[^]*Its session was deleted/);
    await type(project, root, "back");
    expect(lastUser(project)).toContain("No talk with a specialist is open");
    await type(project, root, "talk", "minerva");
    expect(await talkWith("minerva")).not.toBe("");
  });

  it("is covered by an approved wave, and by none that has ended", async () => {
    const { model } = project;
    model.always("gaia", say("I see."));
    const plan = (op: string, args: object = {}) => call("plan_gaia", { op, slug: "waves", ...args });
    model.script(
      "gaia",
      call("plan_gaia", { op: "create_work_unit", slug: "waves", title: "Waves" }),
      plan("open_wave", { wave_id: "w1", title: "The first" }),
      say("Open."),
    );
    // Of edits nobody is asked by the test: what the wave covers is answered by the plugin.
    project.autoAnswer(({ permission }) => (permission === "edit" ? null : "once"));
    const { sessionId: root } = await project.prompt("gaia", "Open the first wave");
    await type(project, root, "talk", "hephaestus");
    const talk = await talkWith("hephaestus");
    model.script("hephaestus", write(project, "w1.txt"), say("Written."));
    await project.prompt("gaia", "Write it", { session: talk });
    expect(has(project, "w1.txt")).toBe(true);
    model.script("gaia", plan("complete_wave", { wave_id: "w1" }), say("Over."));
    await project.prompt("gaia", "End it", { session: root });
    // A no ends the turn.
    model.script("hephaestus", write(project, "w2.txt"));
    const another = project.prompt("gaia", "Write another", { session: talk });
    const request = await project.permission(({ sessionID }) => sessionID === talk);
    expect(request.permission).toBe("edit");
    await project.answer(request, "reject");
    await another;
    expect(has(project, "w2.txt")).toBe(false);
  });
});
