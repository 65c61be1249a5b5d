import { expect, it } from "vitest";
import {
  type CallDecision,
  decideCall,
  type ExaminedCall,
  isCovered,
  type PermissionQuestion,
  refusalText,
} from "../../../src/conversation/collaboration/decide-call.ts";
import type { Examination } from "../../../src/policy/examination.ts";
import type { SandboxDecision } from "../../../src/sandbox/decide.ts";
import { readCases } from "../../support/cases.ts";
import { examined } from "../../support/examination.ts";
import { DEFAULTS, play, scenesOf, type Told } from "./session.ts";

const profile = { project: "read", network: false, caches: false } as const;
const SANDBOXES = {
  ask: { kind: "ask" },
  none: { kind: "run", profile: null },
  "read-only": { kind: "run", profile },
  locked: { kind: "refuse", why: "locked" },
  "no sandbox": { kind: "refuse", why: "no sandbox" },
  "always sandboxed": { kind: "refuse", why: "always sandboxed" },
} satisfies Record<string, SandboxDecision>;

interface Case {
  /** Who asks: OpenCode, which shows a dialog or not, or the guard before a call. */
  readonly by: "host" | "guard";
  readonly name: string;
  readonly scenes: readonly Told[];
  /** What differs from an edit by hephaestus. */
  readonly call?: Partial<Omit<ExaminedCall, "examination">> & Partial<Examination>;
  readonly question?: Partial<Omit<PermissionQuestion, "sandbox"> & Parameters<typeof isCovered>[1]> & {
    readonly sandbox?: keyof typeof SANDBOXES;
  };
  /** A refusal by its words. */
  readonly expected: CallDecision["kind"] | readonly string[];
}

it.each(readCases<Case>("conversation/collaboration/decide-call"))("to the $by: $name: $expected", (row) => {
  const { by, scenes, call = {}, question = {}, expected } = row;
  const { tool = "edit", agent = "hephaestus", role = "editor", isRecord = false, ...examination } = call;
  const { effect = "project", reason = "", ...rest } = examination;
  const isCommand = tool === "bash";
  const about = {
    tool,
    agent,
    role,
    isCommand,
    isRecord,
    examination: examined(effect, { ...rest, reason }),
  };
  const sandbox = question.sandbox ?? (by === "guard" && isCommand ? "read-only" : null);
  const { state } = play(scenesOf(scenes));
  const place = { workUnit: "unit", waveId: "w1", enforceWaveId: DEFAULTS.wavePolicy.enforceWaveId };
  const decision = decideCall(state, about, {
    kind: "other",
    sessionId: "child",
    isCovered: isCovered(state, { ...place, ...question }),
    isApproval: false,
    onlyReads: !isCommand && role !== "editor",
    ...question,
    by,
    sandbox: sandbox && SANDBOXES[sandbox],
  });
  if (typeof expected === "string") return expect(decision.kind).toBe(expected);
  const words = decision.kind === "refuse" ? refusalText(decision, tool) : "";
  for (const word of expected) expect(words).toContain(word);
});
