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
const EACH = 400;

/** What a command was seen to change. */
export interface Touched {
  readonly inside: boolean;
  readonly outside: boolean;
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
    const mounts = `--tmpfs /mnt --dir /mnt/w --bind ${this.#folder}/now /mnt/w --ro-bind ${this.#folder} /mnt/kit --bind ${this.#folder}/texts /mnt/log --tmpfs ${HOME.replace(/\/[^/]*$/u, "")} --dir ${HOME}`;
    const inside = `--unshare-all --die-with-parent --new-session --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp ${mounts} --chdir /mnt/w`;
    const { stderr } = spawnSync("bwrap", [...inside.split(" "), "/bin/bash", "/mnt/kit/driver"], {
      env: { PATH: "/usr/bin:/bin", HOME, LC_ALL: "C" },
      stdio: ["ignore", "ignore", "pipe"],
      timeout: START + commands.length * EACH,
      killSignal: "SIGKILL",
    });
    return commands.map((_, index) => {
      try {
        const [before, after] = readFileSync(join(this.#folder, "texts", `${index}.log`), "utf8")
          .trim()
          .split("\n");
        const [left, right] = [before?.split(" ") ?? [], after?.split(" ") ?? []];
        return { inside: left[0] !== right[0], outside: left[1] !== right[1] };
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

/** Makes the disk anew for each command, and notes sums of the project and of everything else before and after it. */
function driver(count: number): string {
  const list = (path: string) =>
    `find ${path} -printf '%P %y %s %m %l\\n' -type f -exec cat {} + 2>/dev/null | md5sum | cut -c1-32`;
  const sums = `echo "$(${list(PROJECT)}) $( (${list(BESIDE)}; ${list(HOME)}; ls -A /mnt/w) | md5sum | cut -c1-32)"`;
  return `for ((n = 0; n < ${count}; n++)); do
  cd /
  chmod -R u+rwX /mnt/w ${HOME} 2>/dev/null
  find /mnt/w ${HOME} -mindepth 1 -delete
  find /tmp -mindepth 1 -delete 2>/dev/null
  cp -a /mnt/kit/template/. /mnt/w/; cp -a /mnt/kit/home/. ${HOME}/
  cd ${PROJECT}
  ${sums} > /mnt/log/$n.log
  (ulimit -t 2; timeout 5 /bin/bash -c "$(cat /mnt/log/$n)" > /dev/null 2>&1 < /dev/null)
  ${sums} >> /mnt/log/$n.log
done
`;
}
