import { describe, expect, it } from "vitest";
import type { CheckGate } from "../../../src/config/definition-of-done.ts";
import { type CheckStatus, decidePassed } from "../../../src/checks/definition-of-done/report.ts";
import { checkReport } from "./reports.ts";
import { readCases } from "../../support/cases.ts";

const FOUND = { path: "a", optional: false, found: true };
const MISSING = { path: "b", optional: false, found: false };
const OPTIONAL = { path: "c", optional: true, found: false };

describe("decidePassed", () => {
  it.each<[CheckGate, CheckStatus[], boolean]>(
    readCases<[CheckGate, CheckStatus[], boolean]>("checks/definition-of-done/passed.gate-with-is"),
  )("gate %s with %j is %s", (gate, statuses, passed) => {
    const checks = statuses.map((status) => checkReport({ status }));
    expect(decidePassed({ gate, checks, artifacts: [FOUND, OPTIONAL], cancelled: false })).toBe(passed);
    expect(decidePassed({ gate, checks, artifacts: [FOUND, MISSING], cancelled: false })).toBe(false);
    expect(decidePassed({ gate, checks, artifacts: [FOUND], cancelled: true })).toBe(false);
  });
});
