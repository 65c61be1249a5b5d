import { describe, expect, it } from "vitest";
import { claimsOf, judgeClaim } from "../../../src/checks/evidence/claims.ts";
import { renderEvidence } from "../../../src/checks/evidence/render.ts";
import { planTask } from "../../support/plan-task.ts";

const NOTHING_SEEN = { evidence: null, objection: null };
const looks = { number: 1, text: "the page looks good", done: false, shownBy: null };
const standing = (done: boolean, condition = looks) =>
  claimsOf([planTask({ number: 1, done: true }), planTask({ number: 2, done })], [condition]).map((claim) =>
    judgeClaim(claim, NOTHING_SEEN, "tree"),
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

describe("a condition of which a command shows a part", () => {
  const command = "npm test";
  const condition = {
    ...looks,
    text: "`npm test` passes and it looks good",
    shownBy: { command, isWhole: false },
  };
  const seen = { key: "", command, duration_ms: 1, tree: "tree", at: "", exit_code: 0 } as const;
  const judged = (done: boolean, status: "passed" | "failed") =>
    claimsOf([planTask({ number: 1, done })], [condition]).map((claim) =>
      judgeClaim(claim, { evidence: { ...seen, status }, objection: null }, "tree"),
    )[1];

  it("is no more than claimed where that passes, and refuted where it fails", () => {
    expect(judged(true, "passed")).toMatchObject({
      standing: "claimed",
      why: "`npm test` passes, which shows only a part of it",
    });
    expect(judged(false, "passed")?.standing).toBe("open");
    expect(judged(true, "failed")).toMatchObject({ standing: "claimed", isRefuted: true });
  });
});
