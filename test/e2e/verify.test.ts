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
});
