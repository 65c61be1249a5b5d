import { afterEach, expect, it } from "vitest";
import { say } from "../../src/scripted-model/turn.ts";
import { startOpenCode, type OpenCodeServer } from "../support/opencode.ts";
import { openProject, type Project } from "../support/project.ts";
import { has, lastUser, type, write } from "./collaboration-scenes.ts";

let server: OpenCodeServer;
let project: Project;
afterEach(async () => {
  await project.close();
  await server.close();
});

interface Created {
  readonly id: string;
  readonly title: string;
}

it("a talk comes back to GAIA once after OpenCode was killed while the specialist answers", async () => {
  server = await startOpenCode();
  project = await openProject({ server, gaia: { mode: "autopilot", startup: { askAtTaskStart: false } } });
  project.model.always("gaia", say("I see."));
  const { sessionId: root } = await project.prompt("gaia", "Hello");
  await type(project, root, "talk", "hephaestus");
  const all = (await project.call("GET", "/session")) as Created[];
  const talk = all.find(({ title }) => title.startsWith("hephaestus › with you"))?.id ?? "";
  project.model.script(
    "hephaestus",
    write(project, "c.txt"),
    async () => new Promise<never>(() => undefined),
  );
  await project.start("gaia", "Write c, bitte", { session: talk });
  await project.until("the file", () => has(project, "c.txt"));
  await project.model.request("hephaestus", 2);
  server = await server.restart();
  project = await openProject({ server, resume: project });
  await type(project, root, "back");
  const told = lastUser(project);
  expect(told).toContain("Write c, bitte");
  expect(told).toContain("Changed there: c.txt +1 −0");
  expect(told).not.toContain("user's own");
  await type(project, root, "back");
  expect(lastUser(project)).toContain("No talk with a specialist is open");
});
