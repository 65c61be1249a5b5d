import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GAIA, GAIA_DEFAULTS } from "../../src/agents/gaia.ts";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import { isRecord, type JsonRecord } from "../../src/lib/json.ts";
import { type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, say } from "../../src/scripted-model/turn.ts";
import { sizesOf } from "../support/compare.ts";
import { openProject, type Project, callAll, toolNames } from "../support/project.ts";
import { readCases } from "../support/cases.ts";

const READER = ["bash", "glob", "grep", "read"];
const EDITOR = ["bash", "edit", "glob", "grep", "read", "write"];

/** The tools that each agent's model is offered: the checked-in list of SPEC 3. Specialists have `skill` as well where there are any. */
const TOOLS: Record<string, string[]> = {
  gaia: readCases<string>("e2e/agents.gaia"),
  minerva: READER,
  apollo: [...READER, "webfetch"],
  eleuthia: EDITOR,
  hephaestus: EDITOR,
  demeter: ["bash", "edit", "glob", "grep", "plan_gaia", "read", "recall_gaia", "write"],
  artemis: EDITOR,
  aether: READER,
  poseidon: EDITOR,
  hades: [...READER, "webfetch"],
};

/** Bytes of the first request, SPEC 14; the historian has the tools of the record. */
const LIMIT = { gaia: 26_000, deny: 14_000, ask: 16_000, record: 17_000 };
const GAIA_TOOLS_LIMIT = 19_500;

describe("the agents in the real OpenCode", () => {
  let project: Project;
  let listed: Map<unknown, JsonRecord>;
  const first = (agent: string): RecordedRequest => {
    const request = project.model.requestsOf(agent)[0];
    if (request === undefined) throw new Error(`${agent} made no request`);
    return request;
  };

  beforeAll(async () => {
    project = await openProject();
    const agents = (await project.call("GET", "/agent")) as unknown[];
    listed = new Map(agents.filter(isRecord).map((agent) => [agent["name"], agent]));
    const tasks = SPECIALISTS.map(({ name }) => call("delegate_gaia", { agent: name, goal: "say hello" }));
    project.model.script(GAIA, callAll(...tasks), say("All said hello."));
    for (const { name } of SPECIALISTS) project.model.always(name, say("Hello."));
    await project.prompt(GAIA, "Hello everybody");
  });
  afterAll(async () => project.close());

  it("lists GAIA as primary and nine subagents, on no model that may not be there", () => {
    const expected = [
      [GAIA, "primary", GAIA_DEFAULTS],
      ...SPECIALISTS.map(({ name, defaults }) => [name, "subagent", defaults] as const),
    ] as const;
    expect(expected).toHaveLength(10);
    for (const [name, mode, defaults] of expected) {
      expect(listed.get(name)?.["model"]).toBeUndefined();
      expect(listed.get(name)).toMatchObject({ mode, temperature: defaults.temperature });
    }
  });

  it.each(Object.keys(TOOLS))("offers %s exactly its tools", (agent) => {
    expect(toolNames(first(agent))).toEqual(TOOLS[agent]?.toSorted());
  });

  it("keeps GAIA's first request lean", () => {
    const sizes = sizesOf(first(GAIA));
    expect(sizes.total).toBeLessThanOrEqual(LIMIT.gaia);
    expect(sizes.tools).toBeLessThanOrEqual(GAIA_TOOLS_LIMIT);
    // No project of its own has anything to add.
    expect(first(GAIA).raw).not.toContain("# This project");
  });

  it.each(SPECIALISTS.map(({ name, access }) => [name, LIMIT[access.edit]] as const))(
    "keeps the first request of %s below %i bytes, contract included",
    (name, limit) => {
      expect(sizesOf(first(name)).total).toBeLessThanOrEqual(limit);
    },
  );
});

it("a disabled agent is gone from OpenCode, the roster and the tool; a user's own entry in opencode.json wins key by key", async () => {
  const users = { minerva: { model: "scripted/main", temperature: 0.7, permission: { webfetch: "allow" } } };
  const project = await openProject({
    gaia: { agents: { hades: { disabled: true } } },
    config: { agent: users },
  });
  project.model.script(GAIA, call("delegate_gaia", { agent: "hades", goal: "attack" }), say("Not possible."));
  const outcome = await project.prompt(GAIA, "Review it");
  const agents = (await project.call("GET", "/agent")) as JsonRecord[];
  expect(agents.map((agent) => agent["name"])).not.toContain("hades");
  expect(project.model.requestsOf(GAIA)[0]?.raw).not.toContain("- hades:");
  expect(outcome.tools[0]).toMatchObject({ tool: "delegate_gaia", status: "completed" });
  expect(JSON.parse(outcome.tools[0]?.output ?? "")).toMatchObject({ status: "failed" });
  expect(outcome.tools[0]?.output).toContain("minerva");
  const minerva = agents.find((agent) => agent["name"] === "minerva");
  expect(minerva).toMatchObject({ temperature: 0.7, mode: "subagent", model: { modelID: "main" } });
  expect(String(minerva?.["prompt"])).toContain("You are MINERVA");
  await project.close();
});
