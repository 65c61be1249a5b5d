import { beforeEach, describe, expect, it } from "vitest";
import { createPaint } from "../../../src/cli/demo/paint.ts";
import { createProgress, type Progress } from "../../../src/cli/demo/progress.ts";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.ts";

const DIRECTORY = "/home/ann/errands";
let clock: FakeClock;
let progress: Progress;
beforeEach(() => {
  clock = createFakeClock();
  progress = createProgress({ root: "root", directory: DIRECTORY, clock, paint: createPaint(false) });
  see("message.updated", { info: { sessionID: "child", agent: "hephaestus" } });
});

function see(type: string, properties: Record<string, unknown>): string[] {
  return progress.see({ type, properties });
}

let parts = 0;
function tool(name: string, state: Record<string, unknown>, sessionID = "child", id?: string): string[] {
  parts += 1;
  const part = { type: "tool", tool: name, id: id ?? `part-${parts}`, sessionID, state };
  return see("message.part.updated", { part });
}

function text(words: string, time: Record<string, number>): string[] {
  return see("message.part.updated", {
    part: { type: "text", id: "text", sessionID: "root", text: words, time },
  });
}

const delegation = { agent: "hephaestus", prompt: "TASK: Build it\nCONTEXT: src/" };

function delegationEnds(result: Record<string, unknown>): string[] {
  const output = JSON.stringify({ agent: "hephaestus", status: "completed", ...result });
  return tool("delegate_gaia", { status: "completed", input: delegation, output }, "root", "work");
}

describe("progress", () => {
  it("tells a delegation's begin, task, end, duration and result, each once", async () => {
    const running = { status: "running", input: delegation };
    expect(tool("delegate_gaia", { status: "pending", input: {} }, "root", "work")).toEqual([]);
    expect(tool("delegate_gaia", running, "root", "work")).toEqual(["   0.0 s  hephaestus  ▶  Build it"]);
    expect(tool("delegate_gaia", running, "root", "work")).toEqual([]);
    await clock.advance(2_500);
    const result = { parsed_json: { ok: true, data: { diff_summary: "Built." } } };
    expect(delegationEnds(result)).toEqual(["   2.5 s  hephaestus  ✓  done in 2.5 s · Built."]);
    expect(delegationEnds(result)).toEqual([]);
  });

  it("tells why a delegation failed", () => {
    tool("delegate_gaia", { status: "running", input: delegation }, "root", "work");
    expect(delegationEnds({ status: "failed", message: "The model is overloaded." })[0]).toContain(
      "✗  ended in 0.0 s · The model is overloaded.",
    );
  });

  it("puts GAIA's words before what she starts while she still speaks", () => {
    expect(text("", { start: 1 })).toEqual([]);
    expect(tool("delegate_gaia", { status: "running", input: delegation }, "root", "work")).toEqual([]);
    const lines = text("First the smith.", { start: 1, end: 2 });
    expect(lines.map((line) => line.slice(10))).toEqual([
      "gaia           First the smith.",
      "hephaestus  ▶  Build it",
    ]);
    expect(text("First the smith.", { start: 1, end: 2 })).toEqual([]);
  });

  it("shows what was read in one row, before the next thing that the agent does", () => {
    const done = (input: object): Record<string, unknown> => ({ status: "completed", input, output: "" });
    expect(tool("read", done({ filePath: `${DIRECTORY}/src/a.js` }))).toEqual([]);
    expect(tool("read", done({ filePath: `${DIRECTORY}/src/b.js` }))).toEqual([]);
    expect(tool("grep", done({ pattern: "due" }))).toEqual([]);
    const edit = { ...done({ filePath: `${DIRECTORY}/src/a.js` }), metadata: { filediff: { additions: 3 } } };
    expect(tool("edit", edit).map((line) => line.slice(25))).toEqual([
      "read src/a.js, src/b.js · grep due",
      "edit src/a.js  +3 −0",
    ]);
  });

  it("shows a command with its exit code and the tests that it ran", () => {
    const command = { command: "node --test" };
    const state = {
      status: "completed",
      input: command,
      output: "# pass 9\n# fail 4\n",
      metadata: { exit: 1 },
    };
    expect(tool("bash", state)[0]).toContain("hephaestus  ✗  $ node --test → exit 1: 9 pass, 4 fail");
  });

  it("shows each permission request together with the answer, however long the command is", () => {
    const asked = { sessionID: "child", permission: "edit", patterns: [`${DIRECTORY}/src/a.js`] };
    expect(see("permission.asked", asked)[0]).toContain("hephaestus  ?  may I edit src/a.js  you: yes, once");
    const long = { ...asked, permission: "bash", patterns: [`git commit -m "${"word ".repeat(40)}"`] };
    const [line = ""] = see("permission.asked", long);
    expect(line).toMatch(/may I run git commit .*… {2}you: yes, once$/);
    expect(line.length).toBeLessThanOrEqual(96);
  });

  it("shows that nothing outside the project is allowed", () => {
    const asked = { sessionID: "child", permission: "external_directory", patterns: ["/etc/*"] };
    expect(see("permission.asked", asked)[0]).toMatch(
      /\?  may I leave the project for \/etc\/\*  you: no, stay/,
    );
  });

  it("shows what GAIA asks, and that the first option is taken", () => {
    const questions = [
      { question: "How shall we work?", options: [{ label: "Supervised" }, { label: "Pair" }] },
    ];
    expect(see("question.asked", { questions })[0]).toContain("?  How shall we work? you: Supervised");
  });

  it("shows refusals and OpenCode's errors", () => {
    const refused = { status: "error", input: {}, error: "Refused: demeter writes only below .gaia/.\nmore" };
    expect(tool("edit", refused)[0]).toContain("✗  edit refused: Refused: demeter writes only below .gaia/.");
    const error = { sessionID: "root", error: { name: "APIError", data: { message: "No credit." } } };
    expect(see("session.error", error)[0]).toContain("gaia        ✗  No credit.");
  });

  it("knows what is under way", async () => {
    expect(progress.underWay()).toContain("no specialist was at work");
    tool("delegate_gaia", { status: "running", input: delegation }, "root", "work");
    await clock.advance(90_000);
    expect(progress.underWay()).toBe(
      "waiting for hephaestus (for 90.0 s); the last news was of hephaestus: Build it",
    );
  });

  it.each(["", "{", "[]", "null", '{"parsed_json":7}'])("takes %j as a delegation's result", (output) => {
    tool("delegate_gaia", { status: "running", input: delegation }, "root", "work");
    expect(
      tool("delegate_gaia", { status: "completed", input: delegation, output }, "root", "work")[0],
    ).toContain("✗  ended in");
  });
});
