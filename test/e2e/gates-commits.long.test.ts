import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { say } from "../../src/scripted-model/turn.ts";
import { canContain } from "../support/bubblewrap.ts";
import { openProject, type Project } from "../support/project.ts";
import { sharedServer } from "../support/shared-server.ts";
import { check, delegate, done, follow, LONG_MS, notesOf, plan, resultsOf, UNIT, write } from "./scenes.ts";

let project: Project;
afterEach(async () => project.close());
vi.setConfig({ testTimeout: LONG_MS });

const RIGHT = check("answer", "grep -q right answer.txt");
const commit = (message: string, rest: object = {}) => plan("commit", { commit: message, ...rest });
const log = async (): Promise<string> => project.git("log", "--format=%s");
describe("plan_gaia commit in autopilot", () => {
  it("needs checks that pass on these very files, names a hook that refuses, and leaves the user's work out", async () => {
    project = await openProject({ gaia: { mode: "autopilot", definitionOfDone: { checks: [RIGHT] } } });
    await project.write("mine.txt", "mine\n");
    await project.git("add", "mine.txt");
    const hook = ".git/hooks/commit-msg";
    await project.write(
      hook,
      `#!/bin/sh\ngrep -q ticket "$1" || { printf '\\033[31merror: no ticket\\033[0m\\n' >&2; seq 1 900 >&2; exit 1; }\n`,
    );
    await chmod(join(project.directory, hook), 0o755);
    project.model.script("hephaestus", write(project, "answer.txt", "wrong\n"), done);
    project.model.script("hephaestus", write(project, "answer.txt", "right\n"), done);
    project.model.script(
      "gaia",
      UNIT,
      delegate(),
      commit("Wrong, ticket"),
      delegate(),
      commit("No number"),
      commit("Right, ticket"),
      commit("Again, ticket"),
      say("Done."),
    );
    const outcome = await follow(project, "Build it");
    const [wrong, refused, made, none] = resultsOf(outcome, "plan_gaia").slice(-4);
    expect(JSON.stringify(wrong)).toContain("The Definition of Done does not pass");
    expect(JSON.stringify(refused)).toContain(
      "The repository's commit-msg hook refused the commit: error: no ticket",
    );
    expect(made).toMatchObject({ ok: true });
    expect(none).toMatchObject({ ok: true, revision: null });
    expect(await log()).toBe("Right, ticket\nStart\n");
    expect(await project.git("show", "--name-only", "--format=", "HEAD")).toBe("answer.txt\n");
    expect(await project.git("status", "--short", "--", ":!.gaia")).toBe("A  mine.txt\n");
    expect(await project.read(".gaia/unit/log.md")).toMatch(
      /— Commit\n\n- Right, ticket \(1 file\): main \w{8} → \w{8}\n- Proven: Definition of Done passed/u,
    );
  });
});

describe.runIf(canContain)("hooks at the host's commit", () => {
  it("start in the sandbox what an agent wrote, and a wall that they meet is named", async () => {
    const outside = join(sharedServer().root, `outside-${Date.now()}`);
    const scripts = (lint: string): string => JSON.stringify({ scripts: { lint } });
    project = await openProject({
      gaia: { mode: "autopilot" },
      files: { "package.json": scripts("true") },
    });
    const hook = ".git/hooks/pre-commit";
    await project.write(hook, "#!/bin/sh\nnpm run --silent lint\n");
    await chmod(join(project.directory, hook), 0o755);
    const evil = `echo leaked > ${outside}; git config core.hooksPath evil; git tag evil`;
    project.model.script("hephaestus", write(project, "package.json", scripts(`${evil}; true`)), done);
    project.model.script(
      "hephaestus",
      write(project, "package.json", scripts("echo x > /var/lib/gaia-outside")),
      done,
    );
    project.model.script("gaia", UNIT, delegate(), commit("Quiet"), delegate(), commit("Loud"), say("Done."));
    const outcome = await follow(project, "Build it");
    const [made, refused] = resultsOf(outcome, "plan_gaia").slice(-2);
    expect(made).toMatchObject({ ok: true });
    expect(JSON.stringify(refused)).toMatch(
      /pre-commit hook refused.*gaia-outside: Read-only.*in a sandbox:/u,
    );
    expect(existsSync(outside)).toBe(false);
    expect([await log(), await project.git("tag")]).toEqual(["Quiet\nStart\n", ""]);
    expect(await project.read(".git/config")).not.toContain("evil");
  });
});

describe("plan_gaia commit in supervised mode", () => {
  it("asks with files and proof on the screen, and makes none after a no", async () => {
    project = await openProject({ config: { permission: { edit: "allow" } } });
    let answer: "once" | "reject" = "reject";
    const asked: string[] = [];
    project.autoAnswer(({ permission }) => {
      if (permission.includes("revision of")) asked.push(permission);
      return permission.includes("revision of") ? answer : "once";
    });
    project.model.script("hephaestus", write(project, "a.txt"), done);
    project.model.script("gaia", delegate(), commit("First try"), say("No."));
    const { sessionId } = await follow(project, "Build it");
    expect(await log()).toBe("Start\n");
    answer = "once";
    project.model.script("gaia", commit("Second try"), say("Yes."));
    const outcome = await follow(project, "Commit it", sessionId);
    expect(resultsOf(outcome, "plan_gaia").at(-1)).toMatchObject({ ok: true });
    expect(await log()).toBe("Second try\nStart\n");
    expect(asked).toEqual([expect.stringContaining("First try"), expect.stringContaining("a.txt")]);
    expect((await notesOf(project, sessionId)).join("\n")).toContain("Not proven: no Definition of Done");
  });
});
