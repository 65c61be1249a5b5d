import { afterEach, describe, expect, it } from "vitest";
import type { JsonRecord } from "../../src/lib/json.ts";
import { say } from "../../src/scripted-model/turn.ts";
import { normaliseRequest } from "../support/compare.ts";
import { openProject, type Project } from "../support/project.ts";
import { readCases } from "../support/cases.ts";

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
  it.each(
    readCases<
      [
        string,
        string,
        {
          permission?: Record<string, Record<string, string> | string> | string;
          agent?: {
            build?: { permission: Record<string, string> };
            plan?: { permission: { task: string } };
            docs?: { prompt: string; permission: Record<string, string> };
          };
        },
      ]
    >("e2e/native.sends-the-very-same-bytes"),
  )("%s sends the very same bytes, with %s", async (agent, _name, config) => {
    expect(await firstRequest(agent, true, config)).toBe(await firstRequest(agent, false, config));
  });
});
