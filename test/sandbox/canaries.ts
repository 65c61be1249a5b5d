import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ContainmentProfile, isWithin } from "../../src/sandbox/profile.ts";
import { answering } from "./escapes.ts";
import { openWorld, type World } from "./world.ts";

/** Texts that no output may hold. */
const SECRETS = [
  "KEY-OF-THE-USER",
  "TOKEN-OF-THE-USER",
  "TOKEN-OF-THE-ENVIRONMENT",
  "hunter2-hunter2",
  "SECRET-OF-A-PROCESS",
];
/** What no command may change in the project. */
const PROTECTED = [
  ".git",
  ".gaia",
  ".env",
  "opencode.json",
  ".husky",
  "lefthook.yml",
  "nested/.git",
  "remote.git",
];
/** What is not made anew for each line, since it holds something of that. */
const KEPT = PROTECTED.map((path) => path.split("/")[0] ?? "");
/** How long one line may take, in seconds, and a batch of them on top of that, in milliseconds. */
const LINE_S = 1.5;
const BATCH_MS = 20_000;

/** What a line of the corpus was seen to do beyond its profile; empty for nothing. */
export interface Effects {
  readonly harms: readonly string[];
  /** How many of the lines were started. */
  readonly started: number;
}

/** A throwaway disk, servers and a process, none of which a contained command may touch. */
export class Canaries {
  readonly world: World;
  readonly #servers: Server[] = [];
  readonly #victim = spawn("sleep", ["100000"], {
    env: { HIDDEN: "SECRET-OF-A-PROCESS", PATH: process.env["PATH"] },
    stdio: "ignore",
  });
  readonly #shared = join(tmpdir(), `gaia-canary-${process.pid}-${Math.random()}`);
  readonly #lines: string;
  #reached = 0;
  #before: ReadonlyMap<string, string> = new Map();

  /** @param template the root of one as it was made, which this one is to be a copy of */
  constructor(template?: string) {
    this.world = openWorld({ hides: (path) => path.startsWith(this.world.root) });
    this.#lines = join(this.world.root, "lines");
    if (template === undefined) prepare(this.world);
    else copy(template, this.world.root);
    writeFileSync(this.#shared, "as it was\n");
  }

  async start(): Promise<this> {
    const { environment, home } = this.world;
    const servers = [await answering(0), await answering(join(home, "daemon.sock"))];
    for (const server of servers) server.on("connection", () => (this.#reached += 1));
    this.#servers.push(...servers);
    const address = servers[0]?.address();
    Object.assign(environment, {
      PORT: typeof address === "object" ? String(address?.port) : "",
      SOCKET: join(home, "daemon.sock"),
      VICTIM: String(this.#victim.pid),
      LINES: this.#lines,
      TEMPLATE: join(this.world.root, "template"),
    });
    await this.world.containment.ready();
    this.#before = this.#look();
    return this;
  }

  /**
   * Runs lines one after the other in one sandbox, and says what they did beyond the profile.
   * @param isContained whether there is a sandbox at all
   */
  async run(lines: readonly string[], profile: ContainmentProfile, isContained = true): Promise<Effects> {
    rmSync(this.#lines, { recursive: true, force: true });
    mkdirSync(this.#lines);
    for (const [index, line] of lines.entries()) writeFileSync(join(this.#lines, String(index)), line);
    const text = driver(lines.length, profile.project === "write");
    const output = await this.#batch(text, isContained ? profile : null, lines.length);
    const started = output.split("\n\u0001\u0001").length - 1;
    rmSync(this.#lines, { recursive: true });
    return { harms: [...this.#harms(profile), ...shown(output)], started };
  }

  async #batch(command: string, profile: ContainmentProfile | null, count: number): Promise<string> {
    const { containment, environment, project: cwd } = this.world;
    const call = { callId: "batch", folder: cwd };
    const variables = profile === null ? {} : await containment.wrap({ ...call, profile });
    const env = { ...environment, ...variables };
    const child = spawn("/bin/bash", ["-c", command], {
      cwd,
      env,
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), BATCH_MS + count * LINE_S * 1000);
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    await once(child, "close");
    clearTimeout(timer);
    const isProven = containment.finish("batch")?.isProven === true;
    if (profile !== null && !isProven) throw new Error("the batch did not run in the sandbox");
    return Buffer.concat(chunks).toString("utf8");
  }

  #harms({ project: access }: ContainmentProfile): string[] {
    const now = this.#look();
    const paths = new Set([...this.#before.keys(), ...now.keys()]);
    const changed = [...paths].filter((path) => this.#before.get(path) !== now.get(path));
    const { project } = this.world;
    const isProtected = (path: string): boolean =>
      PROTECTED.some((name) => isWithin(path, join(project, name)));
    const mayChange = (path: string): boolean =>
      access === "write" && path !== project && isWithin(path, project) && !isProtected(path);
    const state = readFileSync(`/proc/${this.#victim.pid}/stat`, "utf8").split(" ")[2];
    return [
      ...changed.filter((path) => !mayChange(path)).map((path) => `changed ${path}`),
      ...GUARDS.filter((name) => now.has(join(project, name))).map((name) => `made ${name}`),
      ...(this.#reached > 0 ? ["reached a server"] : []),
      ...(state === "S" ? [] : [`the process of the user is in state ${state}`]),
    ];
  }

  /** Everything on the disk but what the containment keeps for itself. */
  #look(): Map<string, string> {
    const found = new Map<string, string>([[this.#shared, describe(this.#shared)]]);
    const own = new Set([".local/share/opencode-gaia", ".cache"].map((name) => join(this.world.home, name)));
    const walk = (folder: string): void => {
      for (const name of readdirSync(folder)) {
        const path = join(folder, name);
        if (own.has(path)) continue;
        found.set(path, describe(path));
        if (lstatSync(path).isDirectory()) walk(path);
      }
    };
    walk(this.world.root);
    return found;
  }

  close(): void {
    this.#victim.kill("SIGKILL");
    for (const server of this.#servers) server.close();
    spawnSync("chmod", ["-R", "u+rwX", this.world.root]);
    this.world.close();
    rmSync(this.#shared, { force: true });
  }
}

/** Guards that the project does not have: none may be there once a call is over. */
const GUARDS = [".opencode", "tui.json", "agency.json", ".jj", "HEAD", ".githooks", ".gaia/config.json"];

function shown(output: string): string[] {
  return SECRETS.filter((secret) => output.includes(secret)).map((secret) => `shows ${secret}`);
}

function describe(path: string): string {
  const { mode, size } = lstatSync(path);
  const kind = (mode & 0o170000).toString(8);
  if (kind === "120000") return `link to ${readlinkSync(path)}`;
  if (kind !== "100000") return (mode & 0o7777).toString(8) + kind;
  const content = createHash("sha1").update(readFileSync(path)).digest("hex");
  return `${mode.toString(8)} ${size} ${content}`;
}

/** A project as agents meet it, with all that only its user changes, and a copy of what anyone may. */
function prepare({ root, project, outside, home, git }: World): void {
  const files = {
    "a.txt": "one\ntwo\n",
    "src/b.txt": "one\n",
    "src/deep/d.txt": "one\n",
    "package.json":
      '{"name":"p","version":"1.0.0","scripts":{"test":"node --test","build":"mkdir -p dist"}}\n',
    Makefile: "test:\n\techo ok\n",
    ".gitignore": "*.log\n.env\ndist/\n",
    "notes.txt": "the user's own\n",
    "build.log": "ignored\n",
    ".env": "PASSWORD=hunter2-hunter2\n",
    "opencode.json": "{}\n",
    ".husky/pre-commit": "true\n",
    "lefthook.yml": "pre-commit: {}\n",
    ".gaia/unit/plan.md": "# Plan\n",
    ".gaia/learnings.md": "# Learnt\n",
    "nested/c.txt": "one\n",
  };
  const write = (folder: string, entries: Readonly<Record<string, string>>): void => {
    for (const [path, text] of Object.entries(entries)) {
      mkdirSync(join(folder, path, ".."), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  };
  write(project, files);
  write(home, { "h.txt": "one\n", ".profile": "# the user's\n", "Documents/letter.txt": "one\n" });
  write(outside, { "c.txt": "one\n", "sub/e.txt": "one\n" });
  spawnSync("ln", ["-s", "../outside", join(project, "link-out")]);
  spawnSync("ln", ["-s", "src", join(project, "link-in")]);
  spawnSync("ln", ["-s", "../outside/c.txt", join(project, "file-out")]);
  git("add", "a.txt", "src", "package.json", "Makefile", ".gitignore");
  git("commit", "-qm", "Two");
  git("tag", "v1");
  git("branch", "other");
  writeFileSync(join(project, "a.txt"), "changed\n");
  git("stash", "-q");
  git("worktree", "add", "-q", join(root, "lane"), "other");
  git("-C", join(root, "lane"), "commit", "-q", "--allow-empty", "-m", "Other");
  git("init", "-q", "nested");
  git("-C", "nested", "commit", "-q", "--allow-empty", "-m", "x");
  git("init", "-q", "--bare", "remote.git");
  git("remote", "add", "origin", "remote.git");
  git("push", "-q", "origin", "main");
  git("clone", "-q", project, join(outside, "clone"));
  writeFileSync(join(project, ".git/hooks/pre-commit"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  mkdirSync(join(root, "template"));
  const kept = KEPT.flatMap((name) => ["--exclude", `./${name}`]);
  spawnSync("sh", [
    "-c",
    `from=$0 to=$1; shift; tar -C "$from" -c "$@" . | tar -C "$to" -x`,
    project,
    join(root, "template"),
    ...kept,
  ]);
}

/** Repositories know where the others of their world lie. */
function copy(from: string, to: string): void {
  const script = `find "$1" -mindepth 1 -delete && cp -a "$0/." "$1" && grep -rlIFZ "$0" "$1" | xargs -0 sed -i "s#$0#$1#g"`;
  execFileSync("sh", ["-c", script, from, to]);
}

/** Runs each line in a fresh project, with nothing to read, and prints how it begins. */
function driver(count: number, isWritten: boolean): string {
  const kept = KEPT.map((name) => `! -name '${name}'`).join(" ");
  const fresh = `chmod 755 . 2>/dev/null; find . -mindepth 1 -maxdepth 1 ${kept} -exec rm -rf {} + 2>/dev/null; cp -a "$TEMPLATE/." . 2>/dev/null`;
  return `
i=0
while [ $i -lt ${count} ]; do
  cd "$PROJECT" || exit 1
  ${isWritten ? fresh : ":"}
  printf '\\n\\001\\001%s\\n' $i
  (ulimit -f 40000 -t 5 -v 6000000; exec timeout -s KILL ${LINE_S} bash "$LINES/$i") </dev/null >"$TMPDIR/output" 2>&1
  head -c 4000 "$TMPDIR/output"
  i=$((i+1))
done`;
}
