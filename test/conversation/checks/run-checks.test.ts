import { describe, expect, it } from "vitest";
import { runChecks } from "../../../src/conversation/checks/run-checks.ts";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import type { Verifier, VerifyOptions } from "../../../src/checks/verifier.ts";
import { report } from "../../checks/definition-of-done/reports.ts";

/** What a run with nothing moving any more leads to. */
async function run(by: VerifyOptions["by"], cancelled = false): Promise<string[]> {
  const seen: string[] = [];
  const verifier = {
    verify: async () => ({
      kind: "ran",
      report: report({ passed: false, cancelled }),
      next: { kind: "blocked", reason: "nothing moves", nextStep: "ask" },
    }),
  } as unknown as Verifier;
  const conversation = {
    log: async (title: string, _markdown: string, unit: string) => void seen.push(`${title} of ${unit}`),
    dispatch: ({ type }: { type: string }) => seen.push(type),
    state: { knobs: { mode: "supervised" } },
  } as unknown as Conversation;
  const { signal } = new AbortController();
  await runChecks(verifier, { conversation, rootId: "root", unit: "unit", by, signal });
  return seen;
}

describe("a run of the checks", () => {
  it.each<[VerifyOptions["by"], boolean, string[]]>([
    ["gaia", false, ["Verification of unit", "checks-ran", "blocked"]],
    ["gaia", true, ["Verification of unit", "checks-ran"]],
    ["user", false, ["Verification of unit"]],
    ["user", true, []],
  ])("by %s, cancelled %s, leads to %j", async (by, cancelled, seen) => {
    expect(await run(by, cancelled)).toEqual(seen);
  });
});
