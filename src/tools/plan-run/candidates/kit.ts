import type { findArtifacts } from "../../../checks/definition-of-done/artifacts.ts";
import type { askApproval } from "../../../conversation/approvals/ask-approval.ts";
import type { loadExitCodeJudge } from "../../../policy/load-exit-code.ts";
import type { isProtectedPath } from "../../../policy/protected-path.ts";
import type { isSensitivePath } from "../../../policy/sensitive-path.ts";
import type { alone } from "../../../project/lanes.ts";
import type { hasCommand } from "../../../workspace/documents/plan-problems.ts";
import type { give } from "../give.ts";
import type { isHeldUp } from "../halt.ts";
import type { landLanes } from "../land.ts";
import type { findLanes, openTaskLanes, worktreeOf } from "../lanes.ts";
import type { runHere, setUp } from "../run-here.ts";
import type { Run } from "../run.ts";
import type { brokenEnd, workOnTask } from "../send-back.ts";

/** What this module takes of the others: it ships compressed, in a file of its own that shares nothing with them. */
export interface Kit {
  readonly alone: typeof alone;
  readonly askApproval: typeof askApproval;
  readonly brokenEnd: typeof brokenEnd;
  readonly findArtifacts: typeof findArtifacts;
  readonly findLanes: typeof findLanes;
  readonly give: typeof give;
  readonly hasCommand: typeof hasCommand;
  readonly isHeldUp: typeof isHeldUp;
  readonly isProtectedPath: typeof isProtectedPath;
  readonly isSensitivePath: typeof isSensitivePath;
  readonly landLanes: typeof landLanes;
  readonly loadExitCodeJudge: typeof loadExitCodeJudge;
  readonly openTaskLanes: typeof openTaskLanes;
  readonly runHere: typeof runHere;
  readonly setUp: typeof setUp;
  readonly workOnTask: typeof workOnTask;
  readonly worktreeOf: typeof worktreeOf;
}

/** A run with what its candidates need. */
export interface ContestRun extends Run {
  readonly kit: Kit;
}
