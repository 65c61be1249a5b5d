import { readdir, readFile } from "node:fs/promises";

/**
 * Ends every process that has this home: plugins start daemons of their own, which outlive OpenCode and keep its output
 * open. Does nothing where there is no /proc.
 */
export async function endAllOf(home: string): Promise<void> {
  const ids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const id of ids) {
    const environment = await readFile(`/proc/${id}/environ`, "utf8").catch(() => "");
    if (environment.split("\0").includes(`HOME=${home}`)) endProcess(Number(id));
  }
}

function endProcess(id: number): void {
  try {
    process.kill(id, "SIGKILL");
  } catch {
    // It has ended in this very moment.
  }
}
