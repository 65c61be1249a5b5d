import type { Gate } from "../../config/definition-of-done.ts";
import type { ArtifactReport, CheckReport } from "./report.ts";

/** Everything that the answer depends on. */
export interface PassedInput {
  gate: Gate;
  checks: readonly CheckReport[];
  artifacts: readonly ArtifactReport[];
  cancelled: boolean;
}

/**
 * Whether the gate is satisfied (SPEC 11). Required artifacts count under every gate. No check at all satisfies
 * `any` as it does `all`: a gate that nothing could ever pass would wedge the project. A cancelled run proves nothing.
 */
export function decidePassed(input: PassedInput): boolean {
  if (input.cancelled) return false;
  if (input.artifacts.some((artifact) => !artifact.found && !artifact.optional)) return false;
  if (input.gate === "none" || input.checks.length === 0) return true;
  const passed = input.checks.filter((check) => check.status === "passed").length;
  return input.gate === "any" ? passed > 0 : passed === input.checks.length;
}
