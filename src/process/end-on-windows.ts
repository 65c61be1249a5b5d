import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { win32 } from "node:path";

/** Of Windows, what a test stands in for. */
export interface WindowsSystem {
  readonly environment: Readonly<Record<string, string | undefined>>;
  spawn(program: string, args: readonly string[], options: SpawnOptions): ChildProcess;
}

const OWN: WindowsSystem = { environment: process.env, spawn };

/**
 * Ends a process with everything that it started, at once: Windows knows no polite way for programs without a window. By the
 * full path, for Windows looks for programs in the working folder first, which is the project's. Never rejects.
 * @param timeoutMs how long it may take
 */
export async function endOnWindows(
  leader: number,
  timeoutMs: number,
  { environment, spawn: start }: WindowsSystem = OWN,
): Promise<void> {
  const root = environment["SystemRoot"] || environment["windir"] || "C:\\Windows";
  const program = win32.join(root, "System32", "taskkill.exe");
  await new Promise<void>((resolve) => {
    try {
      start(program, ["/pid", String(leader), "/T", "/F"], {
        stdio: "ignore",
        windowsHide: true,
        timeout: timeoutMs,
      })
        .once("error", () => resolve())
        .once("exit", () => resolve());
    } catch {
      resolve();
    }
  });
}
