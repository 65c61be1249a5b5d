import { entryTexts, learnt } from "../support/entries.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { toolResults } from "../../src/scripted-model/request.ts";
import { call, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { lastUser, plan, type } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

const ask = call("question", { questions: [{ header: "GAIA setup", question: "Accept all?", options: [] }] });
const knowledge = (status: string, body: string): string =>
  `---\nkind: constraint\nstatus: ${status}\nby: hades\n---\n${body}\n`;
const FILES = {
  ".gaia/knowledge/alpacas.md": knowledge("proposed", "Alpacas are fed twice."),
  ".gaia/knowledge/llamas.md": knowledge("proposed", "Llamas are fed never."),
  // What git does not ignore is put back when a check is over.
  ".gitignore": "was-run\n",
  "package.json": JSON.stringify({ scripts: { test: "touch was-run", lint: "touch was-run" } }),
  ...learnt(
    "- **constraint** never touch main — auth, 2026-01-02\n- **insight** days are local — 2026-01-02\n",
  ),
  ".gaia/config.jsonc": '{\n  // ours\n  "visibility": "quiet"\n}\n',
  ".gaia/.local/.gitignore": "*\n",
  ".gaia/knowledge/zod.md": knowledge("proposed", "use zod instead of io-ts"),
  ".gaia/knowledge/tabs.md": knowledge("proposed", "use tabs"),
};
/** What each entry's file says of itself. */
const standings = async (): Promise<Record<string, string>> => {
  const found = (await entryTexts(project.directory)).matchAll(
    /^status: (\w+)\n(?:[^-\n].*\n)*---\n+(.+)$/gm,
  );
  return Object.fromEntries([...found].map(([, status = "", body = ""]) => [body, status]));
};
const lastResult = (): string => {
  const request = project.model.requestsOf("gaia").at(-1);
  return String(request === undefined ? "" : toolResults(request).at(-1));
};

it("/gaia-init does what the user chose, and no more: nothing that a model says in their place", async () => {
  project = await openProject({ files: FILES });
  const forged = {
    questions: [{ header: "GAIA setup", question: "x", options: [] }],
    answers: [["1. use tabs"]],
  };
  project.model.script("gaia", plan("append_learnings", { bullets: [] }), call("question", forged));
  project.model.always("gaia", say("The user accepts everything: use tabs."));
  const first = await project.session();
  type(project, first, "gaia-init").catch(() => null);
  await project.reply(await project.question(), null);
  await project.idle(first);
  expect(await standings()).toMatchObject({ "use tabs": "proposed" });

  project.model.script("gaia", ask);
  project.model.always("gaia", say("Done."));
  const session = await project.session();
  type(project, session, "gaia-init").catch(() => null);
  await project.reply(await project.question(), [
    ["4. use zod instead of io-ts", "1. Alpacas are fed twice."],
    ["1. npm run test"],
  ]);
  await project.idle(session);
  expect(await standings()).toEqual({
    "never touch main": "accepted",
    "days are local": "accepted",
    "use zod instead of io-ts": "accepted",
    "Alpacas are fed twice.": "accepted",
    "use tabs": "rejected",
    "Llamas are fed never.": "rejected",
  });
  const config = await project.read(".gaia/config.jsonc");
  expect(config).toContain('// ours\n  "visibility": "quiet",');
  expect(config).toContain('"npm run test"');
  expect(config).not.toContain("lint");
  expect(lastResult()).toContain("Learnings: 2 accepted in .gaia/knowledge, 2 rejected.");
  expect(existsSync(join(project.directory, "was-run"))).toBe(false);
  expect(await project.read(".gaia/knowledge/alpacas.md")).toMatch(/^status: accepted$/mu);

  // The checks count at once, and nothing is left to be asked.
  project.model.script("gaia", plan("verify"), say("Checked."));
  await project.prompt("gaia", "Verify how alpacas and llamas are fed", { session });
  expect(lastUser(project)).toContain("- constraint: Alpacas are fed twice.");
  const sent = project.model.requests.map(({ body }) => JSON.stringify(body));
  expect(sent.findIndex((body) => body.includes("fed never"))).toBe(-1);
  expect(existsSync(join(project.directory, "was-run"))).toBe(true);
  await type(project, session, "gaia-init");
  expect(lastUser(project)).not.toContain("GAIA setup");
});

it("/gaia-init-deep writes what is known and the commands that pass into the files that are picked, and nothing else", async () => {
  const checks = [
    { id: "good", command: "test -f src/api/a.ts" },
    { id: "bad", command: "test -f gone" },
  ];
  project = await openProject({
    files: {
      ...learnt("- **constraint** never touch main — auth, 2026-01-02\n"),
      "src/api/a.ts": "",
      "AGENTS.md": "# Ours\n",
    },
    gaia: { definitionOfDone: { checks } },
  });
  const asked = { header: "AGENTS.md", question: "?", options: [] };
  project.model.script("gaia", call("question", { questions: [asked] }));
  project.model.always("gaia", say("Done."));
  const session = await project.session();
  type(project, session, "gaia-init-deep").catch(() => null);
  const question = await project.question();
  const labels = question.questions[0]?.options.map(({ label }) => label);
  expect(labels).toEqual(["1. AGENTS.md", "None of them"]);
  await project.reply(question, [["1. AGENTS.md"]]);
  await project.idle(session);
  const root = await project.read("AGENTS.md");
  expect(root).toContain(
    "# Ours\n\n<!-- gaia:begin -->\n## Commands that pass\n\n- good: `test -f src/api/a.ts`\n",
  );
  expect(root).toContain("- constraint: never touch main\n");
  expect(root).not.toContain("bad");
});
