import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { containChecks } from "../../src/checks/contain-checks.ts";
import { runDefinitionOfDone } from "../../src/checks/definition-of-done/run.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { openWorld, type World } from "../sandbox/world.ts";
import { canContain } from "../support/bubblewrap.ts";
import { define } from "./definition.ts";

let world: World;
afterEach(() => {
  world.close();
});

/** Runs one check, with everything contained. */
async function runCheck(command: string, isLocked = false) {
  const contain = containChecks(async () => world.containment, { mode: "on", network: false, writable: [] });
  const report = await runDefinitionOfDone({
    directory: world.project,
    definition: define({ checks: [{ id: "one", command }] }),
    signal: new AbortController().signal,
    clock: systemClock,
    redact: (text) => text,
    contain: contain(isLocked),
  });
  return report.checks[0];
}

describe.runIf(canContain)("a check of the Definition of Done, in bubblewrap", () => {
  it("writes in the project, and nowhere else", async () => {
    world = openWorld();
    const check = await runCheck(`echo x > made.txt && echo x > '${join(world.outside, "pwned")}'`);
    expect(check).toMatchObject({
      status: "failed",
      output_tail: expect.stringMatching(/pwned.*Read-only/u),
    });
    expect(existsSync(join(world.project, "made.txt"))).toBe(true);
    expect(existsSync(join(world.outside, "pwned"))).toBe(false);
  });

  it("changes nothing while the session is locked", async () => {
    world = openWorld();
    expect(await runCheck("echo x > /tmp/fine && echo x > made.txt", true)).toMatchObject({
      status: "failed",
    });
    expect(existsSync(join(world.project, "made.txt"))).toBe(false);
  });
});

it("does not run where it cannot be contained", async () => {
  world = openWorld({ shell: () => "/bin/sh", wrapperFolders: [] });
  world.environment["PATH"] = "/nowhere";
  expect(await runCheck("echo x > made.txt")).toMatchObject({
    status: "error",
    detail: expect.stringContaining("could not be contained"),
  });
  expect(existsSync(join(world.project, "made.txt"))).toBe(false);
});
