import { policyContext } from "./examination.ts";
import { type CheckSession, createCheckSession } from "../../src/checks/check-session.ts";
import { createHostRuns, type HostRuns } from "../../src/checks/host-runs.ts";
import { createEvidenceLedger, type EvidenceLedger } from "../../src/checks/evidence/ledger.ts";
import type { AdoptedDefinition } from "../../src/checks/definition-of-done/load.ts";
import { type EvidenceParts, openEvidence } from "../../src/checks/evidence/open.ts";
import { type Clock, systemClock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { examineCommand } from "../../src/policy/examine-command.ts";
import type { Containment } from "../../src/sandbox/port.ts";
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
  }: {
    vcs?: Vcs;
    hasSandbox?: boolean;
    clock?: Clock;
    workspace?: Workspace;
    adopted?: AdoptedDefinition;
  } = {},
): EvidenceParts & { ledger: EvidenceLedger; timeOfDay: Clock; session: CheckSession; hostRuns: HostRuns } {
  const session = createCheckSession(vcs);
  const hostRuns = createHostRuns({ mode: hasSandbox ? "auto" : "off" }, async () => PRETENDED);
  const ledger = createEvidenceLedger(workspace, silentLogger);
  const evidence = openEvidence({
    directory,
    vcs,
    clock,
    timeOfDay: clock,
    redact: (text) => text,
    session,
    hostRuns,
    adopted,
    workspace,
    ledger,
    examine: async (command) => examineCommand(command, policyContext(directory)),
  });
  return { ...evidence, ledger, timeOfDay: clock, session, hostRuns };
}
