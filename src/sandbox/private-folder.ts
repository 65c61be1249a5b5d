import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isProcessAlive } from "../lib/is-process-alive.ts";

/** What the containment keeps for itself while OpenCode runs. */
export type PrivateFolder = ReturnType<typeof openPrivateFolder>;

/**
 * Makes it, and removes those of processes that are gone.
 * @param own the plugin's folder of the user's data
 * @param filter of system calls; may be empty
 */
export function openPrivateFolder(own: string, filter: Uint8Array) {
  const parent = join(own, "containment");
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  removeOld(parent);
  const calls = realpathSync(mkdtempSync(join(parent, `${process.pid}-`)));
  const newTemp = (): string => realpathSync(mkdtempSync(join(tmpdir(), "gaia-")));
  const [temp, hostTemp] = [newTemp(), newTemp()];
  const folders = [calls, temp, hostTemp];
  const empty = join(calls, "empty");
  const filterFile = join(calls, "filter");
  const restore = (): void => {
    for (const folder of folders) mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(empty, "");
    // Another command may be about to read it.
    writeFileSync(`${filterFile}.new`, filter);
    renameSync(`${filterFile}.new`, filterFile);
  };
  restore();
  return {
    /** Startup files and proofs; hidden from contained commands. */
    calls,
    /** `/tmp` of contained commands. */
    temp,
    /** `/tmp` of what the host runs: what an agent leaves in its own proves nothing here. */
    hostTemp,
    empty,
    /** The filter of system calls. */
    filter: filterFile,
    /** Makes it anew, whatever became of it: before each command. */
    restore,
    dispose(): void {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function removeOld(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(name.split("-")[0]);
    if (pid > 0 && !isProcessAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}
