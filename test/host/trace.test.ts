import { describe, expect, it } from "vitest";
import { traceOf } from "../../src/host/opencode/events.ts";

const run = (command: string, description = "Runs the tests") => ({ command, description });
const VITEST = " FAIL  a.test.ts > adds\n   Start at  05:01:38\n   Duration  2.60s (tests 237ms)";

describe("what was called and what came back is the same", () => {
  it.each<[string, object, object]>([
    ["in another order", { path: "a", limit: 3 }, { limit: 3, path: "a" }],
    ["said to be for something else", run("npm test"), run("npm test", "Runs them once more")],
    ["with more time", run("npm test"), { ...run("npm test"), timeout: 600_000 }],
    ["with other spaces", run("npm test"), run(" npm  test\n")],
  ])("%s", (_name, one, other) => {
    expect(traceOf("bash", one, "no")).toBe(traceOf("bash", other, "no"));
  });

  it.each<[string, string, string]>([
    ["at another time", VITEST, VITEST.replace("05:01:38", "05:02:12").replace("2.60s", "3.1s")],
    ["as node tells it", "# fail 1\n# duration_ms 45.12", "# fail 1\n# duration_ms 51.9"],
    ["at another moment", "at 2026-11-27T05:01:38.123Z: no", "at 2026-11-27T05:02:00.001Z: no"],
  ])("%s", (_name, one, other) => {
    expect(traceOf("bash", run("npm test"), one)).toBe(traceOf("bash", run("npm test"), other));
  });
});

describe("it is another", () => {
  it.each<[string, object, object, string, string]>([
    ["command", run("npm test"), run("npm test a"), "no", "no"],
    ["line", run("echo a\nb"), run("echo a b"), "no", "no"],
    ["result", run("npm test"), run("npm test"), "1 failed", "2 failed"],
    ["file", { path: "a" }, { path: "b" }, "no", "no"],
  ])("%s", (_name, one, other, result, later) => {
    expect(traceOf("bash", one, result)).not.toBe(traceOf("bash", other, later));
  });
});
