import { findArtifacts } from "../../checks/definition-of-done/artifacts.ts";
import { askApproval } from "../../conversation/approvals/ask-approval.ts";
import { loadExitCodeJudge } from "../../policy/load-exit-code.ts";
import { isProtectedPath } from "../../policy/protected-path.ts";
import { isSensitivePath } from "../../policy/sensitive-path.ts";
import { alone } from "../../project/lanes.ts";
import { hasCommand } from "../../workspace/documents/plan-problems.ts";
import type { PlanTask } from "../../workspace/documents/plan-tasks.ts";
import type { Kit } from "./candidates/kit.ts";
import { give } from "./give.ts";
import { isHeldUp } from "./halt.ts";
import { landLanes } from "./land.ts";
import { findLanes, openTaskLanes, worktreeOf } from "./lanes.ts";
import { runHere, setUp } from "./run-here.ts";
import type { Run } from "./run.ts";
import { brokenEnd, workOnTask } from "./send-back.ts";
import type { Apart } from "./tasks.ts";

const kit: Kit = {
  alone,
  askApproval,
  brokenEnd,
  findArtifacts,
  findLanes,
  give,
  hasCommand,
  isHeldUp,
  isProtectedPath,
  isSensitivePath,
  landLanes,
  loadExitCodeJudge,
  openTaskLanes,
  runHere,
  setUp,
  workOnTask,
  worktreeOf,
};

/** Has a task tried by several; what that takes is loaded for plans that ask for it. @returns null where it has one candidate */
export async function openContest(
  run: Run,
  wave: string,
  task: PlanTask,
  mayLand: () => boolean,
): Promise<Apart | null> {
  const { contest } = await import("./candidates/contest.ts");
  return contest({ ...run, kit }, wave, task, mayLand);
}
