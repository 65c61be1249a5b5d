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

it.each<[string, (talk: string) => Promise<void>]>([
  [
    "while the specialist answers",
    async (talk) => {
      project.model.script(
        "hephaestus",
        write(project, "c.txt"),
        async () => new Promise<never>(() => undefined),
      );
      await project.start("gaia", "Write c, bitte", { session: talk });
      await project.until("the file", () => has(project, "c.txt"));
      await project.model.request("hephaestus", 2);
    },
  ],
  [
    "once it has answered",
    async (talk) => {
      project.model.script("hephaestus", write(project, "c.txt"), say("Written as agreed."));
      await project.prompt("gaia", "Write c, bitte", { session: talk });
    },
  ],
])("a talk comes back to GAIA once after OpenCode was killed %s", async (_when, speak) => {
  server = await startOpenCode();
  project = await openProject({ server, gaia: { mode: "autopilot", startup: { askAtTaskStart: false } } });
  project.model.always("gaia", say("I see."));
  const { sessionId: root } = await project.prompt("gaia", "Hello");
  await type(project, root, "talk", "hephaestus");
  const all = (await project.call("GET", "/session")) as Created[];
  const talk = all.find(({ title }) => title.startsWith("hephaestus › with you"))?.id ?? "";
  await speak(talk);
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
