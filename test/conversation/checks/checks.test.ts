import { setImmediate as soon } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { createChecks, type Checks } from "../../../src/conversation/checks/checks.ts";
import type { ConversationCore } from "../../../src/conversation/core.ts";
import type { DefinitionOfDoneReport } from "../../../src/checks/definition-of-done/report.ts";
import type { Proofs, Verification, Verifier, VerifyOptions } from "../../../src/checks/verifier.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { createFakeHost, type FakeHost } from "../../support/fake-host.ts";
import { keeping } from "../../support/kept.ts";

const ENDED = { status: "passed", exit_code: 0, duration_ms: 1, output_tail: "" } as const;
const REPORT: DefinitionOfDoneReport = {
  passed: true,
  gate: "all",
  scope: "full",
  cancelled: false,
  checks: [{ id: "test", command: "npm test", ...ENDED }],
  artifacts: [],
  skipped: [],
  notes: [],
  duration_ms: 1,
};
const RAN = { kind: "ran", report: REPORT, next: { kind: "review" }, tree: "t1" } satisfies Verification;

let host: FakeHost;
let checks: Checks;
let finish: (verification: Verification | Error) => void;
let logged: string[];
let seen: string[];
let conversation: ConversationCore;

beforeEach(() => {
  host = createFakeHost();
  [logged, seen] = [[], []];
  const verify: Proofs["verify"] = async () => {
    return new Promise((resolve, reject) => {
      finish = (verification) => {
        if (verification instanceof Error) reject(verification);
        else resolve(verification);
      };
    });
  };
  conversation = {
    rootId: "root",
    state: { knobs: { mode: "supervised" }, workUnit: "unit" },
    busy: false,
    ...keeping(),
    dispatch: ({ type }: { type: string }) => seen.push(type),
    log: async (title: string, _markdown: string, unit: string) => void logged.push(`${title} of ${unit}`),
    show: ({ line = "" }: { line?: string }) => seen.push(`shown: ${line}`),
    tell: (line: string) => seen.push(`model: ${line}`),
    outbox: {
      note: (text: string) => seen.push(`note: ${text.split("\n")[0]}`),
      flush: async () => void seen.push("flush"),
    },
  } as unknown as ConversationCore;
  const verifier = { open: () => ({ verify }) } as Partial<Verifier> as Verifier;
  const planEvidence = {};
  const clock = createFakeClock();
  const services = { host, verifier, planEvidence, clock };
  checks = createChecks(conversation, services as never, () => false);
});

async function begin(): Promise<void> {
  expect(checks.runForUser(undefined)).toBe(true);
  await soon();
}

describe("checks that a user asked for", () => {
  it("run once at a time, and again as soon as their result is there", async () => {
    await begin();
    expect(checks.runForUser(undefined)).toBe(false);
    finish(RAN);
    await soon();
    expect(seen[0]).toContain("note: **Definition of Done passed: 1 of 1 checks passed");
    expect(seen.slice(1)).toEqual([expect.stringContaining("model: The user ran /gaia-check."), "flush"]);
    expect(logged).toEqual(["Verification of unit"]);
    expect(host.toasts[0]).toContain("Definition of Done passed");
    expect(checks.runForUser(undefined)).toBe(true);
  });

  const broken = { kind: "broken", problem: "a.jsonc: x." } as const;
  it.each<[string, Verification, RegExp]>([
    [
      "nothing is set up",
      { kind: "none", suggestions: ["npm test"] },
      /no Definition of Done .*seems to have/,
    ],
    ["the configuration is broken", broken, /Nothing was checked\. a\.jsonc/],
  ])("prove nothing where %s, and write no log", async (_name, verification, note) => {
    await begin();
    finish(verification);
    await soon();
    expect(seen[0]).toMatch(note);
    expect(logged).toEqual([]);
    expect(seen.some((line) => line.startsWith("model:"))).toBe(false);
  });

  it("stand once in the log while the very same files pass, for GAIA", async () => {
    const ask = async (by: VerifyOptions["by"], verification: Verification): Promise<void> => {
      const run = checks.run("unit", { by, signal: new AbortController().signal });
      await soon();
      finish(verification);
      await run;
    };
    await ask("gaia", RAN);
    await ask("gaia", RAN);
    expect(logged).toHaveLength(1);
    // What the user asks for, other files, and what nobody could tell the files of are seen anew.
    await ask("user", RAN);
    await ask("gaia", { ...RAN, tree: "t2" });
    await ask("gaia", { ...RAN, tree: null });
    await ask("gaia", { ...RAN, tree: null });
    expect(logged).toHaveLength(5);
  });
});

it.each<[VerifyOptions["by"], boolean, string[]]>([
  [
    "gaia",
    false,
    ["checks-ran", "shown: ✗ Definition of Done NOT passed: 1 of 1 checks passed (0.0 s)", "blocked"],
  ],
  ["gaia", true, ["checks-ran"]],
  ["user", false, []],
  ["user", true, []],
])("a run of the checks by %s, cancelled %s, leads to %j", async (by, cancelled, expected) => {
  const run = checks.run("unit", { by, signal: new AbortController().signal });
  await soon();
  finish({
    kind: "ran",
    report: { ...REPORT, passed: false, cancelled },
    next: { kind: "blocked", reason: "nothing moves", nextStep: "ask" },
    tree: "t1",
  });
  await run;
  expect(logged).toEqual(by === "user" && cancelled ? [] : ["Verification of unit"]);
  expect(seen).toEqual(expected);
});
