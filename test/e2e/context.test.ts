import { afterEach, describe, expect, it } from "vitest";
import { messagesOf } from "../../src/scripted-model/request.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { lastText } from "../support/scripted-model.ts";

let project: Project;
afterEach(async () => project.close());

const system = (index: number): string => {
  const request = project.model.requestsOf("gaia")[index];
  return request === undefined ? "" : lastText(request, "system");
};

describe("the project's context", () => {
  it("reaches GAIA's system prompt, in the order of precedence, and no other agent's", async () => {
    project = await openProject({
      files: {
        "GAIA.md": "Never touch the vendor folder.",
        ".gaia/gaia-init.md": "# GAIA Init\nWe ship on Fridays.",
        "docs/ARCHITECTURE.md": "Hexagonal.",
      },
      gaia: {
        gaiaContext: {
          accountFor: ["small steps"],
          avoid: ["rewrites"],
          extraContextFiles: ["docs/ARCHITECTURE.md"],
        },
      },
    });
    project.model.script(
      "gaia",
      call("delegate_gaia", { agent: "minerva", prompt: "TASK: look" }),
      say("Done."),
    );
    project.model.script(
      "minerva",
      result({ repo_map: "", answer: "It.", plan: [], risk_list: [], suggested_agents: [] }),
    );
    await project.prompt("gaia", "Look");
    const order = ["vendor folder", "ship on Fridays", "small steps", "rewrites", "Hexagonal"];
    const places = order.map((text) => system(0).indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(project.model.requestsOf("minerva")[0]?.raw).not.toContain("vendor folder");
  });

  it("is optional", async () => {
    project = await openProject();
    project.model.script("gaia", say("Hello."));
    await project.prompt("gaia", "Hello");
    expect(system(0)).not.toContain("# This project");
  });

  it("stays the same bytes for the whole session, and is fresh in the next", async () => {
    project = await openProject({ files: { "GAIA.md": "The first rule." } });
    project.model.always("gaia", say("Yes."));
    const { sessionId } = await project.prompt("gaia", "One");
    await project.write("GAIA.md", "The second rule.");
    await project.prompt("gaia", "Two", { session: sessionId });
    await project.prompt("gaia", "Three");
    expect(system(1)).toBe(system(0));
    expect(system(2)).toContain("The second rule.");
  });

  it("never rewrites earlier messages: each request begins with the one before", async () => {
    project = await openProject();
    project.model.always("gaia", say("Yes."));
    const { sessionId } = await project.prompt("gaia", "One");
    await project.prompt("gaia", "Two", { session: sessionId });
    const [first, second] = project.model.requestsOf("gaia").map((request) => messagesOf(request.body));
    expect(second?.slice(0, first?.length)).toEqual(first);
  });

  it("tells specialists which version control there is", async () => {
    project = await openProject();
    project.model.script(
      "gaia",
      call("delegate_gaia", { agent: "minerva", prompt: "TASK: look", work_unit: "u" }),
      say("Done."),
    );
    project.model.script(
      "minerva",
      result({ repo_map: "", answer: "It.", plan: [], risk_list: [], suggested_agents: [] }),
    );
    await project.prompt("gaia", "Look");
    const request = project.model.requestsOf("minerva")[0];
    expect(request && lastText(request, "user")).toContain("vcs_type: git · work_unit: u\n");
  });
});
