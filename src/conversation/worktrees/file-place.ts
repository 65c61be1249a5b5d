import { relative } from "node:path";
import type { Host } from "../../host/port.ts";
import type { FilePlace } from "../../host/tool.ts";
import type { Worktrees } from "./worktrees.ts";

/** Where a session's calls that name files are made: in the project, or in the worktree that stands for it. */
export function filePlaceOf(
  worktrees: Pick<Worktrees, "of">,
  host: Pick<Host, "directory" | "project" | "worktree">,
  { sessionId, agent }: Pick<FilePlace, "sessionId" | "agent">,
): FilePlace {
  const workplace = worktrees.of(sessionId);
  const { directory, project } = workplace?.place ?? host;
  const below = relative(host.worktree, host.project).replaceAll("\\", "/");
  return { directory, project, below, standsFor: workplace, sessionId, agent };
}
