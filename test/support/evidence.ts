import { policyContext } from "./examination.ts";
import { createCheckSession } from "../../src/checks/check-session.ts";
import { createHostRuns } from "../../src/checks/host-runs.ts";
import { createEvidenceLedger } from "../../src/checks/evidence/evidence.ts";
import type { AdoptedDefinition } from "../../src/checks/definition-of-done/load.ts";
import { createPlanEvidence } from "../../src/checks/evidence/plan-evidence.ts";
import { createRunner } from "../../src/checks/evidence/runner.ts";
import { createVerifier } from "../../src/checks/verifier.ts";
import { type Clock, systemClock } from "../../src/lib/async.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { examineCommand } from "../../src/policy/examine-command.ts";
import type { Containment } from "../../src/sandbox/containment.ts";
import { type Vcs, createVcs } from "../../src/snapshot/vcs.ts";
import { createWorkspace, type Workspace } from "../../src/record/workspace.ts";

/** Runs commands as they are, and says that they are contained. */
const PRETENDED = {
  hostReady: async () => ({ kind: "ready" }),
  command: async (_profile: unknown, _folder: string, command: string) => ["sh", "-c", command],
} as unknown as Containment;

/** The evidence of a real folder, with the real policy; the sandbox is pretended. */
export function evidenceIn(
  directory: string,
  {
    vcs = createVcs("none", directory),
    hasSandbox = true,
    clock = systemClock,
    workspace = createWorkspace({ directory, clock, logger: silentLogger }),
    adopted = { definition: undefined },
    redact = (text) => text,
  }: {
    vcs?: Vcs;
    hasSandbox?: boolean;
    clock?: Clock;
    workspace?: Workspace;
    adopted?: AdoptedDefinition;
    redact?: (text: string) => string;
  } = {},
) {
  const runner = createRunner({
    directory,
    vcs,
    clock,
    timeOfDay: clock,
    redact,
    ledger: createEvidenceLedger(workspace, silentLogger),
    session: createCheckSession(vcs),
    hostRuns: createHostRuns(
      { mode: hasSandbox ? "auto" : "off" },
      async () => PRETENDED,
      async (command) => examineCommand(command, policyContext(directory)),
    ),
  });
  return {
    runner,
    planEvidence: createPlanEvidence(runner, workspace),
    verifier: createVerifier(runner, { adopted, problems: [], untrusted: async () => [] }),
  };
}
