import * as fc from "fast-check";
import { expect, it } from "vitest";
import {
  MODEL_CHARACTERS,
  modelView,
  renderLogMarkdown,
} from "../../../src/checks/definition-of-done/render.ts";
import { checkReport, report } from "./reports.ts";

it("renderLogMarkdown keeps output inside its block", () => {
  const check = checkReport({ status: "failed", output_tail: "```\n# not a heading\n````" });
  expect(renderLogMarkdown(report({ checks: [check] }))).toContain(
    "`````text\n```\n# not a heading\n````\n`````",
  );
});

it("modelView stays within its bound, whatever was printed", () => {
  const check = fc.record({
    id: fc.string({ maxLength: 200 }),
    output_tail: fc.string({ maxLength: 4_000 }),
  });
  fc.assert(
    fc.property(fc.array(check, { maxLength: 40 }), (checks) => {
      const all = checks.map((fields) => checkReport({ ...fields, status: "failed", exit_code: 1 }));
      const view = modelView(report({ passed: false, checks: all }));
      expect(JSON.stringify(view).length).toBeLessThanOrEqual(MODEL_CHARACTERS);
      expect(view).toMatchObject({ passed: false });
    }),
    { numRuns: 50 },
  );
});
