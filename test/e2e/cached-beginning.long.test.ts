import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GAIA } from "../../src/agents/gaia.ts";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import { messagesOf, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, say } from "../../src/scripted-model/turn.ts";
import { inCacheOrder } from "../support/cache-order.ts";
import { openProject, type Project, callAll, toolNames } from "../support/project.ts";

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
    gaia: { mode: "autopilot" },
    files: {
      "AGENTS.md": RULE,
      "src/a.js": "one\n",
      "src/b.js": "two\n",
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

  it("holds no more tools than a part of one change needs, whose files are shown and whose proof the host runs", async () => {
    const from = project.model.requests.length;
    const markdown =
      "## Goal\nTidy.\n\n## Tasks\n- [ ] 1. Tidy up\n  - agent: hephaestus\n  - files: src/*.js\n  - each: 1\n  - verify: true\n";
    project.autoAnswer(() => "once");
    const plan = { op: "run", slug: "tidy", title: "Tidy", content: { markdown } };
    project.model.script(GAIA, call("plan_gaia", plan), say("Tidied."));
    await project.prompt(GAIA, "Tidy every file", { model: "main" });
    const parts = project.model.requests.slice(from).filter(({ agent }) => agent === "hephaestus");
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) expect(toolNames(part)).toEqual(["edit", "grep", "read", "skill", "write"]);
  });
});
