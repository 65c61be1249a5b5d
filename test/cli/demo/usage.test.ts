import { describe, expect, it } from "vitest";
import type { OpenCodeApi } from "../../../src/cli/demo/api.ts";
import { readUsage, renderUsage, sumUsage } from "../../../src/cli/demo/usage.ts";

function message(agent: string, input: number, output: number): Record<string, unknown> {
  const tokens = { input, output, reasoning: 5, cache: { read: 100, write: 0 } };
  return { info: { role: "assistant", agent, tokens, time: { created: 1_000, completed: 2_500 } } };
}

const LISTS: Record<string, Record<string, unknown>[]> = {
  "/session/root/children": [
    { id: "late", time: { created: 20 } },
    { id: "early", time: { created: 10 } },
  ],
  "/session/root/message": [{ info: { role: "user", agent: "gaia" } }, message("gaia", 1_000, 10)],
  "/session/early/message": [message("minerva", 10, 1), message("minerva", 20, 2)],
  "/session/late/message": [message("hades", 7, 3), { info: { role: "assistant", agent: "hades" } }],
};

const api: Pick<OpenCodeApi, "list"> = { list: async (path) => LISTS[path] ?? [] };

describe("who used what", () => {
  it("adds up requests, tokens and time per agent, in order of appearance", async () => {
    expect(await readUsage(api, "root")).toEqual([
      { agent: "gaia", requests: 1, input: 1_100, output: 15, ms: 1_500, cost: 0 },
      { agent: "minerva", requests: 2, input: 230, output: 13, ms: 3_000, cost: 0 },
      { agent: "hades", requests: 2, input: 107, output: 8, ms: 1_500, cost: 0 },
    ]);
  });

  it("leaves out the time that GAIA waited for specialists, who work in parallel", () => {
    const delegation = (start: number, end: number): Record<string, unknown> => ({
      tool: "delegate_gaia",
      state: { time: { start, end } },
    });
    const turn = { ...message("gaia", 1, 1), parts: [delegation(1_100, 1_900), delegation(1_200, 2_100)] };
    expect(sumUsage([turn])[0]?.ms).toBe(500);
  });

  it("is a table whose columns line up, with a price where there is one", () => {
    const row = { agent: "gaia", requests: 12, input: 69_134, output: 973, ms: 20_700, cost: 0 };
    const free = renderUsage([row], 25_000);
    expect(free.join("\n")).toContain("69,134");
    expect(new Set(free.map((line) => line.length)).size).toBe(1);
    expect(free.join("\n")).not.toContain("$");
    expect(renderUsage([{ ...row, cost: 0.1234 }], 25_000).join("\n")).toContain("$0.1234");
  });
});
