import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterEach, expect, it } from "vitest";
import { call, say } from "../../src/scripted-model/turn.ts";
import { ANSWER, OWN_TOOL, SCENE, type Seen, unmet } from "../conformance/host-needs.ts";
import { openProject, type Project, toolNames } from "../support/project.ts";

let project: Project;
afterEach(async () => project.close());

it("the real OpenCode, through its adapter, is what the product needs of a host", async () => {
  project = await openProject({
    plugin: resolve("test/e2e/fixtures/probe-plugin.ts"),
    // OpenCode offers patches to models of this family only.
    models: ["gpt-5"],
    files: { "a.txt": "old\n" },
  });
  const file = (path: string): string => join(project.directory, path);
  const { edit, write } = SCENE;
  project.model.script(
    "probe",
    call("bash", { command: SCENE.runs, description: "runs" }),
    call("bash", { command: SCENE.refused, description: "is refused" }),
    call("task", { description: "look", prompt: "Look.", subagent_type: "general" }),
    call("read", { filePath: file(SCENE.read) }),
    call("edit", { filePath: file(edit.path), oldString: edit.before, newString: edit.after }),
    call("write", { filePath: file(write.path), content: write.after }),
    call(OWN_TOOL, { word: "go" }),
    say("Done."),
    call("apply_patch", { patchText: SCENE.patch }),
    say("Patched."),
  );
  project.model.script("helper", say(ANSWER));
  project.model.script("native", say("Hello."));
  project.autoAnswer(() => "once");
  const { sessionId: session } = await project.prompt("probe", "Begin");
  await project.prompt("probe", "Patch it.", { session, model: "gpt-5" });
  await project.prompt("build", "Hello");

  const seen = (await readFile(`${project.directory}.seen.jsonl`, "utf8")).trim().split("\n");
  const names = (await readdir(project.directory)).filter((name) => name.endsWith(".txt"));
  const texts = names.map(async (name) => [name, await project.read(name)] as const);
  const run = {
    seen: seen.map((line) => JSON.parse(line) as Seen),
    requests: project.model.requests.map((request) => ({
      agent: request.agent,
      text: request.raw,
      tools: toolNames(request),
    })),
    files: Object.fromEntries(await Promise.all(texts)),
  };
  expect(unmet(run)).toEqual([]);
  expect(run.files["c.txt"]).toContain("patched");
});

it("no specialist begins where OpenCode does not fire the hook before a call", async () => {
  project = await openProject({ plugin: resolve("test/e2e/fixtures/deaf-plugin.ts") });
  project.model.script(
    "gaia",
    call("delegate_gaia", { agent: "hephaestus", goal: "Write a.txt." }),
    say("I could not."),
  );
  const { sessionId, tools } = await project.prompt("gaia", "Write a.txt");
  expect(tools.map(({ output }) => output).join("\n")).toContain(
    "GAIA does nothing here: OpenCode ran this call without showing it to the plugin first",
  );
  expect(await project.children(sessionId)).toEqual([]);
  expect(project.model.requestsOf("hephaestus")).toEqual([]);
});
