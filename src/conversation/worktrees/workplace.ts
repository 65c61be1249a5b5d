import { join, relative } from "node:path";
import type { Host } from "../../host/port.ts";
import { loadContainment } from "../../sandbox/load.ts";
import { loadPolicy, type PolicySettings } from "../../policy/policy.ts";
import type { Workplace } from "./worktrees.ts";

export interface WorkplaceInput {
  readonly host: Pick<Host, "directory" | "project">;
  readonly policy: Omit<PolicySettings, "directory" | "project">;
  readonly containment: Omit<Parameters<typeof loadContainment>[0], "project">;
}

/** Makes workplaces: the same rules as for the project, about a worktree that stands for it. */
export function createWorkplaces({ host, policy, containment }: WorkplaceInput) {
  return (from: string, to: string): Workplace & { dispose(): void } => {
    const inThere = (path: string): string => join(to, relative(from, path));
    const place = { directory: inThere(host.directory), project: inThere(host.project) };
    // A path of hooks that is relative leads into each worktree.
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
      async containment() {
        const loaded = await contained();
        const state = await loaded.ready();
        if (state.kind === "unavailable") throw new Error(state.why);
        return loaded;
      },
      dispose: contained.dispose,
    };
  };
}

export type OpenWorkplace = ReturnType<typeof createWorkplaces>;
