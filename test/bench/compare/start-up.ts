import { spawn } from "node:child_process";
import { openCodeBinary } from "../../../src/cli/demo/environment.ts";

/** How long one `opencode run` may take, in milliseconds. */
const LIMIT_MS = 120_000;

/** The wall time of one `opencode run`, in milliseconds. @throws when it fails or does not end in time */
export async function timeRun(
  directory: string,
  environment: NodeJS.ProcessEnv,
  agent: string,
): Promise<number> {
  const begin = performance.now();
  const child = spawn(openCodeBinary(), ["run", "--agent", agent, "Hello"], {
    cwd: directory,
    env: environment,
    stdio: "ignore",
    timeout: LIMIT_MS,
    killSignal: "SIGKILL",
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new Error(`opencode run --agent "${agent}" ended with ${code ?? "a signal"}`);
  return performance.now() - begin;
}
