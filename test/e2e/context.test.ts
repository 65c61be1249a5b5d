import { afterEach, expect, it } from "vitest";
import { messagesOf } from "../../src/scripted-model/request.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project, lastText } from "../support/project.ts";
import { notesOf, plan, RECON, type } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

const system = (index: number): string => {
  const request = project.model.requestsOf("gaia")[index];
  return request === undefined ? "" : lastText(request, "system");
};

it("the project's rules reach GAIA as an index, and a specialist by the words of its task, by what it reads, and through a compaction", async () => {
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
  const read = (path: string) => call("read", { filePath: `${project.directory}/${path}` });
  project.model.script("gaia", task({ work_unit: "u" }), say("Done."));
  project.model.script(
    "minerva",
    read("src/b.js"),
    read("src/api/a.js"),
    read("src/api/a.js"),
    result(RECON),
  );
  const { sessionId } = await project.prompt("gaia", "Look");
  expect(system(0)).toContain("- docs/principles/ledger.md (ledger, double entry) LEDGER");
  expect(system(0)).toContain("- .claude/rules/api.md (src/api/**/*.{js,ts})");
  expect(system(0)).not.toContain("counter entry");
  const [first, ...later] = project.model.requestsOf("minerva");
  if (first === undefined) throw new Error("nobody was asked");
  expect(lastText(first, "user")).toContain("vcs_type: git · work_unit: u\n");
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
  project.model.script("minerva", read("src/api/a.js"), result(RECON));
  await project.prompt("gaia", "Look again", { session: sessionId });
  const last = project.model.requestsOf("minerva").at(-1)?.raw ?? "";
  expect(last).toContain("It looked around.");
  expect(last.split("Every entry has a counter entry.")).toHaveLength(2);
  expect(last.split("Routes are versioned.")).toHaveLength(2);
  const toasts = project.events.filter(({ type }) => type === "tui.toast.show");
  expect(JSON.stringify(toasts).split("ODD names no words")).toHaveLength(2);
});

it("a package of a repository is a place from which files and folders are named", async () => {
  project = await openProject({
    files: { "packages/web/src/b.js": "export {};\n", "packages/web/migrations/0001_begin.sql": "" },
  });
  const { model } = project;
  const directory = `${project.directory}/packages/web`;
  const inside = await openProject({ resume: { ...project, directory, model } });
  model.script("gaia", plan("next_version", { dir: "migrations", title: "users" }), say("Reserved."));
  const { sessionId, tools } = await inside.prompt("gaia", "Hello");
  expect(tools[0]?.output).toContain("0002_users.sql");
  model.always("gaia", say("Shown."));
  await type(inside, sessionId, "gaia-why", "src/b.js");
  expect((await notesOf(inside, sessionId)).join("\n")).toMatch(/Why packages\/web\/src\/b\.js[^]*Commits:/);
  await inside.call("POST", "/instance/dispose").catch(() => null);
});

it("the project's context reaches GAIA's system prompt in the order of precedence, with the same bytes for the whole session, and fresh in the next", async () => {
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
  project.model.always("gaia", say("Yes."));
  const { sessionId } = await project.prompt("gaia", "One");
  const order = ["vendor folder", "ship on Fridays", "small steps", "rewrites", "Hexagonal"];
  const places = order.map((text) => system(0).indexOf(text));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
  await project.write("GAIA.md", "The second rule.");
  await project.prompt("gaia", "Two", { session: sessionId });
  await project.prompt("gaia", "Three");
  expect(system(1)).toBe(system(0));
  expect(system(2)).toContain("The second rule.");
});
