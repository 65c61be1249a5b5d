import { createOperationContext, type WorkspaceOptions } from "./operations/context.ts";
import { learningOperations } from "./operations/learnings.ts";
import { planOperations } from "./operations/plans.ts";
import { recordOperations } from "./operations/records.ts";
import { unitOperations } from "./operations/units.ts";
import { versionOperations } from "./operations/versions.ts";
import { waveOperations } from "./operations/waves.ts";
import { listDocuments } from "./recall/entries.ts";

export type { WorkspaceResult } from "./operations/context.ts";
export type { StandingPlan } from "./operations/plans.ts";
export {
  claimWave,
  dropWave,
  endWave,
  findWave,
  isSameWave,
  otherOpenWaves,
  type WaveChange,
  type WaveLedger,
} from "./operations/waves.ts";

/** The record of one project (SPEC 10). No method rejects. `slug` defaults to the active unit. Reading creates nothing. */
export type Workspace = ReturnType<typeof createWorkspace>;

/** Opens the record of a project; touches no file until a method is called. */
export function createWorkspace(options: WorkspaceOptions) {
  const context = createOperationContext(options);
  const { directory, files, method } = context;
  return {
    ...unitOperations(context),
    ...planOperations(context),
    ...waveOperations(context),
    ...recordOperations(context),
    ...learningOperations(context),
    ...versionOperations(context),
    onPlanChanged: context.onPlanChanged,
    documents: method(async () => ({ documents: await listDocuments(directory) })),
    /** A text of the record; `path` is below `.gaia`. */
    readDocument: method(async ({ path }: { path: string }) => ({
      text: (await files.read(path, "replaceable")) ?? "",
    })),
  };
}
