import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { win32 } from "node:path";
import { setTimeout as breathe } from "node:timers/promises";
import { within, type Clock, pause } from "../lib/async.ts";
import type { Writable } from "node:stream";

/** A command and everything it started: the leader's process group, and what left it but carries our marker. */
interface ProcessGroup {
  /** Process id of the leader, which is also the id of its group. */
  leader: number;
  /** Value in the environment of everything the command starts; finds daemons that made a session of their own. */
  marker: string;
  /** By the clock. */
  startedAt: number;
}

const MARKER = "GAIA_PROCESS";
const POLL_MS = 25;
/** How long a killed process may take to vanish; longer means that it hangs in the kernel. */
const KILL_WAIT_MS = 1_000;
/** The same for a whole tree on Windows. */
const TASKKILL_MS = 5_000;
/** Reading another process's environment can block in the kernel; this bounds it. */
const SCAN_MS = 2_000;
/** In so many milliseconds nothing starts enough processes for their numbers to come round. */
const YOUNG_MS = 5_000;
/** So often one is asked that is being loaded: longer than anybody waits for the answer. */
const LOADING_TRIES = (2 * SCAN_MS) / POLL_MS;
/** Where in what {@link statOf} gives: bytes of memory, and where the environment begins and ends in it. */
const [MEMORY, ENVIRONMENT, ENVIRONMENT_END] = [20, 47, 48] as const;
/** Time for the last output to arrive after the end; a program that holds the pipe open longer is not part of the answer. */
export const DRAIN_MS = 300;

export interface GroupStart {
  /** A string goes to the shell untouched; a list is started as it stands, without a shell. */
  readonly command: string | readonly [program: string, ...args: string[]];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  /** Whether it may be a script of npm's on Windows, which only a shell starts: no argument is quoted then. */
  readonly mayBeScript?: boolean;
  /** A program of the user's that starts nothing of the project, such as git: its group is all that there is of it. */
  readonly isPlain?: boolean;
}

/** Starts a program in a group of its own, which ends with this process, however that ends. @throws where it cannot be started at all */
export function startGroup(
  { command, cwd, env, clock, mayBeScript = false, isPlain = false }: GroupStart,
  stdio: NonNullable<SpawnOptions["stdio"]>,
) {
  const [marker, startedAt] = [randomUUID(), clock.now()];
  const options = {
    cwd,
    env: isPlain ? env : { ...env, ...markedBy(marker, env) },
    stdio,
    // A session of its own: one signal reaches the whole group, and /dev/tty cannot be opened to ask something.
    detached: process.platform !== "win32",
    windowsHide: true,
  };
  const [program, ...args] = typeof command === "string" ? [command] : command;
  const shell = typeof command === "string" || (mayBeScript && program.endsWith(".cmd"));
  const child = spawn(program, args, { ...options, shell });
  const { pid: leader } = child;
  const release = endWithUs(isPlain ? undefined : leader);
  let isClosed = false;
  const closed = new Promise<void>((resolve) => void child.once("close", () => resolve()));
  void closed.then(() => (isClosed = true));
  return {
    child,
    closed,
    /** Ends it with everything that it started, and takes its last output. Never rejects. */
    async end(graceMs: number): Promise<void> {
      if (leader !== undefined && !(isPlain && isClosed)) {
        await endProcessGroup({ leader, marker, startedAt }, graceMs, clock);
        await within(closed, DRAIN_MS, clock);
      }
      for (const stream of [child.stdout, child.stderr]) stream?.destroy();
      release();
    },
  };
}

/** The variable that carries a marker, behind those of whatever this process was started by. */
export function markedBy(marker: string, environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> {
  const outer = environment[MARKER];
  return { [MARKER]: outer ? `${outer}/${marker}` : marker };
}

/**
 * Ends a group: asks politely, then kills what is left after `graceMs`. Members that appear meanwhile are treated alike. What
 * outlives even that hangs in the kernel.
 */
async function endProcessGroup(group: ProcessGroup, graceMs: number, clock: Clock): Promise<void> {
  if (process.platform === "win32") return endOnWindows(group.leader, clock);
  const gone = await signalUntilGone(group, "SIGTERM", graceMs, clock);
  if (!gone) await signalUntilGone(group, "SIGKILL", KILL_WAIT_MS, clock);
}

/** @returns false when something was left at the end of the time */
async function signalUntilGone(
  group: ProcessGroup,
  signal: NodeJS.Signals,
  withinMs: number,
  clock: Clock,
): Promise<boolean> {
  const deadline = clock.now() + withinMs;
  const signalled = new Set<number>();
  for (;;) {
    const targets = await survivors(group, clock);
    if (targets.length === 0) return true;
    for (const target of targets) {
      // A second polite signal means "at once" to some programs, so each target gets one.
      if (!signalled.has(target)) send(target, signal);
      signalled.add(target);
    }
    if (clock.now() >= deadline) return false;
    await pause(POLL_MS, clock);
  }
}

/** Signal targets that are still there: single processes where the system can list them, else the group as a whole. */
async function survivors(group: ProcessGroup, clock: Clock): Promise<number[]> {
  if (process.platform !== "linux") return groupTarget(group);
  return (await within(listMembers(group, clock), SCAN_MS, clock)) ?? groupTarget(group);
}

function groupTarget({ leader }: ProcessGroup): number[] {
  return send(-leader, 0) ? [-leader] : [];
}

async function listMembers(group: ProcessGroup, clock: Clock): Promise<number[]> {
  const names = await readdir("/proc").catch((): string[] => []);
  // The number that was given last, which begins anew at its end.
  const newest = Number((await readProc("loadavg")).trim().split(" ").at(-1));
  const isYoung = newest > 0 && clock.now() - group.startedAt < YOUNG_MS;
  const isYounger = (pid: number): boolean => pid >= group.leader || (newest < group.leader && pid <= newest);
  const pids = names.map(Number).filter((pid) => pid > 0 && (!isYoung || isYounger(pid)));
  const members = await Promise.all(pids.map((pid) => isMember(pid, group)));
  return pids.filter((_, index) => members[index]);
}

async function isMember(pid: number, group: ProcessGroup): Promise<boolean> {
  const [state, , processGroup] = await statOf(pid);
  if (!state || state === "Z" || state === "X") return false;
  return Number(processGroup) === group.leader || (await carries(pid, group.marker));
}

/** Whether a process has that in its environment. One that becomes another program just now shows none, and is asked again. */
async function carries(pid: number, marker: string): Promise<boolean> {
  for (let tries = 0; tries < LOADING_TRIES; tries += 1) {
    const environment = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => null);
    if (environment !== "") return environment?.includes(marker) === true;
    const stat = await statOf(pid);
    const [memory, begin, end] = [MEMORY, ENVIRONMENT, ENVIRONMENT_END].map((at) => Number(stat[at] ?? 0));
    const hasNone = begin !== 0 && begin === end;
    if (memory === 0 || hasNone) return false;
    await breathe(POLL_MS);
  }
  return false;
}

/** `/proc/<pid>/stat` from the state on, its third field; empty as in {@link readProc}. */
async function statOf(pid: number): Promise<string[]> {
  const stat = await readProc(`${pid}/stat`);
  // The program's name stands in parentheses and may hold anything, so fields count from behind it.
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** Empty where the system does not tell, or the process is gone or someone else's: then it is not ours to end. */
async function readProc(file: string): Promise<string> {
  return readFile(`/proc/${file}`, "latin1").catch(() => "");
}

/** @returns false when there is nothing to signal (any more) */
function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/**
 * Ends a process with everything that it started, at once: Windows knows no polite way for programs without a window. By the
 * full path, for Windows looks for programs in the working folder first, which is the project's. Never rejects.
 */
export async function endOnWindows(
  leader: number,
  clock: Clock,
  root: string = process.env["SystemRoot"] || "C:\\Windows",
  start: (program: string, args: readonly string[], options: SpawnOptions) => ChildProcess = spawn,
): Promise<void> {
  const program = win32.join(root, "System32", "taskkill.exe");
  const ended = new Promise<void>((resolve) => {
    try {
      start(program, ["/pid", String(leader), "/T", "/F"], { stdio: "ignore", windowsHide: true })
        .once("error", () => resolve())
        .once("exit", () => resolve());
    } catch {
      resolve();
    }
  });
  await within(ended, TASKKILL_MS, clock);
}

/**
 * What outlives this process: a shell that knows its process groups by the lines that it reads, `+ leader` and `- leader`, and
 * ends those that are left when nobody writes any more. It asks politely first, and kills a second later.
 */
const SCRIPT = `
left=
while read -r sign leader; do
  case $sign in
  +) left="$left $leader" ;;
  -)
    kept=
    for each in $left; do [ "$each" = "$leader" ] || kept="$kept $each"; done
    left=$kept
    ;;
  esac
done
for each in $left; do kill -TERM "-$each"; done
[ -z "$left" ] || sleep 1
for each in $left; do kill -KILL "-$each"; done
`;

const watched = new Set<number>();
let lines: Writable | null = null;

/**
 * Has a process group ended if this process is gone before it: killed, or ended by a signal, when nothing of ours can run any
 * more. The group of a killed OpenCode would go on without any bound, beside the work of the next one. Costs a line in a pipe,
 * and a small shell with the first group; on Windows, which has neither, nothing happens. Never throws.
 * @param leader process id of the group's leader; nothing happens without one
 * @returns takes it back, when the group has ended
 */
export function endWithUs(leader: number | undefined): () => void {
  if (leader === undefined || process.platform === "win32") return () => undefined;
  watched.add(leader);
  if (lines === null) start();
  else lines.write(`+ ${leader}\n`);
  return () => {
    if (watched.delete(leader)) lines?.write(`- ${leader}\n`);
  };
}

function start(): void {
  try {
    const { PATH = "/usr/bin:/bin" } = process.env;
    // A session of its own: what ends this process from its terminal does not end the shell. It holds no folder.
    const child = spawn("/bin/sh", ["-c", SCRIPT], {
      cwd: "/",
      env: { PATH },
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    const { stdin } = child;
    lines = stdin;
    const lost = (): void => {
      if (lines === stdin) lines = null;
    };
    child.on("error", lost).on("exit", lost);
    stdin.on("error", lost);
    // Neither keeps this process alive.
    child.unref();
    if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
    for (const leader of watched) stdin.write(`+ ${leader}\n`);
  } catch {
    lines = null; // The next group tries again.
  }
}
