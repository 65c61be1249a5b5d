import { createLedger, type Ledger } from "../../src/checks/evidence/ledger.ts";
import type { EvidenceParts } from "../../src/checks/evidence/open.ts";
import { openEvidence } from "../../src/checks/evidence/open.ts";
import type { Clock } from "../../src/lib/clock.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { examineCommand } from "../../src/policy/examine-command.ts";
import { loadExitCodeJudge } from "../../src/policy/load-exit-code.ts";
import { projectFiles } from "../../src/policy/project-files.ts";
import type { Vcs } from "../../src/vcs/port.ts";
import { createNoVcs } from "../../src/vcs/none.ts";
import { createWorkspace, type Workspace } from "../../src/workspace/workspace.ts";

/** The evidence of a real folder, with the real policy; nothing runs contained. */
export function evidenceIn(
  directory: string,
  {
    vcs = createNoVcs(directory),
    clock = systemClock,
    workspace = createWorkspace({ directory, clock, logger: silentLogger }),
  }: { vcs?: Vcs; clock?: Clock; workspace?: Workspace } = {},
): EvidenceParts & { ledger: Ledger; timeOfDay: Clock } {
  const files = projectFiles((path) => (path.startsWith("/") ? path : `${directory}/${path}`));
  const ledger = createLedger(workspace, silentLogger);
  const evidence = openEvidence({
    directory,
    vcs,
    clock,
    timeOfDay: clock,
    redact: (text) => text,
    sandbox: { mode: "off", network: false, writable: [] },
    containment: async () => Promise.reject(new Error("nothing is contained here")),
    workspace,
    ledger,
    examine: async (command) => examineCommand(command, { folder: directory, project: directory, ...files }),
    judge: loadExitCodeJudge(directory),
  });
  return { ...evidence, ledger, timeOfDay: clock };
}
