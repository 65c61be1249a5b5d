import { afterEach, describe, expect, it } from "vitest";
import { messagesOf } from "../../src/scripted-model/request.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { lastText } from "../support/scripted-model.ts";
import { notesOf, type } from "./collaboration-scenes.ts";

let project: Project;
afterEach(async () => project.close());

const system = (index: number): string => {
  const request = project.model.requestsOf("gaia")[index];
  return request === undefined ? "" : lastText(request, "system");
};

const FOUND = { repo_map: "", answer: "It.", plan: [], risk_list: [], suggested_agents: [] };

describe("the project's rules", () => {
  it("reach GAIA as an index, and a specialist by the words of its task, by what it reads, and through a compaction", async () => {
    project = await openProject({
      files: {
        "docs/principles/manifest":
          "LEDGER_STATE=active\nLEDGER_RECALL=ledger, double entry\nLEDGER_FILE=docs/principles/ledger.md\nODD_FILE=docs/gone.md\n",
        "docs/principles/ledger.md": "Every entry has a counter entry.",
        ".claude/rules/api.md": '---\npaths:\n  - "src/api/**/*.{js,ts}"\n---\nRoutes are versioned.\n',
        "src/api/a.js": "export {};\n",
        "src/b.js": "export {};\n",
      },
    });
    const task = (more: object): ReturnType<typeof call> =>
      call("delegate_gaia", { agent: "minerva", goal: "look at the ledger", ...more });
    const read = (path: string): ReturnType<typeof call> =>
      call("read", { filePath: `${project.directory}/${path}` });
    project.model.script("gaia", task({}), say("Done."));
    project.model.script(
      "minerva",
      read("src/b.js"),
      read("src/api/a.js"),
      read("src/api/a.js"),
      result(FOUND),
    );
    const { sessionId } = await project.prompt("gaia", "Look");
    expect(system(0)).toContain("- docs/principles/ledger.md (ledger, double entry) LEDGER");
    expect(system(0)).toContain("- .claude/rules/api.md (src/api/**/*.{js,ts})");
    expect(system(0)).not.toContain("counter entry");
    const [first, ...later] = project.model.requestsOf("minerva");
    if (first === undefined) throw new Error("nobody was asked");
    expect(lastText(first, "user")).toMatch(/TASK: look[^]*## docs\/principles\/ledger\.md\nEvery entry has/);
    const outputs = messagesOf(later.at(-1)?.body ?? {})
      .filter(({ role }) => role === "tool")
      .map(({ content }) => JSON.stringify(content));
    expect(outputs[0]).not.toContain("gaia-rules");
    expect(outputs[1]).toContain("## .claude/rules/api.md\\nRoutes are versioned.");
    expect(outputs[2]).not.toContain("gaia-rules");
    // What was sent stays as it was sent.
    for (const request of later) expect(messagesOf(request.body)[1]).toEqual(messagesOf(first.body)[1]);
    const [child] = await project.children(sessionId);
    const session = String(child?.["id"]);
    project.model.always("native", say("It looked around."));
    await project.call("POST", `/session/${session}/summarize`, { providerID: "scripted", modelID: "main" });
    await project.idle(session);
    project.model.script("gaia", task({ session_id: session }), say("Done."));
    project.model.script("minerva", read("src/api/a.js"), result(FOUND));
    await project.prompt("gaia", "Look again", { session: sessionId });
    const last = project.model.requestsOf("minerva").at(-1)?.raw ?? "";
    expect(last).toContain("It looked around.");
    expect(last.split("Every entry has a counter entry.")).toHaveLength(2);
    expect(last.split("Routes are versioned.")).toHaveLength(2);
    const toasts = project.events.filter(({ type }) => type === "tui.toast.show");
    expect(JSON.stringify(toasts).split("ODD names no words")).toHaveLength(2);
  });
});

describe("a package of a repository", () => {
  const start = async (): Promise<Project> => {
    project = await openProject({
      files: {
        "packages/web/src/b.js": "export {};\n",
        "packages/web/migrations/0001_begin.sql": "",
      },
    });
    return project;
  };
  const openIn = async (folder: string): Promise<Project> =>
    openProject({
      resume: { ...project, directory: `${project.directory}/${folder}`, model: project.model },
    });

  it("is a place from which files and folders are named", async () => {
    const { model } = await start();
    const inside = await openIn("packages/web");
    const next = call("plan_gaia", { op: "next_version", dir: "migrations", title: "users" });
    model.script("gaia", next, say("Reserved."));
    const { sessionId, tools } = await inside.prompt("gaia", "Hello");
    expect(tools[0]?.output).toContain("0002_users.sql");
    model.always("gaia", say("Shown."));
    await type(inside, sessionId, "gaia-why", "src/b.js");
    expect((await notesOf(inside, sessionId)).join("\n")).toMatch(
      /Why packages\/web\/src\/b\.js[^]*Commits:/,
    );
    await inside.call("POST", "/instance/dispose").catch(() => null);
  });
});

describe("the project's context", () => {
  it("reaches GAIA's system prompt, in the order of precedence", async () => {
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
    project.model.script("gaia", call("delegate_gaia", { agent: "minerva", goal: "look" }), say("Done."));
    project.model.script("minerva", result(FOUND));
    await project.prompt("gaia", "Look");
    const order = ["vendor folder", "ship on Fridays", "small steps", "rewrites", "Hexagonal"];
    const places = order.map((text) => system(0).indexOf(text));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
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
      call("delegate_gaia", { agent: "minerva", goal: "look", work_unit: "u" }),
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
