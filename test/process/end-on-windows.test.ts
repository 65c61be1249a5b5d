import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/async.ts";
import { endOnWindows } from "../../src/process/process-group.ts";
import { createFakeClock } from "../support/fake-clock.ts";

/** Records what is started, and ends it by this event; "throw" for what cannot be started at all. */
function record(event: "exit" | "error" | "throw" | "never") {
  const calls: (readonly [string, readonly string[], object])[] = [];
  const spawn = (program: string, args: readonly string[], options: object) => {
    calls.push([program, args, options]);
    if (event === "throw") throw new Error("EACCES");
    const child = new EventEmitter();
    if (event !== "never") setImmediate(() => child.emit(event, new Error("ENOENT")));
    return child as never;
  };
  return { calls, spawn };
}

describe("a process tree on Windows", () => {
  it("is ended with all that it started, by Windows' own program and not by one of the project's", async () => {
    const { calls, spawn } = record("exit");
    await endOnWindows(42, systemClock, "D:\\Win", spawn);
    expect(calls).toEqual([
      ["D:\\Win\\System32\\taskkill.exe", ["/pid", "42", "/T", "/F"], { stdio: "ignore", windowsHide: true }],
    ]);
  });

  it("holds nobody up where that cannot be started, or does not end", async () => {
    for (const event of ["error", "throw"] as const) {
      const { calls, spawn } = record(event);
      await endOnWindows(42, systemClock, undefined, spawn);
      expect(calls[0]?.[0]).toBe("C:\\Windows\\System32\\taskkill.exe");
    }
    const clock = createFakeClock();
    const ended = endOnWindows(42, clock, undefined, record("never").spawn);
    await clock.advance(6_000);
    await expect(ended).resolves.toBeUndefined();
  });
});
