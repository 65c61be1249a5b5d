import { afterEach, describe, expect, it } from "vitest";
import { call, result, say, type Turn, type TurnSource } from "../../src/scripted-model/turn.ts";
import { type } from "./collaboration-scenes.ts";
import { openProject, type Outcome, type Project } from "../support/project.ts";
import { callAll, lastText } from "../support/scripted-model.ts";

const FOUND = { repo_map: "src: code", answer: "It.", plan: [], risk_list: [], suggested_agents: [] };
const delegate = (agent: string): Turn => call("delegate_gaia", { agent, goal: "look" });

let project: Project;
afterEach(async () => project.close());

/** A model that never comes to an end: it says a word and calls a tool, another way each time. */
function wander(tool: string, args: (round: number) => object): TurnSource {
  let round = 0;
  return () => ({ text: `Word ${(round += 1)}.`, calls: [{ name: tool, args: args(round) }] });
}

const reading = (): TurnSource =>
  wander("read", (offset) => ({ filePath: `${project.directory}/a.txt`, offset }));

function delegated({ tools }: Outcome): unknown[] {
  return tools.filter(({ tool }) => tool === "delegate_gaia").map(({ output }) => JSON.parse(output));
}

const toasts = (): string =>
  project.events
    .filter(({ type }) => type === "tui.toast.show")
    .map(({ properties }) => String(properties["message"]))
    .join("\n");

describe("specialists that do not end, in autopilot", () => {
  it("are ended at their steps, whatever they vary, and at the fifth same result; what they said is handed over", async () => {
    project = await openProject({
      files: { "a.txt": "line\n".repeat(99) },
      gaia: { mode: "autopilot", agents: { minerva: { steps: 5 } } },
    });
    project.model.script("gaia", callAll(delegate("minerva"), delegate("apollo")), say("over"));
    project.model.always("minerva", reading());
    project.model.always("apollo", call("read", { filePath: `${project.directory}/a.txt` }));
    const outcome = await project.prompt("gaia", "Go");
    expect(outcome.text).toBe("over");
    const [minerva, apollo] = delegated(outcome);
    expect(minerva).toMatchObject({
      status: "partial",
      message: expect.stringContaining("agents.minerva.steps"),
      raw_text: expect.stringContaining("Word 5."),
    });
    expect(apollo).toMatchObject({ status: "partial", message: expect.stringContaining("times over") });
    for (const agent of ["minerva", "apollo"])
      expect(project.model.requestsOf(agent).length).toBeLessThanOrEqual(7);
  });
});

it("a turn of GAIA's whose model falls silent ends by itself, is no stop of the user's, and their next word goes on", async () => {
  project = await openProject({ gaia: { delegation: { stallSeconds: 1 } } });
  project.model.script("gaia", { text: "I look at it and", trouble: "stall" }, say("Here it is."));
  const session = await project.start("gaia", "Go");
  await project.until("its end", () => toasts().includes("GAIA stopped: nothing was heard of its model"));
  await project.idle(session);
  const told = JSON.stringify(await project.messages(session));
  expect(told).toContain("Your next message lets her go on");
  expect(told).not.toContain("you stopped");
  const { text } = await project.prompt("gaia", "Go on", { session });
  expect(text).toBe("Here it is.");
  expect(project.model.requestsOf("gaia")[1]?.raw).toContain(
    "The plugin ended your last turn: nothing was heard",
  );
});

/** A project whose model has a price: each of its requests costs 1.1 cents. */
async function openPriced(gaia: object): Promise<void> {
  const cost = { input: 10, output: 10 };
  const models = { main: { name: "main", cost, limit: { context: 200_000, output: 8_000 } } };
  project = await openProject({ gaia, files: { "a.txt": "line\n".repeat(99) } });
  const config = JSON.parse(await project.read("opencode.json")) as { provider: { scripted: object } };
  Object.assign(config.provider.scripted, { models });
  await project.write("opencode.json", JSON.stringify(config));
  await project.call("POST", "/instance/dispose");
  // The events of the instance that is gone may be the last that its listener hears.
  project = await openProject({ resume: project });
}
const CENTS = 0.011;

describe("what a unit costs", () => {
  it("stands in its log when it is over, as it was billed; its budget is raised by the user alone", async () => {
    await openPriced({ mode: "autopilot", budget: { perUnit: { cost: 0.1 } } });
    const plan = (op: string, args: object): Turn => call("plan_gaia", { op, slug: "demo", ...args });
    const create = plan("create_work_unit", { title: "Demo" });
    project.model.script("gaia", create, delegate("minerva"), plan("archive_work_unit", {}), say("over"));
    project.model.script("minerva", call("read", { filePath: `${project.directory}/a.txt` }), result(FOUND));
    await project.prompt("gaia", "Go");
    const archive = (await project.git("ls-files", "-o", ".gaia/archive")).split("\n");
    const log = archive.find((path) => path.endsWith("log.md")) ?? "";
    const billed = (): number =>
      CENTS * (project.model.requestsOf("gaia").length + project.model.requestsOf("minerva").length);
    // What the turn's own end cost comes to it as well.
    await project.until("the receipt", async () => {
      const told = Number(/^- .*\$([\d.]+), by OpenCode/m.exec(await project.read(log))?.[1]);
      return Math.abs(told - billed()) <= billed() / 100;
    });
    expect(await project.read(log)).toMatch(/- minerva: 2 requests · .*\$0\.0220/);

    const before = project.model.requestsOf("minerva").length;
    project.model.script("gaia", create, delegate("minerva"));
    project.model.always("minerva", reading());
    const session = await project.start("gaia", "Again");
    const asked = await project.permission();
    expect(asked.permission).toMatch(/spend as much again\? the budget of the unit demo is used up/);
    await project.answer(asked, "reject");
    await project.idle(session);
    const sent = project.model.requestsOf("minerva").length - before;
    expect(sent * CENTS).toBeLessThan(0.1);
    const { error } = await project.prompt("gaia", "Go on", { session });
    expect(JSON.stringify(error)).toContain("the budget of the unit demo is used up");
    project.model.script("gaia", say("Here I am."));
    await type(project, session, "next");
    expect((await project.outcome(session)).text).toBe("Here I am.");
  });
});

describe("the budget of a task", () => {
  it.each([
    ["maxRequests", { maxRequests: 4 }, 4],
    ["maxTokens", { maxTokens: 3_000 }, 3],
    ["maxCost", { maxCost: 0.02 }, 2],
  ])("%s ends it", async (key, delegation, most) => {
    await openPriced({ delegation });
    project.model.script("gaia", delegate("minerva"), say("over"));
    project.model.always("minerva", reading());
    const outcome = await project.prompt("gaia", "Go");
    expect(delegated(outcome)[0]).toMatchObject({
      status: "partial",
      message: expect.stringContaining(`delegation.${key}`),
    });
    expect(project.model.requestsOf("minerva")).toHaveLength(most);
  });

  it("holds in a talk as well, from each word of the user's on", async () => {
    project = await openProject({
      gaia: { delegation: { maxRequests: 4 }, startup: { askAtTaskStart: false } },
      files: { "a.txt": "line\n".repeat(99) },
    });
    project.model.always("gaia", say("I see."));
    project.model.always("minerva", reading());
    const { sessionId } = await project.prompt("gaia", "Hello");
    await type(project, sessionId, "talk", "minerva");
    const sessions = (await project.call("GET", "/session")) as { id: string; title: string }[];
    const talk = sessions.find(({ title }) => title.startsWith("minerva › with you"))?.id ?? "";
    const sent = (): number => project.model.requestsOf("minerva").length;
    const { error } = await project.prompt("gaia", "Look around", { session: talk });
    expect(sent()).toBe(4);
    expect(JSON.stringify(error)).toContain("delegation.maxRequests");
    await project.until("the toast", () => toasts().includes("minerva stopped: "));
    await project.prompt("gaia", "Go on", { session: talk });
    expect(sent()).toBe(8);
  });
});

describe("GAIA's own loop", () => {
  it("is held at its bound until the user speaks, whose word begins the count again", async () => {
    project = await openProject({ gaia: { agents: { gaia: { steps: 4 } } } });
    const todos = (round: number) => ({
      todos: [{ content: `${round}`, status: "pending", priority: "low" }],
    });
    project.model.always("gaia", wander("todowrite", todos));
    const { sessionId, error } = await project.prompt("gaia", "Go");
    expect(project.model.requestsOf("gaia")).toHaveLength(4);
    expect(JSON.stringify(error)).toContain("agents.gaia.steps");
    await project.until("the user to be told", () => toasts().includes("Write to her to go on"));
    project.model.script("gaia", say("Here I am."));
    const next = await project.prompt("gaia", "And now?", { session: sessionId });
    expect(next.text).toBe("Here I am.");
    const last = project.model.requestsOf("gaia").at(-1);
    expect(last && lastText(last, "user")).toContain("ended your last turn");
    await project.prompt("gaia", "Go on", { session: sessionId });
    expect(project.model.requestsOf("gaia")).toHaveLength(9);
  });
});

it("a loop of the same call ends GAIA's turn as well", async () => {
  project = await openProject();
  project.model.always("gaia", call("plan_gaia", { op: "list_work_units" }));
  await project.prompt("gaia", "Go");
  expect(project.model.requestsOf("gaia").length).toBeLessThanOrEqual(6);
});

describe("turns that nobody asked for", () => {
  const inBackground = (goal: string): Turn =>
    call("delegate_gaia", { agent: "minerva", goal, background: true });
  const hasEnded = async (count: number): Promise<void> => {
    await project.until(`${count} results`, () => {
      const texts = project.model.requestsOf("gaia").map((request) => lastText(request, "user"));
      return texts.join("").match(/"status":"completed"/g)?.length === count;
    });
  };

  it("end at their bound with a note, and the results wait for the user's word", async () => {
    project = await openProject({ gaia: { autopilotSafeguards: { maxTurnsInARow: 1 } } });
    project.model.script("gaia", callAll(inBackground("a"), inBackground("b")));
    project.model.always("gaia", say("I wait."));
    project.model.script("minerva", result(FOUND), async () => {
      await project.model.request("gaia", 3);
      return result(FOUND);
    });
    const session = await project.start("gaia", "Go");
    await project.until("the user to be told", async () =>
      JSON.stringify(await project.messages(session)).includes("Your next message lets her go on"),
    );
    const texts = project.model.requestsOf("gaia").map((request) => lastText(request, "user"));
    const wakeUps = new Set(texts.filter((text) => text.includes("Background tasks have ended")));
    expect([...wakeUps]).toEqual([expect.stringContaining('"status":"completed"')]);
    await project.prompt("gaia", "Go on", { session });
    await hasEnded(2);
  });
});
