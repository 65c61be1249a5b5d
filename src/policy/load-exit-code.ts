import { isAbsolute, join } from "node:path";
import type { CommandProof } from "./exit-code/proof.ts";
import { projectFiles } from "./project-files.ts";

/** Tells what a command's exit code can prove, as the project's scripts are now. @param cwd from the project's root */
export type JudgeCommand = (command: string, cwd?: string) => Promise<CommandProof>;

/** The judge for one project, loaded with the policy at its first use. */
export function loadExitCodeJudge(directory: string): JudgeCommand {
  const files = projectFiles((path) => (isAbsolute(path) ? path : join(directory, path)));
  return async (command, cwd = ".") => {
    const { judgeExitCode } = await import("./judges.ts");
    return judgeExitCode(command, join(directory, cwd), { ...files, project: directory });
  };
}
