import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isProcessAlive } from "../../lib/is-process-alive.ts";

/** What the containment keeps for itself while OpenCode runs. */
export interface PrivateFolder {
  /** Startup files and proofs; hidden from contained commands. */
  readonly calls: string;
  /** `/tmp` of contained commands. */
  readonly temp: string;
  readonly empty: string;
  /** Makes again what a cleaner of old files took away. */
  restore(): void;
  dispose(): void;
}

/** Makes it, and removes those of processes that are gone. @param own the plugin's folder of the user's data */
export function openPrivateFolder(own: string): PrivateFolder {
  const parent = join(own, "containment");
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  removeOld(parent);
  const calls = realpathSync(mkdtempSync(join(parent, `${process.pid}-`)));
  const temp = realpathSync(mkdtempSync(join(tmpdir(), "gaia-")));
  const empty = join(calls, "empty");
  const restore = (): void => {
    for (const folder of [calls, temp]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (existsSync(empty)) return;
    writeFileSync(empty, "");
    chmodSync(empty, 0o444);
  };
  restore();
  return {
    calls,
    temp,
    empty,
    restore,
    dispose() {
      for (const folder of [calls, temp]) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function removeOld(parent: string): void {
  for (const name of readdirSync(parent)) {
    const pid = Number(name.split("-")[0]);
    if (pid > 0 && !isProcessAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}
