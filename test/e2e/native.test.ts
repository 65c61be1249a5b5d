import { expect, it } from "vitest";
import type { JsonRecord } from "../../src/lib/json.ts";
import { say } from "../../src/scripted-model/turn.ts";
import { normaliseRequest } from "../support/compare.ts";
import { openProject } from "../support/project.ts";
import { readCases } from "../support/cases.ts";
import { type } from "./scenes.ts";

/** The first request of each of these agents, and that of OpenCode's own /review. */
async function firstRequests(agents: readonly string[], plugin: boolean, config: JsonRecord) {
  const project = await openProject({ plugin, config });
  project.model.always("native", say("Hello."));
  const sent: string[] = [];
  for (const agent of [...agents, "/review"]) {
    const from = project.model.requestsOf("native").length;
    if (agent === "/review") await type(project, await project.session(), "review", "main", "build");
    else await project.prompt(agent, "Hello");
    const request = project.model.requestsOf("native")[from];
    if (request === undefined) throw new Error("no request was recorded");
    sent.push(normaliseRequest(request, project.directory));
  }
  await project.close();
  return sent;
}

it.each(
  readCases<[name: string, agents: string[], config: JsonRecord]>("e2e/native.sends-the-very-same-bytes"),
)(
  "native agents send the very same bytes with the plugin installed, with %s",
  async (_name, agents, config) => {
    expect(await firstRequests(agents, true, config)).toEqual(await firstRequests(agents, false, config));
  },
);
