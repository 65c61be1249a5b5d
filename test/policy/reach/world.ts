import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { realPathOf } from "../../../src/policy/real-path.ts";
import { HOME } from "../../../src/policy/shell/scope.ts";

/** Where the project lies inside the world. */
export const PROJECT = "/mnt/w/project";
const BESIDE = "/mnt/w/outside";
/** Time for a batch in milliseconds, and for each command on top of it. */
const START = 10_000;
const EACH = 900;

/** What a command was seen to change. */
export interface Touched {
  readonly inside: boolean;
  readonly outside: boolean;
  /** It spoke, or wanted to speak, to more than the loopback, listened for more, or used a socket of someone else's. */
  readonly socket: boolean;
  /** It hurt a process of someone else's. */
  readonly victim: boolean;
  /** A process of its own outlived it. */
  readonly leaves: boolean;
}

/** A throwaway disk with a project, a folder beside it and a home, which commands may do anything to. */
export class World {
  readonly #folder = mkdtempSync(join(tmpdir(), "gaia-reach-"));

  constructor() {
    for (const path of ["template/project/src/deep", "template/outside/sub", "home", "now", "texts"])
      mkdirSync(join(this.#folder, path), { recursive: true });
    const files = [
      "project/a.txt",
      "project/src/b.txt",
      "project/src/deep/d.txt",
      "outside/c.txt",
      "outside/sub/e.txt",
    ];
    for (const path of files) writeFileSync(join(this.#folder, "template", path), "one\ntwo\n");
    writeFileSync(join(this.#folder, "home/h.txt"), "one\ntwo\n");
    symlinkSync("../outside", join(this.#folder, "template/project/link-out"));
    symlinkSync("src", join(this.#folder, "template/project/link-in"));
    symlinkSync("../outside/c.txt", join(this.#folder, "template/project/file-out"));
  }

  /** How the disk looks before a command runs, by paths in the world. */
  readonly disk = {
    realPath: (path: string): string => {
      const plain = path.startsWith("/") ? path : `${PROJECT}/${path}`;
      if (!plain.startsWith("/mnt/w")) return plain;
      return realPathOf(this.#here(plain)).replace(join(this.#folder, "template"), "/mnt/w");
    },
    isFolder: (path: string): boolean =>
      !/^\/(?!mnt\/w)/u.test(path) &&
      statSync(this.#here(path.startsWith("/") ? path : `${PROJECT}/${path}`), {
        throwIfNoEntry: false,
      })?.isDirectory() === true,
  };

  #here(path: string): string {
    return path.replace(/^\/mnt\/w/u, join(this.#folder, "template"));
  }

  /** Runs each command in a fresh copy of the disk, in bash, without network. */
  run(commands: readonly string[]): Touched[] {
    commands.forEach((text, index) => writeFileSync(join(this.#folder, "texts", `${index}`), text));
    writeFileSync(join(this.#folder, "driver"), driver(commands.length));
    writeFileSync(join(this.#folder, "witness.cjs"), WITNESS);
    const mounts = `--tmpfs /mnt --dir /mnt/w --bind ${this.#folder}/now /mnt/w --ro-bind ${this.#folder} /mnt/kit --bind ${this.#folder}/texts /mnt/log --tmpfs /run --dir /mnt/run --tmpfs ${HOME.replace(/\/[^/]*$/u, "")} --dir ${HOME}`;
    const inside = `--unshare-all --die-with-parent --new-session --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp ${mounts} --chdir /mnt/w`;
    const { stderr } = spawnSync("bwrap", [...inside.split(" "), "/bin/bash", "/mnt/kit/driver"], {
      env: { PATH: "/usr/bin:/bin", HOME, LC_ALL: "C", NODE: process.execPath },
      stdio: ["ignore", "ignore", "pipe"],
      timeout: START + commands.length * EACH,
      killSignal: "SIGKILL",
    });
    return commands.map((_, index) => {
      try {
        const [before, after] = readFileSync(join(this.#folder, "texts", `${index}.log`), "utf8")
          .trimEnd()
          .split("\n");
        const [left, right] = [before?.split(" ") ?? [], after?.split(" ") ?? []];
        return {
          inside: left[0] !== right[0],
          outside: left[1] !== right[1],
          socket: left[2] !== right[2],
          victim: right[3] !== "S",
          leaves: (right[4] ?? "") !== "",
        };
      } catch (cause) {
        throw new Error(`the commands could not be run: ${stderr.toString().slice(-500)}`, { cause });
      }
    });
  }

  remove(): void {
    spawnSync("chmod", ["-R", "u+rwX", this.#folder]);
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** A program of someone else's: what asks at its socket is noted. */
const WITNESS = `require("net")
  .createServer((socket) => (require("fs").appendFileSync("/mnt/run/asked", "x"), socket.destroy()))
  .listen("/mnt/run/daemon.sock");
`;

/** Makes the disk anew for each command, and notes before and after it what it could have touched. */
function driver(count: number): string {
  const list = (path: string) =>
    `find ${path} -printf '%P %y %s %m %l\\n' -type f -exec cat {} + 2>/dev/null | md5sum | cut -c1-32`;
  const sums = `$(${list(PROJECT)}) $( (${list(BESIDE)}; ${list(HOME)}; ls -A /mnt/w) | md5sum | cut -c1-32)`;
  return `
victim() { (exec -a victim /mnt/run/victim 1000) & victim=$!; export VICTIM=$victim; }
cp /bin/sleep /mnt/run/victim; victim
: > /mnt/run/asked; mkfifo /mnt/run/never
"$NODE" /mnt/kit/witness.cjs & witness=$!
until [ -S /mnt/run/daemon.sock ]; do sleep 0.02; done
read -r _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ usual _ < /proc/$victim/stat
# Where there is no route, the system counts what wanted one.
sockets() {
  local a b
  while read -r a b; do
    [[ $a == Ip6OutNoRoutes ]] && printf '%s-' $b
  done < /proc/net/snmp6
  while read -r a b; do
    [[ $a == Ip: && $b != F* ]] && { set -- $b; printf '%s-' \${12}; }
  done < /proc/net/snmp
  wc -c < /mnt/run/asked
}
listens() {
  local f local state
  exec 9<> /mnt/run/never
  while ! read -t 0.1 -u 9 f; do
    for f in tcp tcp6; do
      while read -r _ local _ state _; do
        [[ $state == 0A && $local != 0100007F:* && $local != *01000000:* ]] && echo x >> /mnt/run/asked
      done < /proc/net/$f
    done
  done
}
others() {
  local p id state
  for p in /proc/[0-9]*; do
    id=\${p#/proc/}
    case $id in 1|2|$$|$BASHPID|$victim|$witness) continue;; esac
    read -r _ _ state _ 2>/dev/null < $p/stat && [[ $state != Z ]] && echo $id
  done
}
for ((n = 0; n < ${count}; n++)); do
  cd /
  chmod -R u+rwX /mnt/w ${HOME} 2>/dev/null
  find /mnt/w ${HOME} -mindepth 1 -delete
  find /tmp -mindepth 1 -delete 2>/dev/null
  cp -a /mnt/kit/template/. /mnt/w/; cp -a /mnt/kit/home/. ${HOME}/
  cd ${PROJECT}
  echo "${sums} $(sockets) S" > /mnt/log/$n.log
  listens & listener=$!
  (ulimit -t 2; timeout 5 /bin/bash -c "$(cat /mnt/log/$n)" > /dev/null 2>&1 < /dev/null)
  kill -9 $listener 2> /dev/null; wait $listener 2> /dev/null
  # What ends by itself just now is not left behind.
  left=; [[ -z $(others) ]] || sleep 0.5
  for id in $(others); do read -r name < /proc/$id/comm && left+=$name- && kill -9 $id; done 2> /dev/null
  state=gone; read -r _ _ state _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ nice _ 2> /dev/null < /proc/$victim/stat
  [[ $nice == "$usual" ]] || state=nice
  [[ $state == S ]] || { kill -9 $victim; wait $victim; victim; } 2> /dev/null
  echo "${sums} $(sockets) $state $left" >> /mnt/log/$n.log
done
kill -9 $victim $witness
`;
}
