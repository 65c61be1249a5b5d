import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GAIA } from "../../src/agents/gaia.ts";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import { messagesOf, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, say } from "../../src/scripted-model/turn.ts";
import { inCacheOrder } from "../support/cache-order.ts";
import { openProject, type Project } from "../support/project.ts";
import { callAll, toolNames } from "../support/scripted-model.ts";

const NAMES = SPECIALISTS.map(({ name }) => name);
/** Specialists by their tools: those of one kind send the same bytes up to their role. */
const KINDS = [
  ["eleuthia", "hephaestus", "artemis", "poseidon"],
  ["minerva", "aether", "scribe"],
  ["apollo", "hades"],
  ["demeter"],
];
const RULE = "Small functions only.";
const SKILL = "---\nname: tidy\ndescription: Tidies up.\n---\nTidy up.\n";
const SCRIBE = "---\ndescription: looks things up\n---\nYou are SCRIBE, who looks things up.";

let project: Project;
beforeAll(async () => {
  project = await openProject({
    models: ["claude-scripted"],
    files: {
      "AGENTS.md": RULE,
      ".opencode/skill/tidy/SKILL.md": SKILL,
      ".gaia/agents/scribe.md": SCRIBE,
    },
  });
  for (const name of [...NAMES, "scribe"]) project.model.always(name, say("Hello."));
});
afterAll(async () => project.close());

/** The first request of each specialist, all of them delegated to at once. */
async function firstRequests(model: string, names: readonly string[]): Promise<Map<string, RecordedRequest>> {
  const from = project.model.requests.length;
  const tasks = names.map((agent) => call("delegate_gaia", { agent, goal: "say hello" }));
  project.model.script(GAIA, callAll(...tasks), say("All said hello."));
  await project.prompt(GAIA, "Hello everybody", { model });
  const requests = project.model.requests.slice(from).toReversed();
  return new Map(requests.map((request) => [request.agent, request]));
}

/** What a provider reads before the role, and everything from there on. */
function splitAtRole(request: RecordedRequest): [before: string, after: string] {
  const text = inCacheOrder(request).toString("utf8");
  const at = text.indexOf(`You are ${request.agent.toUpperCase()}`);
  return [text.slice(0, at), text.slice(at)];
}

describe("what a specialist is sent", () => {
  it("begins for all with the same tools with the same bytes; role, task and contract end it", async () => {
    const requests = await firstRequests("main", KINDS.flat());
    expect([...requests.keys()].toSorted()).toEqual([...KINDS.flat(), GAIA].toSorted());
    const groups = KINDS.map((kind) => kind.flatMap((name) => requests.get(name) ?? []));
    for (const group of groups) {
      const [first] = group;
      for (const request of group) {
        const [before, after] = splitAtRole(request);
        expect(toolNames(request)).toEqual(first && toolNames(first));
        expect(before).toBe(first && splitAtRole(first)[0]);
        expect(before).toContain(RULE);
        expect(before).toContain("Tidies up.");
        expect(after.indexOf("TASK: say hello")).toBeGreaterThan(0);
        if (request.agent !== "scribe")
          expect(after.indexOf("End with your result")).toBeGreaterThan(after.indexOf("TASK: say hello"));
        expect(messagesOf(request.body).map(({ role }) => role)).toEqual(["system", "user"]);
      }
    }
    expect(new Set(groups.map(([first]) => first && toolNames(first).join())).size).toBe(KINDS.length);
  });

  it("has a mark of its own at the end of what is shared, where a provider caches up to marks", async () => {
    const requests = await firstRequests("claude-scripted", ["hephaestus", "poseidon"]);
    const systems = ["hephaestus", "poseidon"].map((name) =>
      messagesOf(requests.get(name)?.body ?? {}).filter(({ role }) => role === "system"),
    );
    const [one, other] = systems;
    expect(one).toHaveLength(2);
    expect(one?.[0]).toEqual(other?.[0]);
    expect(JSON.stringify(one?.[0])).toContain(RULE);
    expect(JSON.stringify(one?.[1])).toContain("You are HEPHAESTUS");
    for (const message of systems.flat()) expect(JSON.stringify(message)).toContain("cache_control");
  });

  it("is still whole where the user wrote another prompt", async () => {
    const own = await openProject({
      files: { "AGENTS.md": RULE },
      gaia: { agents: { minerva: { prompt_append: "Look twice." } } },
      config: { agent: { aether: { prompt: "You are AETHER, as the user wants it." } } },
    });
    for (const name of ["minerva", "aether"]) own.model.always(name, say("Hello."));
    const tasks = ["minerva", "aether"].map((agent) => call("delegate_gaia", { agent, goal: "look" }));
    own.model.script(GAIA, callAll(...tasks), say("Done."));
    await own.prompt(GAIA, "Look");
    const [minerva, aether] = ["minerva", "aether"].map((name) => own.model.requestsOf(name)[0]);
    if (minerva === undefined || aether === undefined) throw new Error("nobody was asked");
    expect(splitAtRole(minerva)[0]).toBe(splitAtRole(aether)[0]);
    expect(splitAtRole(minerva)[0]).toContain(RULE);
    expect(splitAtRole(minerva)[1]).toContain("Look twice.");
    expect(splitAtRole(aether)[1]).toContain("as the user wants it.");
    await own.close();
  });
});
