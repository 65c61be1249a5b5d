import { afterEach, describe, expect, it } from "vitest";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { openProject, type Project } from "../support/project.ts";
import { delegate, HEPHAESTUS_DONE, write } from "./collaboration-scenes.ts";
import { callAll, lastText } from "../support/scripted-model.ts";

let project: Project;
afterEach(async () => project.close());

const CHECKED = { checks_run: [], failures: [], fixes: [], release_ready: true };
const APPROVED = { outcome: { verdict: "APPROVE" } };
const ATTACKED = { vulnerabilities: [], rollback_plan: "", minimal_patch: "", risk_level: "low" };
const to = (agent: string, rest: object = {}) =>
  call("delegate_gaia", { agent, goal: `review as ${agent}`, ...rest });
const taskOf = (agent: string, index = 0): string => {
  const request = project.model.requestsOf(agent)[index];
  return request === undefined ? "" : lastText(request, "user");
};

describe("what reviewers are given, and what comes of it", () => {
  it("is the diff at the user's depth, and no file with secrets", async () => {
    project = await openProject({
      gaia: { mode: "autopilot", reviewDepth: "risk" },
      files: { "src/auth.ts": "export const login = 1;\n", "src/list.ts": "export const list = 1;\n" },
    });
    await project.write(".env", "PASSWORD=hunter2-hunter2\n");
    await project.write("src/list.ts", "export const list = 2;\n");
    project.model.script("gaia", delegate(), callAll(to("aether"), to("hades")), say("Reviewed."));
    project.model.script(
      "hephaestus",
      write(project, "src/auth.ts", `export const login = authorize();\n${"// a line\n".repeat(150)}`),
      result(HEPHAESTUS_DONE),
    );
    project.model.script("aether", result(CHECKED, APPROVED));
    project.model.script("hades", result(ATTACKED, APPROVED));
    await project.prompt("gaia", "Build it");
    for (const task of [taskOf("aether"), taskOf("hades")]) {
      expect(task).toContain("+export const login = authorize();");
      // What the user had changed before is not the work.
      expect(task).not.toContain("+export const list = 2;");
      expect(task).toContain("The user's own uncommitted files are no part of it: src/list.ts, .env.");
      expect(task).toMatch(/## Risk hotspots\n- src\/auth\.ts: large/);
      expect(task).not.toContain("hunter2");
      expect(task.indexOf("TASK: review as")).toBeLessThan(task.indexOf("# The project's uncommitted"));
    }
    expect(taskOf("hephaestus")).not.toContain("list = 2");
  });
});
