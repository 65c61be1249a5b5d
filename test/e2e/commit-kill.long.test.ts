import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { result, say } from "../../src/scripted-model/turn.ts";
import { startOpenCode } from "../support/opencode.ts";
import { openProject } from "../support/project.ts";
import { delegate, has, HEPHAESTUS_DONE, plan, UNIT, write } from "./collaboration-scenes.ts";
import { follow, LONG_MS, resultsOf } from "./gates-scenes.ts";

it.each([
  ["before git made it", "pre-commit", "Start\n"],
  ["once git has made it", "post-commit", "Made\nStart\n"],
])(
  "kill -9 at a commit, %s, loses nothing, and one commit stands after the restart",
  { timeout: LONG_MS },
  async (_when, name, left) => {
    const server = await startOpenCode();
    const before = await openProject({ server, gaia: { mode: "autopilot" } });
    await before.git("config", "user.name", "T");
    await before.git("config", "user.email", "t@example.com");
    await before.write(".git/info/exclude", "reached.log\n");
    const hook = join(before.directory, ".git/hooks", name);
    await before.write(`.git/hooks/${name}`, "#!/bin/sh\necho > reached.log\nsleep 60\n");
    await chmod(hook, 0o755);
    const commit = plan("commit", { commit: "Made" });
    before.model.script("hephaestus", write(before, "a.txt"), result(HEPHAESTUS_DONE));
    before.model.script("gaia", UNIT, delegate(), commit);
    const session = await before.start("gaia", "Build it");
    await before.until("the hook", () => has(before, "reached.log"));

    const again = await server.restart();
    expect(await before.git("log", "--format=%s")).toBe(left);
    await rm(hook);
    // What git itself leaves behind when it is killed, a person takes away.
    await rm(join(before.directory, ".git/index.lock"), { force: true });
    const project = await openProject({ server: again, resume: before });
    project.model.script("gaia", commit, say("Done."));
    const outcome = await follow(project, "Go on", session);
    expect(resultsOf(outcome, "plan_gaia").at(-1)).toMatchObject({ ok: true });
    expect(await project.git("log", "--format=%s")).toBe("Made\nStart\n");
    expect(await project.read("a.txt")).toBe("a.txt\n");
    expect(await project.git("status", "--short", "--", ":!.gaia")).toBe("");
    await project.close();
    await again.close();
  },
);
