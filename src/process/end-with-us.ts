import { spawn } from "node:child_process";
import type { Writable } from "node:stream";

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
