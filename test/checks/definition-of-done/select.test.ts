import { describe, expect, it } from "vitest";
import { selectChecks } from "../../../src/checks/definition-of-done/run.ts";
import { define } from "../definition.ts";

const { checks: CHECKS } = define({
  checks: [
    { id: "test", command: "t" },
    { id: "links", command: "l", scope: "doc" },
    { id: "frontend-build", command: "b" },
    { id: "vet", command: "v", cwd: "services/backend" },
  ],
});

describe("selectChecks", () => {
  it.each([
    [undefined, "full", ["test", "links", "frontend-build", "vet"]],
    ["full", "full", ["test", "links", "frontend-build", "vet"]],
    ["unknown", "full", ["test", "links", "frontend-build", "vet"]],
    ["doc", "doc", ["links"]],
    ["doc_only", "doc", ["links"]],
    ["Docs", "doc", ["links"]],
    ["frontend", "frontend", ["frontend-build"]],
    ["frontend_only", "frontend", ["frontend-build"]],
    ["backend-only", "backend", ["vet"]],
    ["made-up", "full", ["test", "links", "frontend-build", "vet"]],
  ])("scope %s is %s and runs %j", (requested, scope, ids) => {
    const selection = selectChecks(CHECKS, requested);
    expect(selection.scope).toBe(scope);
    expect(selection.selected.map(({ id }) => id)).toEqual(ids);
    expect(selection.skipped).toHaveLength(CHECKS.length - ids.length);
  });

  it("says so when a scope matches nothing", () => {
    expect(selectChecks(CHECKS, "made-up").notes).toEqual([expect.stringContaining("made-up")]);
    const withoutDoc = CHECKS.filter((check) => check.scope !== "doc");
    expect(selectChecks(withoutDoc, "doc")).toMatchObject({
      selected: [],
      notes: [expect.stringContaining("no command was run")],
    });
  });
});
