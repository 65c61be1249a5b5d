import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROGRAMS } from "./script.ts";

/** Stand-ins that hand on to the real program, because what that starts counts as well. */
const REAL: Readonly<Record<string, string>> = {
  bash: "/bin/bash -r",
  xargs: "/usr/bin/xargs",
  env: "/usr/bin/env",
};

/** True where scripts run in a namespace without network in which only the folder of the run can be written. */
export const hasBubblewrap = spawnSync("bwrap", ["--ro-bind", "/", "/", "/bin/true"]).status === 0;
/** Zsh is no restricted shell, so it runs only inside such a namespace. */
export const hasZsh = hasBubblewrap && existsSync("/usr/bin/zsh");

/**
 * Runs scripts in a restricted shell that finds nothing but stand-ins, each of which writes down its name; two seconds
 * for each.
 * @returns the names of the programs that each script started
 */
export function run(scripts: readonly string[], shell: "bash" | "zsh"): string[][] {
  const folder = mkdtempSync(join(tmpdir(), "gaia-fuzz-"));
  try {
    const [bin, work, log] = [join(folder, "bin"), join(folder, "work"), join(folder, "log")];
    for (const path of [bin, work]) mkdirSync(path);
    for (const name of PROGRAMS) {
      const real = REAL[name];
      const after = real === undefined ? "" : `exec ${real} "$@"\n`;
      writeFileSync(join(bin, name), `#!/bin/bash\nprintf '%s\\n' ${name} >> ${log}\n${after}`);
      chmodSync(join(bin, name), 0o755);
    }
    for (const [index, script] of scripts.entries()) writeFileSync(join(work, `${index}.txt`), script);
    const program = shell === "bash" ? "/bin/bash -r" : "/usr/bin/zsh -f -r";
    const driver = `for ((i = 0; i < ${scripts.length}; i++)); do printf '# %s\\n' $i >> ${log}
      /usr/bin/timeout -s KILL 2 ${program} $i.txt; done`;
    const inside = [
      "--unshare-all --die-with-parent --new-session --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp",
      `--bind ${folder} ${folder} --chdir ${work} /bin/bash -c`,
    ].flatMap((words) => words.split(" "));
    const [name = "", ...args] = hasBubblewrap ? ["bwrap", ...inside, driver] : ["/bin/bash", "-c", driver];
    // HOME is the folder, so that a tilde leads nowhere.
    const env = { PATH: bin, HOME: work, TMPDIR: work, LC_ALL: "C" };
    const path = hasBubblewrap ? "/usr/bin/bwrap" : name;
    const { status } = spawnSync(path, args, {
      cwd: work,
      env,
      stdio: "ignore",
      timeout: scripts.length * 2_500,
    });
    if (status === null || !existsSync(log)) throw new Error("the scripts could not be run");
    return startedIn(readFileSync(log, "utf8"), scripts.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function startedIn(log: string, count: number): string[][] {
  const started: string[][] = Array.from({ length: count }, () => []);
  let current: string[] | undefined;
  for (const line of log.split("\n")) {
    if (line.startsWith("# ")) current = started[Number(line.slice(2))];
    else if (line !== "") current?.push(line);
  }
  return started;
}
