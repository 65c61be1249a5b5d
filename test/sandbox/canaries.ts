import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { lstatSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { readlinkSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ContainmentProfile, isWithin } from "../../src/sandbox/profile.ts";
import { answering } from "./escapes.ts";
import { openWorld, type World } from "./world.ts";

const SECRET_OF_A_PROCESS = "SECRET-OF-A-PROCESS";
const OF_THE_USER = ["KEY-OF-THE-USER", "TOKEN-OF-THE-USER", "TOKEN-OF-THE-ENVIRONMENT", "hunter2-hunter2"];
/** Texts that no output may hold. */
const SECRETS = [...OF_THE_USER, SECRET_OF_A_PROCESS];
const REPOSITORIES = [".git", "nested/.git", "remote.git"];
/** What no command may change in the project. */
const PROTECTED = [...REPOSITORIES, ".gaia", ".env", "opencode.json", ".husky", "lefthook.yml"];
/** What is not made anew for each line, since it holds something of that. */
const KEPT = PROTECTED.map((path) => path.split("/")[0] ?? "");
/** How long one line may take, in seconds, and a batch of them on top of that, in milliseconds. */
const LINE_S = 1.5;
const BATCH_MS = 20_000;
const RUN_LINES = readFileSync(join(import.meta.dirname, "fixtures/run-lines.sh"), "utf8");

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
    env: { HIDDEN: SECRET_OF_A_PROCESS, PATH: process.env["PATH"] },
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
    const names = {
      COUNT: String(lines.length),
      LINE_S: String(LINE_S),
      KEPT: KEPT.join(" "),
      WRITTEN: profile.project === "write" ? "yes" : "no",
    };
    const output = await this.#batch(names, isContained ? profile : null, lines.length);
    const started = output.split("\n\u0001\u0001").length - 1;
    rmSync(this.#lines, { recursive: true });
    return { harms: [...this.#harms(profile), ...shown(output)], started };
  }

  async #batch(
    names: Record<string, string>,
    profile: ContainmentProfile | null,
    count: number,
  ): Promise<string> {
    const { containment, environment, project: cwd } = this.world;
    const call = { callId: "batch", folder: cwd };
    const variables = profile === null ? {} : await containment.wrap({ ...call, profile });
    const env = { ...environment, ...names, ...variables };
    const child = spawn("/bin/bash", ["-c", RUN_LINES], {
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
    const isProtected = (path: string) => PROTECTED.some((name) => isWithin(path, join(project, name)));
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
function prepare({ root, project, environment }: World): void {
  const env = { ...environment, ROOT: root, KEPT: KEPT.join(" ") };
  execFileSync("bash", [join(import.meta.dirname, "fixtures/prepare-canaries.sh")], { cwd: project, env });
}

/** Repositories know where the others of their world lie. */
function copy(from: string, to: string): void {
  const script = `find "$1" -mindepth 1 -delete && cp -a "$0/." "$1" && grep -rlIFZ "$0" "$1" | xargs -0 sed -i "s#$0#$1#g"`;
  execFileSync("sh", ["-c", script, from, to]);
}
