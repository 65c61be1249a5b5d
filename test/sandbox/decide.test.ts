import { describe, expect, it, test } from "vitest";
import { decideSandbox, type SandboxDecision, type SandboxQuestion } from "../../src/sandbox/decide.ts";
import { readCases } from "../support/cases.ts";

const BOTH = [false, true] as const;
const VALUES: { readonly [Key in keyof SandboxQuestion]: readonly SandboxQuestion[Key][] } = {
  mode: ["auto", "on", "off", "machine"],
  isAvailable: BOTH,
  network: BOTH,
  role: ["reader", "checker", "editor", "guest"],
  isLocked: BOTH,
  isCovered: BOTH,
  escapes: BOTH,
  reads: BOTH,
  isAllowed: BOTH,
  isApproved: BOTH,
  deletes: BOTH,
  asks: [null, "network", "off"],
};
const QUESTIONS = Object.entries(VALUES).reduce<object[]>(
  (before, [key, values]) => before.flatMap((each) => values.map((value) => ({ ...each, [key]: value }))),
  [{}],
) as SandboxQuestion[];

type Seen = SandboxQuestion & { readonly decision: SandboxDecision; readonly isSandboxed: boolean };
const SEEN: readonly Seen[] = QUESTIONS.map((question) => ({
  ...question,
  decision: decideSandbox(question),
  isSandboxed: question.isAvailable && (question.mode === "auto" || question.mode === "on"),
}));

const contained = ({ decision }: Seen) => (decision.kind === "run" ? decision.profile : null);
const runs = ({ decision }: Seen): boolean => decision.kind === "run";
const runsAsItIs = (seen: Seen): boolean => runs(seen) && contained(seen) === null;
const writes = (seen: Seen): boolean => runsAsItIs(seen) || contained(seen)?.project === "write";
/** The first question of those that this holds for and that a rule does not hold for. */
const broken = (when: (seen: Seen) => boolean, rule: (seen: Seen) => boolean): Seen | undefined =>
  SEEN.find((seen) => when(seen) && !rule(seen));

describe("what holds whatever is asked", () => {
  it("looks at all of it", () => {
    expect(SEEN).toHaveLength(4 * 2 * 2 * 4 * 2 * 2 * 2 * 2 * 2 * 2 * 2 * 3);
  });

  test.each<[string, (seen: Seen) => boolean, (seen: Seen) => boolean]>([
    [
      "with a sandbox, nothing of ours runs outside of it that no person approved or allowed to",
      (seen) => seen.isSandboxed && seen.role !== "guest" && runsAsItIs(seen),
      ({ isApproved, isAllowed, asks }) => isApproved || (isAllowed && asks === "off"),
    ],
    [
      "without one, nothing of ours runs but what reads, what the user allows, and what a person approved",
      (seen) => !seen.isSandboxed && seen.mode !== "machine" && seen.role !== "guest" && runs(seen),
      ({ reads, isAllowed, isApproved, isLocked }) => reads || (!isLocked && (isAllowed || isApproved)),
    ],
    [
      "a profile is given only where there is a sandbox",
      (seen) => contained(seen) !== null,
      ({ isSandboxed }) => isSandboxed,
    ],
    [
      "locked changes nothing and reaches no network",
      ({ isLocked, decision }) => isLocked && decision.kind === "run",
      (seen) =>
        seen.asks === null &&
        (seen.isSandboxed
          ? contained(seen)?.project === "read" && contained(seen)?.network === false
          : seen.reads),
    ],
    ["locked asks nothing", ({ isLocked }) => isLocked, ({ decision }) => decision.kind !== "ask"],
    [
      "what asks for more runs approved or allowed",
      (seen) => seen.asks !== null && seen.role !== "guest" && seen.mode !== "machine" && runs(seen),
      ({ isApproved, isAllowed }) => isApproved || isAllowed,
    ],
    [
      "the network is given by the settings, by a person or by the user's pattern",
      (seen) => contained(seen)?.network === true,
      ({ network, asks, isApproved, isAllowed }) =>
        network || (asks === "network" && (isApproved || isAllowed)),
    ],
    [
      "a reader changes nothing that no person approved or the user allowed",
      (seen) => seen.role === "reader" && seen.isSandboxed && writes(seen),
      ({ isApproved, isAllowed, asks }) => isApproved || (isAllowed && asks === "off"),
    ],
    [
      "while the host runs the project's code outside, what may change it is approved or allowed",
      (seen) => seen.escapes && seen.role !== "guest" && seen.isSandboxed && writes(seen),
      ({ isApproved, isAllowed }) => isApproved || isAllowed,
    ],
    [
      "what nothing else holds is deleted by a yes",
      (seen) =>
        seen.deletes && seen.role !== "guest" && seen.mode !== "machine" && !seen.isLocked && runs(seen),
      ({ isApproved }) => isApproved,
    ],
    [
      "`on` runs nothing outside of a sandbox",
      ({ mode, isLocked }) => mode === "on" && !isLocked,
      (seen) => !runsAsItIs(seen) && (seen.isAvailable || seen.decision.kind === "refuse"),
    ],
    [
      "`on` never leaves the sandbox",
      ({ mode, asks, isAvailable }) => mode === "on" && asks === "off" && isAvailable,
      ({ decision }) => decision.kind === "refuse",
    ],
    [
      "what a person approved runs, but for what `locked` and `on` refuse",
      ({ isApproved, isLocked }) => isApproved && !isLocked,
      (seen) => runs(seen) || (seen.mode === "on" && (!seen.isAvailable || seen.asks === "off")),
    ],
    [
      "a throwaway machine has no sandbox of its own, and asks no one but an editor without a wave",
      ({ mode, isLocked }) => mode === "machine" && !isLocked,
      (seen) =>
        runsAsItIs(seen) || (seen.role === "editor" && !seen.isCovered && seen.decision.kind === "ask"),
    ],
    [
      "a guest is left to OpenCode, but for `locked` and `on`",
      ({ role, mode, isLocked }) => role === "guest" && mode !== "on" && !isLocked,
      runsAsItIs,
    ],
  ])("%s", (_name, when, rule) => {
    expect(SEEN.some(when)).toBe(true);
    expect(broken(when, rule)).toBeUndefined();
  });
});

describe("who runs in what (SPEC 9)", () => {
  const QUESTION: SandboxQuestion = {
    mode: "auto",
    isAvailable: true,
    network: false,
    role: "editor",
    isLocked: false,
    isCovered: false,
    escapes: false,
    reads: false,
    isAllowed: false,
    isApproved: false,
    deletes: false,
    asks: null,
  };
  type Case = [name: string, changes: Partial<SandboxQuestion>, decision: object];
  test.each(readCases<Case>("sandbox/decide.who-runs-in-what"))("%s", (_name, changes, decision) => {
    expect(decideSandbox({ ...QUESTION, ...changes })).toEqual(decision);
  });
});
