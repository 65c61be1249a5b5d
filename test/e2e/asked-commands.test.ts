import { afterEach, describe, expect, it } from "vitest";
import { call, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { callAll } from "../support/scripted-model.ts";

let project: Project;
afterEach(async () => project.close());

const bash = (command: string) => call("bash", { command, description: "try" });

describe("the commands of an agent that only reads", () => {
  it("each raise a request that the plugin answers, and change nothing", async () => {
    project = await openProject({ files: { "a.txt": "one\ntwo\n" } });
    const reading = ["ls -la", "git log --oneline -1", "cat a.txt | wc -l", "grep -n two a.txt 2>/dev/null"];
    const changing = [
      "touch x",
      "echo x > x",
      "git commit -m x --allow-empty",
      "sed -i s/one/1/ a.txt",
      "cat a.txt; rm a.txt",
    ];
    const head = await project.git("rev-parse", "HEAD");
    project.model.script("gaia", callAll(...[...reading, ...changing].map(bash)), say("I see."));
    const { tools } = await project.prompt("gaia", "Look around");
    const asked = project.events.filter(({ type }) => type === "permission.asked");
    expect(asked.length).toBeGreaterThanOrEqual(reading.length);
    expect(tools.slice(0, reading.length).map(({ status }) => status)).toEqual(
      reading.map(() => "completed"),
    );
    expect(await project.call("GET", "/permission")).toEqual([]);
    expect(await project.git("status", "--porcelain")).toBe("");
    expect(await project.git("rev-parse", "HEAD")).toBe(head);
  });

  it("do not touch the bash of other agents", async () => {
    project = await openProject();
    project.model.script("native", bash("touch made-by-build"), say("Done."));
    const { tools } = await project.prompt("build", "Make it");
    expect(tools[0]?.status).toBe("completed");
    expect(project.events.map(({ type }) => type)).not.toContain("permission.asked");
  });
});
