import { afterEach, expect, it } from "vitest";
import { call, say, type Turn, type TurnSource } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, callAll, lastText } from "../support/project.ts";
import { resultsOf, toastsOf } from "./scenes.ts";

const delegate = (agent: string): Turn => call("delegate_gaia", { agent, goal: "look" });

let project: Project;
afterEach(async () => project.close());

/** A model that never comes to an end: it says a word and calls a tool, another way each time. */
function wander(tool: string, args: (round: number) => object): TurnSource {
  let round = 0;
  return () => ({ text: `Word ${(round += 1)}.`, calls: [{ name: tool, args: args(round) }] });
}

const reading = () => wander("read", (offset) => ({ filePath: `${project.directory}/a.txt`, offset }));

it("specialists that do not end, in autopilot are ended at their steps, whatever they vary, and at the fifth same result; what they said is handed over", async () => {
  project = await openProject({
    files: { "a.txt": "line\n".repeat(99) },
    gaia: { mode: "autopilot", agents: { minerva: { steps: 5 } } },
  });
  project.model.script("gaia", callAll(delegate("minerva"), delegate("apollo")), say("over"));
  project.model.always("minerva", reading());
  project.model.always("apollo", call("read", { filePath: `${project.directory}/a.txt` }));
  const outcome = await project.prompt("gaia", "Go");
  expect(outcome.text).toBe("over");
  const [minerva, apollo] = resultsOf(outcome, "delegate_gaia");
  expect(minerva).toMatchObject({
    status: "partial",
    message: expect.stringContaining("agents.minerva.steps"),
    raw_text: expect.stringContaining("Word 5."),
  });
  expect(apollo).toMatchObject({ status: "partial", message: expect.stringContaining("times over") });
  for (const agent of ["minerva", "apollo"])
    expect(project.model.requestsOf(agent).length).toBeLessThanOrEqual(7);
});

it("a turn of GAIA's whose model falls silent ends by itself, is no stop of the user's, and their next word goes on", async () => {
  project = await openProject({ gaia: { delegation: { stallSeconds: 1 } } });
  project.model.script("gaia", { text: "I look at it and", trouble: "stall" }, say("Here it is."));
  const session = await project.start("gaia", "Go");
  await project.until("its end", () =>
    toastsOf(project).join("\n").includes("GAIA stopped: nothing was heard of its model"),
  );
  await project.idle(session);
  const told = JSON.stringify(await project.messages(session));
  expect(told).toContain("Your next message lets it go on");
  expect(told).not.toContain("you stopped");
  const { text } = await project.prompt("gaia", "Go on", { session });
  expect(text).toBe("Here it is.");
  expect(project.model.requestsOf("gaia")[1]?.raw).toContain(
    "The plugin ended your last turn: nothing was heard",
  );
});

it("GAIA's own loop is held at its bound until the user speaks, whose word begins the count again", async () => {
  project = await openProject({ gaia: { agents: { gaia: { steps: 4 } } } });
  const todos = (round: number) => ({
    todos: [{ content: `${round}`, status: "pending", priority: "low" }],
  });
  project.model.always("gaia", wander("todowrite", todos));
  const { sessionId, error } = await project.prompt("gaia", "Go");
  expect(project.model.requestsOf("gaia")).toHaveLength(4);
  expect(JSON.stringify(error)).toContain("agents.gaia.steps");
  await project.until("the user to be told", () =>
    toastsOf(project).join("\n").includes("Write to it to go on"),
  );
  project.model.script("gaia", say("Here I am."));
  const next = await project.prompt("gaia", "And now?", { session: sessionId });
  expect(next.text).toBe("Here I am.");
  const last = project.model.requestsOf("gaia").at(-1);
  expect(last && lastText(last, "user")).toContain("ended your last turn");
  await project.prompt("gaia", "Go on", { session: sessionId });
  expect(project.model.requestsOf("gaia")).toHaveLength(9);
});
