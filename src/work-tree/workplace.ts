import { join, relative } from "node:path";
import type { Host } from "../host/port.ts";
import { type ExamineCall, loadPolicy, type PolicySettings } from "../policy/policy.ts";
import { type LazyContainment, loadContainment } from "../sandbox/load.ts";

/** A worktree that replaces the project for a specialist, with the policy and the sandbox for its calls. */
export interface Workplace {
  /** The tops of the user's own tree and of the worktree. */
  readonly from: string;
  readonly to: string;
  /** The folder of its calls, and the project in it. */
  readonly place: Pick<Host, "directory" | "project">;
  /** The policy with the worktree as the project: the user's tree is outside. */
  readonly examine: ExamineCall;
  readonly containment: LazyContainment;
  dispose(): void;
}

interface WorkplaceInput {
  readonly host: Pick<Host, "directory" | "project">;
  readonly policy: Omit<PolicySettings, "directory" | "project">;
  readonly containment: Omit<Parameters<typeof loadContainment>[0], "project">;
}

/** Makes workplaces: the rules of the project, applied to a worktree. */
export function createWorkplaces({ host, policy, containment }: WorkplaceInput) {
  return (from: string, to: string): Workplace => {
    const inThere = (path: string): string => join(to, relative(from, path));
    const place = { directory: inThere(host.directory), project: inThere(host.project) };
    // A relative path of hooks leads into each worktree.
    const runFolders = async (): Promise<readonly string[]> => {
      const known = (await policy.runFolders?.()) ?? [];
      return [...known, ...known.map(inThere)];
    };
    const contained = loadContainment({ ...containment, project: to });
    return {
      from,
      to,
      place,
      examine: loadPolicy({ ...policy, ...place, runFolders }),
      containment: contained,
      dispose: contained.dispose,
    };
  };
}

export type OpenWorkplace = ReturnType<typeof createWorkplaces>;
