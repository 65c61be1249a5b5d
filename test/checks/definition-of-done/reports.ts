import type { CheckReport, DefinitionOfDoneReport } from "../../../src/checks/definition-of-done/report.ts";

export function checkReport(fields: Partial<CheckReport> = {}): CheckReport {
  return {
    id: "test",
    command: "npm test",
    status: "passed",
    exit_code: 0,
    duration_ms: 1_200,
    output_tail: "",
    ...fields,
  };
}

export function report(fields: Partial<DefinitionOfDoneReport> = {}): DefinitionOfDoneReport {
  return {
    passed: true,
    gate: "all",
    scope: "full",
    cancelled: false,
    checks: [],
    artifacts: [],
    skipped: [],
    notes: [],
    duration_ms: 1_500,
    ...fields,
  };
}
