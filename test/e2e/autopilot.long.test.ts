import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { recordOf } from "../../src/lib/json.ts";
import { openProject, type Outcome, type Project } from "../support/project.ts";
import { childOf, delegate, has, HEPHAESTUS_DONE, plan, UNIT, write } from "./collaboration-scenes.ts";
import { follow, LONG_MS } from "./gates-scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

const bash = (command: string) => call("bash", { command, description: "run" });
const SEEN = { repo_map: "", answer: "It.", plan: [], risk_list: [], suggested_agents: [] };
const CHECKED = {
  checks_run: [{ command: "node --test", exit_code: 0 }],
  failures: [],
  fixes: [],
  release_ready: true,
};

/** What GAIA's plan_gaia and delegate_gaia calls came back with. */
const results = ({ tools }: Outcome) =>
  tools.map(({ output, error }) => (error === "" ? recordOf(JSON.parse(output)) : { refused: error }));
const openRequests = async (): Promise<number> =>
  ((await project.call("GET", "/permission")) as unknown[]).length +
  ((await project.call("GET", "/question")) as unknown[]).length;

describe("autopilot", () => {
  it("runs a whole feature with nobody there: nothing ever waits, and danger is refused on the way", async () => {
    const checks = [{ id: "feature", command: "test -f feature.txt", timeoutSeconds: 20 }];
    project = await openProject({ gaia: { mode: "autopilot", definitionOfDone: { checks } } });
    const waiting: number[] = [];
    const watched = (turn: ReturnType<typeof call>) => async () => {
      waiting.push(await openRequests());
      return turn;
    };
    project.model.script(
      "gaia",
      call("delegate_gaia", { agent: "minerva", goal: "look" }),
      UNIT,
      plan("update_plan", { content: { markdown: "## Goal\nA feature.\n\n## Tasks\n- [x] 1. Write it\n" } }),
      plan("request_approval", { kind: "plan" }),
      plan("open_wave", { wave_id: "w1", title: "Write" }),
      watched(delegate("w1")),
      call("delegate_gaia", { agent: "aether", goal: "check" }),
      plan("verify"),
      plan("complete_wave", { wave_id: "w1" }),
      plan("request_approval", { kind: "verification" }),
      watched(plan("commit", { commit: "Feature" })),
      say("The feature is in."),
    );
    project.model.script("minerva", bash("git log --oneline"), result(SEEN));
    project.model.script(
      "hephaestus",
      watched(write(project, "feature.txt", "one\n")),
      bash("git push --force"),
      watched(
        call("edit", {
          filePath: join(project.directory, "feature.txt"),
          oldString: "one",
          newString: "two",
        }),
      ),
      bash("mkdir -p made && touch made/by-bash"),
      result(HEPHAESTUS_DONE),
    );
    project.model.script("aether", bash("node --test"), result(CHECKED, { outcome: { verdict: "APPROVE" } }));
    await project.git("config", "user.name", "T");
    await project.git("config", "user.email", "t@example.com");
    const outcome = await follow(project, "Build the feature");

    expect(outcome.text).toBe("The feature is in.");
    expect(results(outcome).filter(({ ok, status }) => ok !== true && status !== "completed")).toEqual([]);
    expect(await project.read("feature.txt")).toBe("two\n");
    expect(has(project, "made/by-bash")).toBe(true);
    expect(await project.git("log", "--format=%s", "-1")).toContain("Feature");
    const { tools } = await childOf(project, outcome.sessionId, 1);
    expect(tools.map(({ status }) => status)).toEqual(["completed", "error", "completed", "completed"]);
    expect(tools[1]?.error).toContain("a dangerous operation (overwrites what others see on the remote)");

    // Requests that the plugin answered are gone before the tool that raised them returns; no question came at all.
    expect(waiting).toEqual([0, 0, 0, 0]);
    const types = project.events.map(({ type }) => type);
    expect(types).not.toContain("question.asked");
    const asked = project.events.filter(({ type }) => type === "permission.asked");
    expect(asked.some(({ properties }) => String(properties["permission"]).startsWith("gaia_approval"))).toBe(
      false,
    );
    expect(types.filter((type) => type === "permission.replied")).toHaveLength(asked.length);
    expect(await project.read(".gaia/unit/plan.md")).toMatch(/status:\W*approved/i);
  }, 120_000);
});
