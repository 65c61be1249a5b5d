import { hades } from "../../../src/agents/hades.ts";
import { renderRepairPrompt } from "../../../src/contracts/evaluate.ts";
import { beforeEach, describe, expect, it } from "vitest";
import { createProgress, wrap } from "../../../src/cli/demo/tour.ts";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.ts";

const DIRECTORY = "/home/ann/errands";
let clock: FakeClock;
let progress: ReturnType<typeof createProgress>;
beforeEach(() => {
  clock = createFakeClock();
  progress = createProgress("root", DIRECTORY, clock);
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

const delegation = { agent: "hephaestus", goal: "Build it", task: { context: "src/" } };

function delegationEnds(result: Record<string, unknown>): string[] {
  const output = JSON.stringify({ agent: "hephaestus", status: "completed", ...result });
  return tool("delegate_gaia", { status: "completed", input: delegation, output }, "root", "work");
}

describe("progress", () => {
  it("tells a delegation's begin, task, end, duration and result, each once", async () => {
    const running = { status: "running", input: delegation };
    expect(tool("delegate_gaia", { status: "pending", input: {} }, "root", "work")).toEqual([]);
    expect(tool("delegate_gaia", running, "root", "work")).toEqual(["   0.0 s  hephaestus  ▶ Build it"]);
    expect(tool("delegate_gaia", running, "root", "work")).toEqual([]);
    await clock.advance(2_500);
    const result = { parsed_json: { ok: true, data: { diff_summary: "Built." } } };
    expect(delegationEnds(result)).toEqual(["   2.5 s  hephaestus  ✓ done in 2.5 s · Built."]);
    expect(delegationEnds(result)).toEqual([]);
  });

  it("tells why a delegation failed", () => {
    tool("delegate_gaia", { status: "running", input: delegation }, "root", "work");
    expect(delegationEnds({ status: "failed", message: "The model is overloaded." })[0]).toContain(
      "✗ ended in 0.0 s · The model is overloaded.",
    );
  });

  it("puts GAIA's words before what she starts while she still speaks", () => {
    expect(text("", { start: 1 })).toEqual([]);
    expect(tool("delegate_gaia", { status: "running", input: delegation }, "root", "work")).toEqual([]);
    const lines = text("First the smith.", { start: 1, end: 2 });
    expect(lines.map((line) => line.slice(10))).toEqual([
      "gaia        First the smith.",
      "hephaestus  ▶ Build it",
    ]);
    expect(text("First the smith.", { start: 1, end: 2 })).toEqual([]);
  });

  it("shows what is read and edited, each once and by its path in the project", () => {
    const done = (input: object): Record<string, unknown> => ({ status: "completed", input, output: "" });
    expect(tool("read", { ...done({ filePath: `${DIRECTORY}/src/a.js` }), status: "running" })).toEqual([]);
    const read = done({ filePath: `${DIRECTORY}/src/a.js` });
    expect(tool("read", read, "child", "one")[0]).toMatch(/ hephaestus {2}read src\/a\.js$/);
    expect(tool("read", read, "child", "one")).toEqual([]);
    expect(tool("grep", done({ pattern: "due" }))[0]).toMatch(/ grep due$/);
    expect(tool("todowrite", done({}))).toEqual([]);
  });

  it("shows a command with its exit code and the tests that it ran", () => {
    const command = { command: "node --test" };
    const state = {
      status: "completed",
      input: command,
      output: "# pass 9\n# fail 4\n",
      metadata: { exit: 1 },
    };
    expect(tool("bash", state)[0]).toContain("hephaestus  ✗ $ node --test → exit 1: 9 pass, 4 fail");
  });

  it("shows each permission request, however long the command is", () => {
    const asked = { sessionID: "child", permission: "edit", patterns: ["src/a.js"] };
    expect(see("permission.asked", asked)[0]).toContain("hephaestus  ? may I: edit src/a.js");
    const metadata = { command: `git commit -m "${"word ".repeat(80)}"` };
    const lines = see("permission.asked", { ...asked, permission: "bash", metadata });
    expect(lines[0]).toContain("? may I: bash git commit");
    expect(lines.length).toBeLessThanOrEqual(3);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(96);
  });

  it("breaks long texts between words and cuts no word", () => {
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrap("a-very-long-word b", 4)).toEqual(["a-very-long-word", "b"]);
    expect(wrap("  fits  ", 8)).toEqual(["  fits  "]);
    expect(wrap("a b c", 1)).toEqual(["a", "b", "c"]);
  });

  it("shows refusals and OpenCode's errors", () => {
    const refused = { status: "error", input: {}, error: "Refused: demeter writes only below .gaia/.\nmore" };
    expect(tool("edit", refused)[0]).toContain("✗ edit refused: Refused: demeter writes only below .gaia/.");
    const error = { sessionID: "root", error: { name: "APIError", data: { message: "No credit." } } };
    expect(see("session.error", error)[0]).toContain("gaia        ✗ No credit.");
  });

  it("knows what is under way", async () => {
    expect(progress.underWay()).toContain("no specialist was at work");
    tool("delegate_gaia", { status: "running", input: delegation }, "root", "work");
    await clock.advance(90_000);
    expect(progress.underWay()).toBe(
      "waiting for hephaestus (for 90.0 s); the last news was of hephaestus: ▶ Build it",
    );
  });

  it.each(["", "{", "[]", "null", '{"parsed_json":7}'])("takes %j as a delegation's result", (output) => {
    tool("delegate_gaia", { status: "running", input: delegation }, "root", "work");
    expect(
      tool("delegate_gaia", { status: "completed", input: delegation, output }, "root", "work")[0],
    ).toContain("✗ ended in");
  });
});

it("counts the contracts that had to be repaired, by specialist, each once", () => {
  expect([...progress.repairs()]).toEqual([]);
  const prompt = renderRepairPrompt(hades.contract, ["outcome: required"]);
  const said = (id: string, text: string) =>
    see("message.part.updated", { part: { id, sessionID: "child", type: "text", text } });
  for (const id of ["p1", "p1", "p2"]) said(id, prompt);
  said("p3", "TASK: look again");
  expect([...progress.repairs()]).toEqual([["hephaestus", 2]]);
});
