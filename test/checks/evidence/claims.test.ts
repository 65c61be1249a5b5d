import { describe, expect, it } from "vitest";
import {
  claimsOf,
  judgeClaim,
  type Known,
  UNKNOWN,
  unproven,
  evidenceView,
  renderEvidence,
  withApprovals,
} from "../../../src/checks/evidence/claims.ts";
import type { Evidence } from "../../../src/checks/evidence/evidence.ts";
import { readCases } from "../../support/cases.ts";
import { planTask } from "../../support/plan-task.ts";

const looks = { number: 1, text: "the page looks good", done: false, command: null };
const standing = (done: boolean, condition = looks) =>
  claimsOf([planTask({ number: 1, done: true }), planTask({ number: 2, done })], [condition]).map((claim) =>
    judgeClaim(claim, UNKNOWN, "tree"),
  );

describe("a condition that no command shows", () => {
  it("is claimed by nobody as long as the work goes on, unless it is ticked", () => {
    expect(standing(false).at(-1)?.standing).toBe("open");
    expect(standing(false, { ...looks, done: true }).at(-1)?.standing).toBe("claimed");
  });

  it("is claimed with the work, and named in words", () => {
    const claims = standing(true);
    expect(claims.at(-1)?.standing).toBe("claimed");
    expect(renderEvidence(claims)).toContain(
      "condition 1 (the page looks good) claimed: no command shows it",
    );
  });
});

it("a reviewer's task that no command shows is proven by an approval, and by nothing else", () => {
  const tasks = [1, 2].map((number) =>
    planTask({ number, done: true, agent: number === 1 ? "hades" : "hephaestus" }),
  );
  const judged = (approver: string) =>
    withApprovals(
      claimsOf([...tasks, planTask({ number: 3, done: false, agent: "hades" })], []).map((claim) =>
        judgeClaim(claim, UNKNOWN, "tree"),
      ),
      new Set([approver]),
    ).map((claim) => claim.standing);
  expect(judged("hades")).toEqual(["proven", "claimed", "open"]);
  expect(judged("aether")).toEqual(["claimed", "claimed", "open"]);
});

describe("a task with a command", () => {
  const command = "npm test";
  const [claim] = claimsOf([planTask({ number: 1, done: true, verify: command, files: ["a.ts"] })], []);
  const seen = (more: Partial<Evidence> = {}): Evidence => {
    const of = { key: "", command, duration_ms: 1, tree: "tree", at: "", exit_code: 0 } as const;
    return { ...of, status: "passed", ...more };
  };
  const red: Known["before"] = { status: "failed" };
  const changed = (...names: string[]) => ({ command, names, how: `${names.join(", ")} was changed` });
  interface Written extends Pick<Partial<Known>, "before" | "objection"> {
    readonly evidence?: Partial<Evidence>;
    readonly changed?: readonly string[];
  }
  const judge = (known: Partial<Known>, tree: string | null = "tree") =>
    claim === undefined ? null : judgeClaim(claim, { ...UNKNOWN, ...known }, tree);

  it.each(readCases<[string, Written, string, RegExp]>("checks/evidence/claims.stand"))(
    "stands by what was measured: %s",
    (_name, { evidence, changed: names, ...known }, expected, why) => {
      const given = { evidence: evidence ? seen(evidence) : null, changed: names ? changed(...names) : null };
      expect(judge({ ...known, ...given })).toMatchObject({
        standing: expected,
        why: expect.stringMatching(why),
      });
    },
  );

  it("is stale where the files cannot be told apart", () => {
    expect(judge({ before: red, evidence: seen() }, null)?.standing).toBe("stale");
  });

  it("closes its wave when it is green, and is told as what it is", () => {
    const green = judge({ evidence: seen() });
    if (green === null) return;
    expect(unproven([green])).toEqual([]);
    expect(renderEvidence([green])).toMatch(/^0 proven, 1 passes, 0 claimed; task 1 passes: /);
    expect(evidenceView([green])).toMatchObject({
      proven: [],
      passes: [expect.stringContaining("task 1")],
      not_proven: [],
    });
  });
});
