import { afterEach, describe, expect, it } from "vitest";
import type { JsonRecord } from "../../src/lib/json.ts";
import { say } from "../../src/scripted-model/turn.ts";
import { normaliseRequest } from "../support/compare.ts";
import { openProject, type Project } from "../support/project.ts";

const open: Project[] = [];
afterEach(async () => {
  for (const project of open.splice(0)) await project.close();
});

async function firstRequest(agent: string, plugin: boolean, config: JsonRecord): Promise<string> {
  const project = await openProject({ plugin, config });
  open.push(project);
  project.model.script("native", say("Hello."));
  await project.prompt(agent, "Hello");
  const [request] = project.model.requestsOf("native");
  if (request === undefined) throw new Error("no request was recorded");
  return normaliseRequest(request, project.directory);
}

describe("native agents with the plugin installed", () => {
  it.each([
    ["build", "no permissions of the user", {}],
    ["plan", "no permissions of the user", {}],
    ["general", "no permissions of the user", {}],
    ["build", "a permission for everything", { permission: "allow" }],
    [
      "build",
      "rules for the task tool",
      { permission: { task: { "*": "deny", general: "allow" }, "*": "ask" } },
    ],
    ["build", "an entry that allows everything", { agent: { build: { permission: { "*": "allow" } } } }],
    ["plan", "an entry that allows the task tool", { agent: { plan: { permission: { task: "allow" } } } }],
    ["docs", "an agent of their own", { agent: { docs: { prompt: "Docs.", permission: { "*": "allow" } } } }],
  ])("%s sends the very same bytes, with %s", async (agent, _name, config) => {
    expect(await firstRequest(agent, true, config)).toBe(await firstRequest(agent, false, config));
  });
});
