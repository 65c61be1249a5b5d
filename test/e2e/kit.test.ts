import { afterEach, describe, expect, it } from "vitest";
import { call, callAll, httpError, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";

let project: Project;
afterEach(async () => project.close());

describe("the end-to-end kit, on plain OpenCode", () => {
  it("plays a scenario in ten lines", async () => {
    project = await openProject({ plugin: false, files: { "a.txt": "the content" } });
    project.model.script("native", call("read", { filePath: `${project.directory}/a.txt` }), say("done"));
    const outcome = await project.prompt("build", "Read it");
    expect(outcome.text).toBe("done");
    expect(outcome.tools[0]).toMatchObject({ tool: "read", status: "completed" });
    expect(outcome.tools[0]?.output).toContain("the content");
    expect(project.model.requestsOf("native")).toHaveLength(2);
  });

  it("runs tool calls of one turn in parallel and answers permission requests", async () => {
    project = await openProject({ plugin: false, config: { permission: { edit: "ask" } } });
    const write = (name: string) => call("write", { filePath: `${project.directory}/${name}`, content: name });
    project.model.script("native", callAll(write("x.txt"), write("y.txt")), say("written"));
    project.autoAnswer(() => "once");
    await project.prompt("build", "Write both");
    expect([await project.read("x.txt"), await project.read("y.txt")]).toEqual(["x.txt", "y.txt"]);
  });

  it("lets a provider fail", async () => {
    project = await openProject({ plugin: false });
    project.model.script("native", httpError(400, "bad request of the script"));
    const outcome = await project.prompt("build", "Hello");
    expect(JSON.stringify(outcome.error)).toContain("bad request of the script");
  });

  it("lets a provider hang, and stops it", async () => {
    project = await openProject({ plugin: false });
    project.model.script("native", { trouble: "hang" });
    const session = await project.start("build", "Hello");
    const request = await project.model.request("native");
    await project.call("POST", `/session/${session}/abort`);
    await project.idle(session);
    await project.until("the connection to end", () => request.aborted);
  });
});
