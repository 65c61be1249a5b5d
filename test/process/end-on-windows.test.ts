import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";

import { endOnWindows, endProcessGroup, type WindowsSystem } from "../../src/process/process-group.ts";
import { createFakeClock } from "../support/fake-clock.ts";

/** Records what is started, and ends it by this event; "throw" for what cannot be started at all. */
function record(event: "exit" | "error" | "throw" | "never", environment: WindowsSystem["environment"] = {}) {
  const calls: (readonly [string, readonly string[], object])[] = [];
  const system: WindowsSystem = {
    environment,
    spawn(program, args, options) {
      calls.push([program, args, options]);
      if (event === "throw") throw new Error("EACCES");
      const child = new EventEmitter();
      if (event !== "never") setImmediate(() => child.emit(event, new Error("ENOENT")));
      return child as never;
    },
  };
  return { calls, system };
}

describe("a process tree on Windows", () => {
  it("is ended with all that it started, by Windows' own program and not by one of the project's", async () => {
    const { calls, system } = record("exit", { SystemRoot: "D:\\Win" });
    await endOnWindows(42, 5_000, system);
    expect(calls).toEqual([
      [
        "D:\\Win\\System32\\taskkill.exe",
        ["/pid", "42", "/T", "/F"],
        { stdio: "ignore", windowsHide: true, timeout: 5_000 },
      ],
    ]);
  });

  it.each(["error", "throw"] as const)("holds nobody up where that cannot be started (%s)", async (event) => {
    const { calls, system } = record(event);
    await endOnWindows(42, 5_000, system);
    expect(calls[0]?.[0]).toBe("C:\\Windows\\System32\\taskkill.exe");
  });

  it("is waited for no longer than that may take", async () => {
    const clock = createFakeClock();
    const { system } = record("never");
    const group = { leader: 42, marker: "m" };
    const ended = endProcessGroup(group, 1_000, clock, "win32", async (leader, ms) =>
      endOnWindows(leader, ms, system),
    );
    await clock.advance(6_000);
    await expect(ended).resolves.toBeUndefined();
  });
});
