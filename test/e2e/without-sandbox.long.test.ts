import { afterEach, expect, it } from "vitest";
import { say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { bash, done, LONG_MS, notesOf, plan, planOf, recorded, reviewed, UNIT, write } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());

const MARKDOWN = planOf("A copy.", [{ text: "Copy a.txt", files: "b.txt", verify: "cmp a.txt b.txt" }]);

it(
  "a supervised feature works with questions, and nothing that is not on the short list runs unasked",
  async () => {
    project = await openProject({
      files: { "a.txt": "one\n", "build.mjs": "" },
      gaia: { mode: "supervised", sandbox: "off" },
    });
    const asked: string[] = [];
    // The rest is the plugin's to answer; what nobody answers ends the scene.
    project.autoAnswer(({ permission, patterns: [pattern = ""] }) => {
      if (permission === "edit" || pattern === "ls") return null;
      if (permission === "bash") asked.push(pattern);
      return "once";
    });
    project.model.script(
      "hephaestus",
      bash("ls"),
      bash("node build.mjs"),
      write(project, "b.txt", "one\n"),
      done,
    );
    for (const reviewer of ["aether", "hades"] as const) project.model.always(reviewer, reviewed(reviewer));
    project.model.always("demeter", recorded);
    project.model.script(
      "gaia",
      UNIT,
      plan("update_plan", { content: { markdown: MARKDOWN } }),
      plan("request_approval", { kind: "plan" }),
      plan("run", {}),
      say("Built."),
    );
    const { sessionId } = await project.prompt("gaia", "Copy it");
    expect(asked).toEqual(["node build.mjs"]);
    expect([await project.read("a.txt"), await project.read("b.txt")]).toEqual(["one\n", "one\n"]);
    expect((await notesOf(project, sessionId)).join("\n")).toContain("GAIA: done: 1 proven");
  },
  LONG_MS,
);
