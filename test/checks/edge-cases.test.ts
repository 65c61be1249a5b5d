import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadDefinitionOfDone } from "../../src/checks/definition-of-done/load.ts";
import { failingChecks } from "../../src/checks/definition-of-done/report.ts";
import {
  conclusionOf,
  decideAfterReview,
  NO_REVIEW_YET,
  type ReviewVerdict,
} from "../../src/plan/review/outcome.ts";
import { NO_PROGRESS_YET, observeProgress } from "../../src/checks/progress.ts";
import { isDocumentationOnly } from "../../src/checks/documentation.ts";
import { decideAfterChecks, decideWaveCompletion } from "../../src/checks/wave-completion.ts";
import type { WrittenDefinition } from "../../src/config/definition-of-done.ts";
import { runDefinition, type WrittenCheck } from "./definition.ts";
import { createProject } from "./project.ts";

const PASS: WrittenCheck = { id: "pass", command: "true" };
const FAIL: WrittenCheck = { id: "fail", command: "false" };

async function run(
  definition: WrittenDefinition,
  options: { scope?: string | undefined; files?: Record<string, string> } = {},
) {
  return runDefinition(await createProject(options.files), definition, { scope: options.scope });
}

function review(verdicts: Record<string, ReviewVerdict>) {
  return Object.entries(verdicts).map(([reviewer, verdict]) => ({
    reviewer,
    verdict,
    reason: `${reviewer} said so`,
  }));
}

function seen(checksFailing: readonly string[], treeHash: string) {
  return { checksFailing, treeHash, treeHashAfter: treeHash, missing: [] };
}

/** The seed's roles in ours: Checker is aether, Skeptic is hades, Medic is the verification that comes last. */
type EdgeCase =
  | { number: number; scenario: string; holds: () => Promise<void> | void }
  | { number: number; scenario: string; doesNotApply: string };

const EDGE_CASES: EdgeCase[] = [
  {
    number: 1,
    scenario: "FIX: the full path; work that nothing is known of takes the full path too",
    holds: async () => {
      expect(isDocumentationOnly([])).toBe(false);
      expect(await run({ checks: [FAIL, PASS] })).toMatchObject({
        passed: false,
        scope: "full",
        skipped: [],
      });
    },
  },
  {
    number: 2,
    scenario: "FEATURE: the full path",
    holds: () => {
      expect(isDocumentationOnly(["README.md", "src/a.ts"])).toBe(false);
    },
  },
  {
    number: 3,
    scenario: "DOC: only checks of scope doc, none of them means no check",
    holds: async () => {
      expect(isDocumentationOnly(["README.md"])).toBe(true);
      const scope = "doc";
      const links: WrittenCheck = { id: "links", command: "true", scope: "doc" };
      const filtered = await run({ checks: [FAIL, links] }, { scope });
      expect(filtered).toMatchObject({ passed: true, checks: [{ id: "links" }], skipped: [{ id: "fail" }] });
      const skipped = await run({ checks: [FAIL] }, { scope });
      expect(skipped).toMatchObject({
        passed: true,
        checks: [],
        notes: [expect.stringContaining("no command was run")],
      });
    },
  },
  {
    number: 4,
    scenario: "VERIFY: done when the checker approves, without any change",
    holds: () => {
      const decision = decideAfterReview(NO_REVIEW_YET, review({ aether: "APPROVE" }), "verify");
      expect(decision.kind).toBe("proceed");
    },
  },
  {
    number: 5,
    scenario: "frontend_only: checks by id or folder",
    holds: async () => {
      const checks = [
        { id: "build", command: "true", cwd: "frontend" },
        { id: "backend-test", command: "false" },
      ];
      const report = await run({ checks }, { scope: "frontend_only", files: { "frontend/index.html": "" } });
      expect(report).toMatchObject({
        passed: true,
        checks: [{ id: "build" }],
        skipped: [{ id: "backend-test" }],
      });
    },
  },
  {
    number: 6,
    scenario: "stuck: no change and checks still fail, counted only when both hold",
    holds: () => {
      const failing = (treeHash: string) => seen(["test"], treeHash);
      const first = observeProgress(NO_PROGRESS_YET, failing("a"));
      const second = observeProgress(first.state, failing("a"));
      expect(second.decision.kind).toBe("continue");
      expect(observeProgress(second.state, failing("b")).decision.kind).toBe("continue");
      expect(observeProgress(second.state, seen([], "a")).decision.kind).toBe("continue");
      expect(observeProgress(second.state, failing("a")).decision.kind).toBe("blocked");
    },
  },
  {
    number: 7,
    scenario: "no Definition of Done: the gate is skipped and says so",
    holds: async () => {
      expect(await loadDefinitionOfDone(await createProject())).toBeNull();
      const completion = decideWaveCompletion({ boundary: "implementation+basic_checks", report: null });
      expect(completion).toMatchObject({
        kind: "allowed",
        note: expect.stringContaining("nothing was checked"),
      });
    },
  },
  {
    number: 8,
    scenario: "a cosmetic player finding is not routed",
    doesNotApply: "No process watches a feed of findings; work begins with a message of the user.",
  },
  {
    number: 9,
    scenario: "Checker approves, Skeptic rejects: one retry",
    holds: () => {
      const decision = decideAfterReview(NO_REVIEW_YET, review({ aether: "APPROVE", hades: "REJECT" }));
      expect(decision).toEqual({ kind: "fix-round", state: { fixRounds: 1 } });
    },
  },
  {
    number: 10,
    scenario: "an ad-hoc task is resolved and classified",
    doesNotApply:
      "Every request is ad hoc and GAIA classifies it in her own turn; there is no task file to resolve.",
  },
  {
    number: 11,
    scenario: "a typo in a command: the gate fails, nothing crashes, stderr is shown",
    holds: async () => {
      const report = await run({ checks: [{ id: "typo", command: "nmp test" }] });
      expect(report).toMatchObject({ passed: false, checks: [{ status: "missing", exit_code: 127 }] });
      expect(report.checks[0]?.output_tail).toContain("nmp");
    },
  },
  {
    number: 12,
    scenario: "the last verification is BLOCKED: stop, no retry",
    holds: () => {
      const decision = decideAfterReview(NO_REVIEW_YET, review({ artemis: "BLOCKED" }));
      expect(decision).toMatchObject({
        kind: "blocked",
        reason: "artemis: artemis said so",
        state: { fixRounds: 0 },
      });
    },
  },
  {
    number: 13,
    scenario: "backend_only: checks by id or folder",
    holds: async () => {
      const checks = [
        { id: "backend-test", command: "true" },
        { id: "frontend-test", command: "false" },
      ];
      const report = await run({ checks }, { scope: "backend_only" });
      expect(report).toMatchObject({ passed: true, checks: [{ id: "backend-test" }] });
    },
  },
  {
    number: 14,
    scenario: "no checks and gate all: artifacts alone decide",
    holds: async () => {
      const artifacts = [{ path: "README.md" }];
      expect((await run({ artifacts }, { files: { "README.md": "" } })).passed).toBe(true);
      expect((await run({ artifacts })).passed).toBe(false);
    },
  },
  {
    number: 15,
    scenario: "all artifacts optional: missing ones pass",
    holds: async () => {
      const report = await run({ artifacts: [{ path: "dist/**", optional: true }] });
      expect(report).toMatchObject({ passed: true, artifacts: [{ found: false }] });
    },
  },
  {
    number: 16,
    scenario: "Checker BLOCKED: stop with its reason",
    holds: () => {
      const decision = decideAfterReview(NO_REVIEW_YET, review({ aether: "BLOCKED", hades: "APPROVE" }));
      expect(decision).toMatchObject({ kind: "blocked", reason: "aether: aether said so" });
    },
  },
  {
    number: 17,
    scenario: "both reject: one retry, then stop",
    holds: () => {
      const both = review({ aether: "REJECT", hades: "REJECT" });
      const first = decideAfterReview(NO_REVIEW_YET, both);
      expect(first.kind).toBe("fix-round");
      expect(decideAfterReview(first.state, both).kind).toBe("blocked");
    },
  },
  {
    number: 18,
    scenario: "a reviewer gave no outcome: not reviewed, which SPEC 4 has in place of the seed's approval",
    holds: () => {
      expect(conclusionOf("aether", "completed", { ok: true })).toBeNull();
    },
  },
  {
    number: 19,
    scenario: "a malformed outcome: not reviewed, nothing crashes",
    holds: () => {
      expect(conclusionOf("hades", "completed", { outcome: { verdict: [17] } })).toBeNull();
    },
  },
  {
    number: 20,
    scenario: "BENCHMARK_MODE skips the gate",
    doesNotApply:
      "No environment variable switches the gate off; gate none in the user's config is the way to say so.",
  },
  {
    number: 21,
    scenario: "a task that brings its type skips the classifier",
    doesNotApply:
      "There is no classifier call to skip: GAIA's own turn classifies, and code takes the kind as it is given.",
  },
  {
    number: 22,
    scenario: "a finding id is carried into ledger and dashboard",
    doesNotApply: "There is no ledger of findings; the work unit under .gaia/ is the record.",
  },
  {
    number: 23,
    scenario: "gate any: one passing check and the required artifacts",
    holds: async () => {
      expect((await run({ checks: [FAIL, PASS], gate: "any" })).passed).toBe(true);
      expect((await run({ checks: [FAIL], gate: "any" })).passed).toBe(false);
      expect((await run({ checks: [PASS], gate: "any", artifacts: [{ path: "x" }] })).passed).toBe(false);
    },
  },
  {
    number: 24,
    scenario: "gate none: no check required, artifacts are",
    holds: async () => {
      const checks = [FAIL];
      expect(await run({ checks, gate: "none" })).toMatchObject({
        passed: true,
        checks: [{ status: "failed" }],
      });
      expect((await run({ checks, gate: "none", artifacts: [{ path: "x" }] })).passed).toBe(false);
      expect((await run({ gate: "none" })).passed).toBe(true);
    },
  },
  {
    number: 25,
    scenario: "a Rust project: its own commands, side by side",
    holds: async () => {
      const cargo = '#!/bin/sh\necho "$@"\n';
      const directory = await createProject({ cargo });
      await chmod(join(directory, "cargo"), 0o755);
      const checks = [
        { id: "fmt", command: "./cargo fmt --check" },
        { id: "test", command: "./cargo test" },
      ];
      const report = await runDefinition(directory, { checks });
      expect(report.checks.map(({ output_tail }) => output_tail)).toEqual(["fmt --check", "test"]);
      expect(report.passed).toBe(true);
    },
  },
  {
    number: 26,
    scenario: "a shell project: a script that fails is a check that fails",
    holds: async () => {
      const checks = [{ id: "script", command: "sh ./test.sh" }];
      const report = await run({ checks }, { files: { "test.sh": "echo '1 of 2 failed'; exit 1" } });
      expect(report).toMatchObject({
        passed: false,
        checks: [{ exit_code: 1, output_tail: "1 of 2 failed" }],
      });
    },
  },
  {
    number: 27,
    scenario: "planning that changed nothing does not stop the path",
    holds: () => {
      const observed = observeProgress(NO_PROGRESS_YET, seen([], "same"));
      const again = observeProgress(observed.state, seen(["test"], "same"));
      expect([observed.decision.kind, again.decision.kind]).toEqual(["continue", "continue"]);
    },
  },
  {
    number: 28,
    scenario: "checks pass at the first try: on to review, nothing to fix",
    holds: async () => {
      const report = await run({ checks: [PASS] });
      const { decision } = observeProgress(NO_PROGRESS_YET, seen(failingChecks(report), "a"));
      expect(decideAfterChecks(report, decision)).toEqual({ kind: "review" });
    },
  },
  {
    number: 29,
    scenario: "rejected, fixed once, checked and reviewed again: approved goes on, rejected ends",
    holds: async () => {
      const first = decideAfterReview(NO_REVIEW_YET, review({ hades: "REJECT" }));
      expect(first.kind).toBe("fix-round");
      expect(decideAfterChecks(await run({ checks: [PASS] }), { kind: "continue" }).kind).toBe("review");
      expect(decideAfterReview(first.state, review({ aether: "APPROVE", hades: "APPROVE" })).kind).toBe(
        "proceed",
      );
      expect(decideAfterReview(first.state, review({ aether: "APPROVE", hades: "REJECT" })).kind).toBe(
        "blocked",
      );
    },
  },
  {
    number: 30,
    scenario: "VERIFY and the checker says not met: not a success",
    holds: () => {
      const decision = decideAfterReview(NO_REVIEW_YET, review({ aether: "REJECT" }), "verify");
      expect(decision).toMatchObject({ kind: "blocked", reason: expect.stringContaining("aether said so") });
    },
  },
];

describe("the 30 edge cases of the Definition of Done", () => {
  it("are all here, each with behaviour or a reason", () => {
    expect(EDGE_CASES.map(({ number }) => number)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
    const reasons = EDGE_CASES.flatMap((row) => ("doesNotApply" in row ? [row.doesNotApply] : []));
    expect(reasons).toHaveLength(5);
    for (const reason of reasons) expect(reason).toMatch(/^[A-Z].*\.$/);
  });

  it.each(EDGE_CASES.filter((row) => "holds" in row))("$number: $scenario", async ({ holds }) => {
    expect.hasAssertions();
    await holds();
  });
});
