import { extname, join } from "node:path";
import { createWorkplaces, type OpenWorkplace } from "../work-tree/workplace.ts";
import {
  type ContainedPrograms,
  containPrograms,
  type LazyContainment,
  loadContainment,
} from "../sandbox/load.ts";
import { hostPlaces } from "../sandbox/project-places.ts";
import { type ExamineCall, loadPolicy } from "../policy/policy.ts";
import { ownFileTools, TOOL_NAMES } from "../tools/announced.ts";
import { deniesCommand } from "../config/user-denies.ts";
import { findHookFolders } from "../process/git.ts";
import { realOf } from "../lib/folders.ts";
import { pathFoldersIn } from "../policy/real-path.ts";
import type { Ground } from "../runtime.ts";

/** What judges calls, and what contains commands; each is loaded when it is first asked. */
export interface Judgement {
  readonly examine: ExamineCall;
  readonly containment: LazyContainment;
  readonly contained: ContainedPrograms;
  /** What contains commands, in whatever tree. */
  readonly limits: Omit<Parameters<typeof loadContainment>[0], "project">;
  readonly openWorkplace: OpenWorkplace;
}

/** @param runsFreely hears of programs that are about to be started without anything that ends them */
export function composeJudgement(
  { host, clock, config, sandbox, registered }: Ground,
  runsFreely: () => void,
): Judgement {
  const { project } = host;
  const policy = {
    own: [...TOOL_NAMES, ...ownFileTools(config)],
    server: () => host.address(),
    runFolders: async () => [
      ...(await findHookFolders(host)),
      ...pathFoldersIn(process.env, [realOf(host.worktree)]),
    ],
    shell: () => host.shell(),
    async formatters(path: string): Promise<readonly string[]> {
      const all = await host.formatters();
      if (all === null) return ["of an unknown name"];
      return all.flatMap(({ name, endings }) => (endings.includes(extname(path)) ? name : []));
    },
    languageServers: () => host.hasLanguageServers(),
    isDenied: (command: string) => deniesCommand(registered().denied, command),
    ...config.policy,
  };
  const limits = {
    environment: process.env,
    clock,
    shell: () => host.shell(),
    writable: sandbox.writable,
    allowSensitive: config.policy.allowSensitive,
    denied() {
      // In a worktree of the plugin's, the same place of the user's own tree is closed as well.
      const both = (paths: readonly string[]): string[] =>
        paths.flatMap((path) => (/^[/~]/u.test(path) ? path : [path, join(host.worktree, path)]));
      const { read, edit } = registered().denied;
      return { read: both(read), edit: both([...edit, ...hostPlaces(process.env, host)]) };
    },
  };
  return {
    examine: loadPolicy({ directory: host.directory, project, ...policy }),
    containment: loadContainment({ project: host.worktree, ...limits }),
    contained: containPrograms(sandbox, limits, runsFreely),
    limits,
    openWorkplace: createWorkplaces({ host, policy, containment: limits }),
  };
}
