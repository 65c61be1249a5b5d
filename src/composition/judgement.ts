import { extname, join } from "node:path";
import { createWorkplaces, type OpenWorkplace } from "../conversation/worktrees/worktrees.ts";
import type { Examination } from "../policy/examination.ts";
import { type LazyContainment, loadContainment } from "../sandbox/load.ts";
import { containPrograms, type ContainedPrograms } from "../sandbox/programs.ts";
import { hostPlaces } from "../sandbox/host-places.ts";
import { type ExamineCall, loadPolicy } from "../policy/policy.ts";
import { ownFileTools, TOOL_NAMES } from "../tools/announced.ts";
import { deniesCommand } from "../config/user-denies.ts";
import { findHookFolders } from "../process/git.ts";
import { realOf } from "../lib/find-project.ts";
import { pathFoldersIn } from "../policy/path-folders.ts";
import type { Ground } from "../runtime.ts";

/** What judges calls, and what contains commands; each is loaded when it is first asked. */
export interface Judgement {
  readonly examine: ExamineCall;
  /** Of a command that runs in the project's folder. */
  examineCommand(this: void, command: string): Promise<Examination>;
  readonly containment: LazyContainment;
  readonly contained: ContainedPrograms;
  /** What contains commands, in whatever tree. */
  readonly limits: Omit<Parameters<typeof loadContainment>[0], "project">;
  readonly openWorkplace: OpenWorkplace;
  /** For the tree of a unit, whose top this is. */
  openTree(this: void, top: string): TreeJudgement;
}

/** What judges and contains the commands that the host runs in a unit's tree. */
interface TreeJudgement extends Pick<Judgement, "examineCommand" | "containment"> {
  readonly place: ReturnType<OpenWorkplace>["place"];
  dispose(this: void): void;
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
  const examine = loadPolicy({ directory: host.directory, project, ...policy });
  const openWorkplace = createWorkplaces({ host, policy, containment: limits });
  const workdir = project === host.directory ? null : project;
  return {
    examine,
    examineCommand: async (command) => examine("command", { kind: "command", command, workdir }),
    containment: loadContainment({ project: host.worktree, ...limits }),
    contained: containPrograms(sandbox, limits, runsFreely),
    limits,
    openWorkplace,
    openTree(top) {
      const workplace = openWorkplace(host.worktree, top);
      const { place } = workplace;
      const there = loadContainment({ project: top, ...limits });
      return {
        place,
        containment: there,
        examineCommand: async (command) =>
          workplace.examine("command", { kind: "command", command, workdir: place.project }),
        dispose() {
          workplace.dispose();
          there.dispose();
        },
      };
    },
  };
}
