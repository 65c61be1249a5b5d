import { existsSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { createCheckSession } from "../checks/check-session.ts";
import type { AdoptedDefinition } from "../checks/definition-of-done/load.ts";
import { createEvidenceLedger, type EvidenceLedger } from "../checks/evidence/evidence.ts";
import { createPlanEvidence } from "../checks/evidence/plan-evidence.ts";
import { createRunner } from "../checks/evidence/runner.ts";
import { createHostRuns } from "../checks/host-runs.ts";
import { createVerifier } from "../checks/verifier.ts";
import { createWorkWatch } from "../work-tree/work-watch.ts";
import { createChecksPutBack } from "../work-tree/put-back.ts";
import { createWorkStore, type WorkStore } from "../work-tree/work-store.ts";
import type { WorkTree } from "../work-tree/work-tree.ts";
import { storeFolder, unitPlaceOf } from "../snapshot/lanes/unit-place.ts";
import { ownDataFolder } from "../lib/folders.ts";
import { systemClock, lazy } from "../lib/async.ts";
import { openVcs } from "../snapshot/vcs.ts";
import { createReviewerBriefs } from "../plan/review/brief.ts";
import type { Ground } from "../runtime.ts";
import type { Judgement } from "./judgement.ts";
import type { RecordParts } from "./record.ts";

/** The working trees in which work may stand. */
export interface TreeParts {
  readonly own: WorkTree;
  /** What is kept of whose changes are whose, in the project's own tree. */
  readonly workStore: WorkStore;
  treeOf(this: void, unit: string | null): WorkTree;
  dispose(this: void): void;
}

/** A tree, and what judges and contains the commands that the host runs in it. */
interface TreeAt extends Pick<WorkTree, "place" | "vcs">, Pick<Judgement, "examine" | "containment"> {}

export function composeTrees(ground: Ground, judgement: Judgement, record: RecordParts): TreeParts {
  const { host, loaded, vcs } = ground;
  const ledger = createEvidenceLedger(record.workspace, host.logger);
  const adopted: AdoptedDefinition = { definition: loaded.wanted.definitionOfDone };
  const { directory, project, worktree } = host;
  const compose = (at: TreeAt): ReturnType<typeof composeTree> =>
    composeTree(ground, record, at, ledger, adopted);
  const place = { directory, project, worktree, unit: null };
  const { workStore, ...own } = compose({ ...judgement, place, vcs });
  const store = lazy(() => storeFolder(realpathSync(worktree), process.env));
  const trees = new Map<string, WorkTree & { dispose(): void }>();
  const open = (unit: string, folder: string): WorkTree & { dispose(): void } => {
    const workplace = judgement.openWorkplace(worktree, folder);
    const at = { ...workplace.place, worktree: folder, unit };
    const tree = compose({ ...workplace, place: at, vcs: openVcs(folder, at.project) });
    return { ...tree, dispose: workplace.dispose };
  };
  return {
    own,
    workStore,
    treeOf(unit) {
      const at = unit === null ? null : unitPlaceOf(store(), unit);
      if (unit === null || at === null || !existsSync(at.note)) return own;
      const tree = trees.get(unit) ?? open(unit, at.folder);
      trees.set(unit, tree);
      return tree;
    },
    dispose() {
      for (const tree of trees.values()) tree.dispose();
    },
  };
}

function composeTree(
  { clock, host, loaded, sandbox, trust, redact, isSensitive }: Ground,
  { workspace, knowledge }: RecordParts,
  { place, vcs, examine, containment }: TreeAt,
  ledger: EvidenceLedger,
  adopted: AdoptedDefinition,
): WorkTree & { readonly workStore: WorkStore } {
  const { project: directory } = place;
  const workdir = directory === place.directory ? null : directory;
  const workStore = createWorkStore(join(ownDataFolder(process.env), "own-work"), directory, host.logger);
  const workWatch = createWorkWatch({ directory, vcs, clock, logger: host.logger, store: workStore });
  const hostRuns = createHostRuns(
    sandbox,
    containment,
    async (command) => examine("command", { kind: "command", command, workdir }),
    knowledge.doubt,
  );
  const runner = createRunner({
    directory,
    vcs,
    clock,
    timeOfDay: systemClock,
    redact,
    hostRuns,
    ledger,
    session: createCheckSession(vcs, createChecksPutBack({ workStore, workWatch, isSensitive })),
  });
  const { problems } = loaded;
  const planEvidence = createPlanEvidence(runner, workspace);
  return {
    workStore,
    workWatch,
    place,
    vcs,
    verifier: createVerifier(runner, { adopted, problems, untrusted: trust.untrusted }),
    planEvidence,
    commitHooks: hostRuns.hooks,
    reviewerBriefs: createReviewerBriefs({ vcs, isSensitive, redact }),
  };
}
