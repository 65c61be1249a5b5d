import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FURTHER_PROGRAMS, PAYLOAD, PROGRAMS } from "./script.ts";

/** True where scripts run in a namespace without network in which only the folder of the run can be written. */
export const hasBubblewrap = spawnSync("bwrap", ["--ro-bind", "/", "/", "/bin/true"]).status === 0;
/** Zsh's restrictions are few, so it runs only inside such a namespace. */
export const hasZsh = hasBubblewrap && existsSync("/usr/bin/zsh");

/** What a script is said to have done that left a file behind. */
export const WROTE = "(wrote a file)";

/** Where there is no namespace the shells themselves are restricted. */
const RESTRICTED = hasBubblewrap ? "" : " -r";
/** Time for a batch in milliseconds, and for each script on top of it; one that waits for ever uses all of it. */
const START = 4_000;
const EACH = 10;
/** Files that patterns come to stand for. */
const FILES = ["a", PAYLOAD];

/** Programs that write down that they were started, then become the real one if there is one. */
const LOGGED: Readonly<Record<string, string>> = {
  [PAYLOAD]: "",
  bash: `exec /bin/bash${RESTRICTED} "$@"`,
};

/**
 * Runs scripts in a shell that finds no programs but a few that only read, one that starts what it is given, and the
 * payload. All of them run in subshells of one shell, which is far quicker than a shell for each.
 * @returns the payload, the shells and `WROTE`, as far as each script caused them
 */
export function run(scripts: readonly string[], shell: "bash" | "zsh"): string[][] {
  const caused: string[][] = scripts.map(() => []);
  for (let start = 0; start < scripts.length;) start = runFrom(start, scripts, shell, caused);
  return caused;
}

/** Runs scripts from one on; returns where to go on after one that never ended. */
function runFrom(
  start: number,
  scripts: readonly string[],
  shell: "bash" | "zsh",
  caused: readonly string[][],
): number {
  const folder = mkdtempSync(join(tmpdir(), "gaia-fuzz-"));
  try {
    const [bin, work, texts, log] = ["bin", "work", "texts", "log"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    for (const path of [bin, work, texts]) mkdirSync(path);
    for (const name of [...PROGRAMS, ...(hasBubblewrap ? FURTHER_PROGRAMS : [])]) place(name, bin, log);
    for (const name of FILES) writeFileSync(join(work, name), "a b\n");
    for (let index = start; index < scripts.length; index++)
      writeFileSync(join(texts, `${index}.txt`), scripts[index] ?? "");
    writeFileSync(join(folder, "driver"), driver({ shell, start, end: scripts.length, log, texts }));
    const program = [...(shell === "bash" ? ["/bin/bash"] : ["/usr/bin/zsh", "-f"]), join(folder, "driver")];
    const inside =
      `--unshare-all --die-with-parent --new-session --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --bind ${folder} ${folder} --chdir ${work}`.split(
        " ",
      );
    const [command = "", ...args] = hasBubblewrap ? ["/usr/bin/bwrap", ...inside, ...program] : program;
    const { status } = spawnSync(command, args, {
      cwd: work,
      // HOME is the folder, so that a tilde leads nowhere.
      env: { PATH: bin, HOME: work, TMPDIR: work, LC_ALL: "C" },
      stdio: "ignore",
      timeout: START + (scripts.length - start) * EACH,
      killSignal: "SIGKILL",
    });
    const last = existsSync(log) ? note(readFileSync(log, "utf8"), caused) : undefined;
    if (last === undefined) throw new Error("the scripts could not be run");
    return status === 0 ? scripts.length : last + 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function place(name: string, bin: string, log: string): void {
  const path = join(bin, name);
  const after = LOGGED[name];
  if (after === undefined) return symlinkSync(`/usr/bin/${name}`, path);
  writeFileSync(path, `#!/bin/sh\necho "\${FUZZED:-} ${name}" >> ${log}\n${after}\n`);
  chmodSync(path, 0o755);
}

/** The shell that starts the others: what it calls is built in, and a script can change nothing in it. */
function driver({
  shell,
  start,
  end,
  log,
  texts,
}: {
  readonly shell: "bash" | "zsh";
  readonly start: number;
  readonly end: number;
  readonly log: string;
  readonly texts: string;
}): string {
  const restrict = hasBubblewrap ? ":" : "set -r";
  // The scripts lie in a folder of the path, because a restricted shell reads none by a name with a slash.
  const found = shell === "bash" ? "shopt -s nullglob dotglob; " : "setopt nullglob globdots; ";
  return `for ((FUZZED = ${start}; FUZZED < ${end}; FUZZED++)); do
  echo "$FUZZED #" >> ${log}
  (export FUZZED; ulimit -t 1; PATH=$PATH:${texts}; ${restrict}; source $FUZZED.txt)
  (${found}files=(*); [[ \${#files[@]} == ${FILES.length} ]]) && continue
  echo "$FUZZED ${WROTE}" >> ${log}
  (${found}for file in *; do case $file in (${FILES.join("|")}) ;; (*) /bin/rm -rf ./"$file" ;; esac; done)
done
/bin/sleep 0.1
`;
}

/** Notes what was caused, whenever it was: a process of a substitution may outlive its script. Returns the last script. */
function note(log: string, caused: readonly string[][]): number | undefined {
  let current: number | undefined;
  for (const [, number, what = ""] of log.matchAll(/^(\d*) (.+)$/gmu)) {
    if (what === "#") current = Number(number);
    else caused[number === "" ? (current ?? 0) : Number(number)]?.push(what);
  }
  return current;
}
