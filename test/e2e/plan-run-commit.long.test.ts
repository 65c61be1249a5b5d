import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { toolResults, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, result, say, type Turn } from "../../src/scripted-model/turn.ts";
import type { JsonRecord } from "../../src/lib/json.ts";
import { startOpenCode, type OpenCodeServer } from "../support/opencode.ts";
import { openProject, type Project } from "../support/project.ts";
import { has, HEPHAESTUS_DONE, plan, UNIT } from "./collaboration-scenes.ts";
import { check, follow, LONG_MS, reviewed } from "./gates-scenes.ts";
import { recorded, reports } from "./lanes-scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

const PLAN = `## Goal

A file.

## Tasks

- [ ] 1. Write a file
  - agent: hephaestus
  - files: a.txt
  - verify: test -s a.txt
`;
const whole = check("whole", "test -s a.txt");

/** @param work the command of the task's specialist @param review what happens while it is reviewed */
async function open(
  mode: "supervised" | "autopilot",
  work: string,
  review: () => Promise<unknown> = async () => undefined,
  server?: OpenCodeServer,
): Promise<void> {
  project = await openProject({
    gaia: { mode, definitionOfDone: { checks: [whole] } },
    ...(server === undefined ? {} : { server, patienceMs: 120_000 }),
  });
  project.autoAnswer(() => "once");
  await project.git("config", "user.name", "T");
  await project.git("config", "user.email", "t@example.com");
  project.model.always("demeter", recorded);
  project.model.always("hephaestus", (request: RecordedRequest): Turn =>
    toolResults(request).length > 0
      ? result(HEPHAESTUS_DONE)
      : call("bash", { command: work, description: "Work" }),
  );
  project.model.always("hades", async () => {
    await review();
    return reviewed("hades");
  });
  const approval = mode === "supervised" ? [plan("request_approval", { kind: "plan" })] : [];
  project.model.script("gaia", UNIT, plan("update_plan", { content: { markdown: PLAN } }), ...approval);
}

/** GAIA calls `run` once. @returns its report, the session, and who was asked meanwhile */
async function run(
  args: object,
  session?: string,
): Promise<{ report: JsonRecord; session: string; asked: string }> {
  const before = project.model.requests.length;
  project.model.script("gaia", plan("run", { slug: "unit", ...args }), say("Over."));
  const outcome = await follow(project, `Do ${before}`, session);
  return {
    report: reports(outcome).at(-1) ?? {},
    session: outcome.sessionId,
    asked: project.model.requests
      .slice(before)
      .map(({ agent }) => agent)
      .join(" "),
  };
}
const filesOf = async (): Promise<string> =>
  project.git("-c", "core.quotePath=false", "show", "--name-only", "--format=%s", "HEAD");

describe("the commit of a run", () => {
  it("has GAIA's message, and leaves the user's index as it was where a hook refuses it", async () => {
    await open("supervised", "echo x > a.txt; echo y > known.txt");
    const asked: string[] = [];
    project.autoAnswer(({ permission }) => (asked.push(permission), "once"));
    await project.write("known.txt", "x");
    await project.git("add", "known.txt");
    await project.git("commit", "-qm", "Known");
    await project.write("mine.txt", "mine");
    await project.git("add", "mine.txt");
    const hook = ".git/hooks/pre-commit";
    await project.write(hook, "#!/bin/sh\necho not like this >&2\nexit 1\n");
    await chmod(join(project.directory, hook), 0o755);
    const commit = "File: a and it's known\n\nAsked for by hand.";
    const refused = await run({ commit });
    expect(refused.report).toMatchObject({ ok: false, status: "decision", open: [] });
    expect(refused.report["why"]).toMatch(/pre-commit hook refused the commit: not like this/);
    const left = await project.git("status", "--short", "--", ":!.gaia");
    expect(left).toBe(" M known.txt\nA  mine.txt\n?? a.txt\n");
    await rm(join(project.directory, hook));
    const made = await run({ commit }, refused.session);
    expect(made.report).toMatchObject({ ok: true, status: "finished", open: [] });
    expect(await project.git("show", "--name-only", "--format=%B", "HEAD")).toBe(
      `${commit}\n\n\na.txt\nknown.txt\n`,
    );
    expect(await project.git("status", "--short", "--", ":!.gaia")).toBe("A  mine.txt\n");
    // Nobody is asked for the commit but the user.
    expect(made.asked).toBe("gaia hades gaia");
    expect(asked.filter((permission) => permission.includes("revision"))).toHaveLength(2);
    expect(await project.read(".gaia/unit/log.md")).toMatch(
      /Commit\n\n- File: a and it's known \(2 files\): main [0-9a-f]{8} → [0-9a-f]{8}\n- Proven: /,
    );
  });
});

describe("kill -9 once git has made the commit", () => {
  let server: OpenCodeServer;
  afterEach(async () => server.close());

  it("leaves a whole commit, and none is made twice", async () => {
    server = await startOpenCode();
    await open("autopilot", "echo x > a.txt", undefined, server);
    const hook = ".git/hooks/post-commit";
    await project.write(".git/info/exclude", "made.log\n");
    await project.write(hook, "#!/bin/sh\necho > made.log\nsleep 60\n");
    await chmod(join(project.directory, hook), 0o755);
    project.model.script("gaia", plan("run", { slug: "unit", commit: "Made" }));
    const session = await project.start("gaia", "Build it");
    await project.until("the commit", () => has(project, "made.log"));
    server = await server.restart();
    expect(await filesOf()).toBe("Made\n\na.txt\n");
    await rm(join(project.directory, hook));
    project = await openProject({ server, resume: project, patienceMs: 120_000 });
    project.autoAnswer(() => "once");
    const again = await run({ commit: "Made" }, session);
    expect(again.report).toMatchObject({ ok: true, status: "finished", open: [] });
    expect(await project.git("log", "--format=%s", "-2")).toMatch(/^Made\n(?!Made)/);
    // What was killed in between stands whole: the index would not undo it.
    expect(await project.git("status", "--short", "--", ":!.gaia")).toBe("");
  });
});
