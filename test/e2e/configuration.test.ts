import { afterEach, expect, it } from "vitest";
import { say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { runOpenCode } from "../support/run.ts";
import { openWebhook } from "../support/webhook.ts";
import { delegate, done, toastsOf, write } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

it("opencode run says on stderr what is ignored, and whose agent has a name of GAIA's", async () => {
  project = await openProject({
    files: { ".opencode/agent/minerva.md": "---\nmode: subagent\n---\nYou are another Minerva.\n" },
    gaia: '{\n  "definitionOfDon": {}\n}',
  });
  project.model.always("native", say("I work."));
  const { exitCode, stderr } = await runOpenCode(project, "build", "One");
  expect(exitCode).toBe(0);
  expect(stderr).toContain(".gaia/config.jsonc:2:3 definitionOfDon: unknown key. Did you mean");
  expect(stderr).toContain('"minerva" has the prompt of another agent');
});

it("a configuration that cannot be used is told once with file, line and fix; the rest of it applies, and native agents work", async () => {
  project = await openProject({
    gaia: '{ "agents": { "minerva": { "temperature": 0.9 }, "hepaestus": {} } }',
  });
  project.model.always("native", say("I work."));
  const { sessionId, text } = await project.prompt("build", "One");
  expect(text).toBe("I work.");
  const told = await project.until("the toast", () => toastsOf(project)[0]);
  for (const words of [".gaia/config.jsonc:1:", 'Did you mean "hephaestus"?']) expect(told).toContain(words);
  await project.prompt("build", "Two", { session: sessionId });
  const agents = (await project.call("GET", "/agent")) as { name: string; temperature?: number }[];
  expect(agents.find(({ name }) => name === "minerva")?.temperature).toBe(0.9);
  expect(toastsOf(project)).toHaveLength(1);
});

it("notify.webhook is told what GAIA waits for and when she has finished, and nothing by a specialist or by build", async () => {
  const { url, told, close } = await openWebhook();
  project = await openProject({ gaia: { notify: { webhook: url } } });
  project.model.script("native", say("I work."));
  await project.prompt("build", "Hello");
  project.model.script("gaia", delegate(), say("Done."));
  project.model.script("hephaestus", write(project, "a.txt"), done);
  const session = await project.start("gaia", "Build it");
  const asked = await project.permission(({ permission }) => permission === "edit");
  await project.until("the first", () => told.length === 1);
  await project.answer(asked, "once");
  await project.idle(session);
  await project.until("the second", () => told.length === 2);
  expect(told).toMatchObject([
    { event: "approval", session, text: "May write run?" },
    { event: "finished", session, text: "GAIA has finished with the work." },
  ]);
  project.model.script("gaia", say("", { status: 401, message: "no such key" }));
  await project.prompt("gaia", "And on", { session });
  await project.until("the third", () => told.length === 3);
  expect(told[2]).toMatchObject({ event: "failed", text: expect.stringContaining("no such key") as never });
  await close();
});
