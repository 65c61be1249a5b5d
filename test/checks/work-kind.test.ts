import { describe, expect, it } from "vitest";
import { kindOfChanges, rulesForWork, WORK_KINDS } from "../../src/checks/work-kind.ts";

describe("rulesForWork", () => {
  it.each([
    ["trivial", null, true, "verify"],
    ["review", null, true, "verify"],
    ["quick fix", "full", false, "change"],
    ["quick_fix", "full", false, "change"],
    ["Feature", "full", false, "change"],
    ["docs", "doc", false, "change"],
    ["verify", "full", true, "verify"],
    ["something else", "full", false, "change"],
    ["constructor", "full", false, "change"],
    ["", "full", false, "change"],
  ])("%s", (kind, gateScope, mayEndUnchanged, reviewed) => {
    expect(rulesForWork(kind)).toEqual({ gateScope, mayEndUnchanged, reviewed });
  });

  it.each([
    [[], "verify"],
    [["README.md"], "docs"],
    [["README.md", "src/a.ts"], "feature"],
  ])("takes changes of %j for %s", (files, kind) => {
    expect(kindOfChanges(files)).toBe(kind);
  });

  it("holds every kind that changes code to the whole definition", () => {
    const light = new Set(["trivial", "review", "docs"]);
    for (const kind of WORK_KINDS.filter((name) => !light.has(name))) {
      expect(rulesForWork(kind).gateScope).toBe("full");
    }
  });
});
