import { afterEach, describe, expect, it } from "vitest";
import { call, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Outcome, type Project } from "../support/project.ts";

let project: Project;
afterEach(async () => project.close());

const verify = (args: object = {}) => call("plan_gaia", { op: "verify", ...args });

interface Result {
  ok: boolean;
  error?: string;
  suggestions?: string[];
  report?: { summary: string };
  next?: { kind: string; reason?: string };
}
const results = (outcome: Outcome): Result[] =>
  outcome.tools.map(({ output }) => JSON.parse(output) as Result);

const check = (id: string, command: string) => ({ id, command, timeoutSeconds: 20 });

describe("plan_gaia verify", () => {
  it("runs the project's own checks in the host and logs what they said", async () => {
    const checks = [check("answer", "test -f answer.txt"), check("always", "echo fine")];
    project = await openProject({ gaia: { definitionOfDone: { checks } } });
    const unit = call("plan_gaia", { op: "create_work_unit", slug: "answer", title: "Answer" });
    project.model.script("gaia", unit, verify(), say("It fails."));
    const first = await project.prompt("gaia", "Verify");
    expect(results(first)[1]).toMatchObject({ ok: false, next: { kind: "fix" } });
    await project.write("answer.txt", "42");
    project.model.script("gaia", verify(), say("It passes."));
    const second = await project.prompt("gaia", "Again", { session: first.sessionId });
    expect(results(second)[2]).toMatchObject({ ok: true, next: { kind: "review" } });
    const log = await project.read(".gaia/answer/log.md");
    expect(log).toContain("1 of 2 checks passed; not passed: answer");
    expect(log).toContain("2 of 2 checks passed");
  });

  it("says BLOCKED when nothing moves, whatever the model goes on trying", async () => {
    project = await openProject({ gaia: { definitionOfDone: { checks: [check("never", "false")] } } });
    project.model.script("gaia", verify(), verify(), verify(), say("Blocked."));
    const kinds = results(await project.prompt("gaia", "Verify")).map(({ next }) => next?.kind);
    expect(kinds).toEqual(["fix", "fix", "blocked"]);
  });

  it("proposes what it finds where nothing is configured, and runs none of it", async () => {
    const scripts = { test: "touch was-run", lint: "touch was-run" };
    project = await openProject({ files: { "package.json": JSON.stringify({ scripts }) } });
    project.model.script("gaia", verify(), say("None."));
    const [result] = results(await project.prompt("gaia", "Verify"));
    expect(result).toMatchObject({ ok: false, suggestions: ["npm run test", "npm run lint"] });
    expect(await project.git("status", "--porcelain", "-uall")).toBe("");
  });

  it("passes nothing when the definition itself is broken", async () => {
    project = await openProject({ gaia: { definitionOfDone: { checks: [{ id: "x", comand: "true" }] } } });
    project.model.script("gaia", verify(), say("Broken."));
    const [result] = results(await project.prompt("gaia", "Verify"));
    expect(result).toMatchObject({ ok: false, error: expect.stringContaining(".gaia/config.jsonc") });
  });
});
