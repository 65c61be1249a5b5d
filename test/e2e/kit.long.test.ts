import { afterEach, describe, expect, it } from "vitest";
import { call, say } from "../../src/scripted-model/turn.ts";
import { sizesOf } from "../support/compare.ts";
import { startOpenCode } from "../support/opencode.ts";
import { openProject, type Project } from "../support/project.ts";
import { runOpenCode } from "../support/run.ts";
import { callAll, httpError } from "../support/scripted-model.ts";

/** The native first request of `opencode run`, which has no question tool; SPEC 14. Paths and dates differ in length. */
const NATIVE_BYTES = { total: 30_699, tools: 20_812 };
const TOLERANCE = 300;

let project: Project;
afterEach(async () => project.close());

const plain = async (options: object = {}): Promise<Project> => openProject({ plugin: false, ...options });
const write = (name: string) =>
  call("write", { filePath: `${project.directory}/${name}`, content: `${name} in ${project.directory}` });

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
    project = await plain({ config: { permission: { edit: "ask" } } });
    project.model.script("native", callAll(write("x.txt"), write("y.txt")), say("written"));
    project.autoAnswer(() => "once");
    await project.prompt("build", "Write both");
    expect(await project.read("x.txt")).toContain("x.txt");
    expect(await project.read("y.txt")).toContain("y.txt");
  });

  it("tells a permission request and lets the user refuse it with a reason", async () => {
    project = await plain({ config: { permission: { edit: "ask" } } });
    project.model.script("native", write("x.txt"), say("I see."));
    const session = await project.start("build", "Write");
    const request = await project.permission();
    expect(request).toMatchObject({ sessionID: session, permission: "edit", patterns: ["x.txt"] });
    await project.answer(request, "reject", "Not in this folder.");
    await project.idle(session);
    const { text, tools } = await project.outcome(session);
    expect(text).toBe("I see.");
    expect(tools[0]?.error).toContain("Not in this folder.");
    await expect(project.read("x.txt")).rejects.toThrow("ENOENT");
  });

  it("answers a question of the model", async () => {
    project = await plain();
    const options = ["Red", "Blue"].map((label) => ({ label, description: label }));
    const questions = [{ question: "Which colour?", header: "Colour", options }];
    project.model.script("native", call("question", { questions }), say("Blue it is."));
    const session = await project.start("build", "Paint");
    const question = await project.question();
    expect(question.questions[0]?.options[1]?.label).toBe("Blue");
    await project.reply(question, [["Blue"]]);
    await project.idle(session);
    expect((await project.outcome(session)).tools[0]?.output).toContain("Blue");
  });

  it("lets a provider fail for good", async () => {
    project = await plain();
    project.model.script("native", httpError(400, "bad request of the script"));
    const outcome = await project.prompt("build", "Hello");
    expect(JSON.stringify(outcome.error)).toContain("bad request of the script");
  });

  it("lets a provider fail and recover, as OpenCode's own retry sees it", async () => {
    project = await plain();
    project.model.script("native", httpError(500, "overloaded", { "retry-after-ms": "10" }), say("back"));
    const outcome = await project.prompt("build", "Hello");
    expect(outcome.text).toBe("back");
    expect(project.model.requestsOf("native")).toHaveLength(2);
    expect(project.events).toContainEqual(
      expect.objectContaining({
        type: "session.status",
        properties: expect.objectContaining({ status: expect.objectContaining({ type: "retry" }) }),
      }),
    );
  });

  it("lets a provider hang, and stops it", async () => {
    project = await plain();
    project.model.script("native", { trouble: "hang" });
    const session = await project.start("build", "Hello");
    const request = await project.model.request("native");
    await project.abort(session);
    await project.idle(session);
    await project.until("the connection to end", () => request.endedAt !== null);
    expect(request.aborted).toBe(true);
  });

  it("keeps projects on one server apart", async () => {
    project = await plain({ files: { "own.txt": "first" } });
    const other = await plain({ files: { "own.txt": "second" } });
    const read = (one: Project) => call("read", { filePath: `${one.directory}/own.txt` });
    project.model.script("native", read(project), say("one"));
    other.model.script("native", read(other), say("two"));
    const [first, second] = await Promise.all([
      project.prompt("build", "Read"),
      other.prompt("build", "Read"),
    ]);
    expect([first.text, second.text]).toEqual(["one", "two"]);
    expect([first.tools[0]?.output, second.tools[0]?.output]).toEqual([
      expect.stringContaining("first"),
      expect.stringContaining("second"),
    ]);
    expect(JSON.stringify(project.events)).not.toContain(second.sessionId);
    expect(project.model.requests.every(({ raw }) => !raw.includes(other.directory))).toBe(true);
    await other.close();
  });

  it("records each request whole", async () => {
    project = await plain();
    project.model.script("native", say("Hello."));
    const { sessionId } = await project.prompt("build", "Hello");
    const [request] = project.model.requests;
    expect(request).toMatchObject({ sessionId, aborted: false });
    expect(JSON.parse(request?.raw ?? "")).toEqual(request?.body);
    expect(request?.headers["content-length"]).toBe(String(Buffer.byteLength(request?.raw ?? "")));
  });

  it("keeps a session's metadata over a crash and a restart", async () => {
    const server = await startOpenCode();
    project = await plain({ server });
    project.model.always("native", say("Hello."));
    const session = await project.session();
    await project.call("PATCH", `/session/${session}`, { metadata: { kept: "yes" } });
    const restarted = await server.restart();
    project = await openProject({ server: restarted, resume: project });
    expect(await project.call("GET", `/session/${session}`)).toMatchObject({ metadata: { kept: "yes" } });
    expect((await project.prompt("build", "Again", { session })).text).toBe("Hello.");
    await project.close();
    await restarted.close();
  });

  it("plays `opencode run`, whose native first request has the size that SPEC 14 names", async () => {
    project = await plain();
    project.model.script("native", say("Hello from run."));
    const { exitCode, events } = await runOpenCode(project, "build", "Hello");
    expect(exitCode).toBe(0);
    expect(JSON.stringify(events)).toContain("Hello from run.");
    const [request] = project.model.requests;
    if (request === undefined) throw new Error("nothing was recorded");
    const { total, tools } = sizesOf(request);
    expect(Math.abs(total - NATIVE_BYTES.total), `${total} bytes`).toBeLessThan(TOLERANCE);
    expect(Math.abs(tools - NATIVE_BYTES.tools), `${tools} bytes of tools`).toBeLessThan(TOLERANCE);
  });
});

describe("a scenario that does not go as written", () => {
  it("fails and names the request that no script answers", async () => {
    project = await plain();
    const { error } = await project.prompt("build", "Hello");
    expect(JSON.stringify(error)).toContain('no turn 1 for agent \\\\\\"native\\\\\\"');
    await expect(project.close()).rejects.toThrow("The model was asked what no script answers");
    project = await plain();
  });
});
