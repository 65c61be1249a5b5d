import type { Logger } from "../../lib/logger.ts";
import type { Workspace } from "../../record/workspace.ts";
import { createEvidenceLedger, type EvidenceLedger } from "./ledger.ts";
import { createPins, type Pins } from "./pins.ts";
import { createPlanEvidence, type PlanEvidence } from "./plan-evidence.ts";
import { createProver, type Prover, type ProverInput } from "./prover.ts";

export interface EvidenceParts {
  readonly pins: Pins;
  readonly planEvidence: PlanEvidence;
  readonly prover: Prover;
}

export function openEvidence(
  input: Omit<ProverInput, "pins"> & { readonly workspace: Pick<Workspace, "readWorkUnit"> },
): EvidenceParts {
  const pins = createPins(input.ledger, input.directory);
  const prover = createProver({ ...input, pins });
  return { pins, prover, planEvidence: createPlanEvidence({ ...input, prover, pins }) };
}

/** For a single run that nothing is kept of, and that no work went before. */
export function evidenceOfOneRun(
  logger: Logger,
  directory: string,
): { readonly ledger: EvidenceLedger; readonly pins: Pins } {
  const nothing = {
    readEvidence: async () => ({ ok: true as const, value: null }),
    writeEvidence: async () => ({ ok: true as const, path: "" }),
  };
  const ledger = createEvidenceLedger(nothing, logger);
  return { ledger, pins: createPins(ledger, directory) };
}
