import { containChecks } from "../checks/contain-checks.ts";
import { type EvidenceRoom, openEvidence } from "../checks/evidence/open.ts";
import { createVerifier, type Verifier } from "../checks/verifier.ts";
import { systemClock } from "../lib/clock.ts";
import { loadExitCodeJudge } from "../policy/load-exit-code.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Ground } from "../runtime.ts";
import type { Judgement } from "./judgement.ts";

/** By what work is proven. */
export interface ProofRoom extends Pick<EvidenceRoom, "planEvidence" | "prover"> {
  readonly verifier: Verifier;
}

export function composeProof(
  { host, clock, loaded, sandbox, trust, vcs, redact }: Ground,
  { containment, examineCommand }: Judgement,
  workspace: Workspace,
): ProofRoom {
  const shared = {
    directory: host.project,
    vcs,
    clock,
    timeOfDay: systemClock,
    redact,
    examine: examineCommand,
  };
  const evidence = openEvidence({
    ...shared,
    sandbox,
    containment,
    workspace,
    logger: host.logger,
    judge: loadExitCodeJudge(host.project),
  });
  const verifier = createVerifier({
    ...shared,
    ...evidence,
    configured: loaded.wanted.definitionOfDone,
    problems: loaded.problems,
    untrusted: trust.untrusted,
    ...(sandbox.mode === "on" ? { contain: containChecks(containment, sandbox) } : {}),
  });
  return { verifier, planEvidence: evidence.planEvidence, prover: evidence.prover };
}
