import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { explainFailure } from "../../src/sandbox/explain-failure.ts";
import { canContain } from "../support/bubblewrap.ts";
import { has, openWorld, type World, WRITE } from "./world.ts";

/** Of all commands at least so many end as they do outside of the sandbox, without a network there. */
const SAME = 0.97;
/** So many are played where the usual tools are there. */
const LEAST = 400;
const TOOLS = ["git", "node", "npm", "python3", "gcc", "make", "cargo"];
/** How long one command may take, in seconds, and all together, in milliseconds. */
const COMMAND_S = 60;
const ALL_MS = 900_000;
/** Projects that are played at once: each runs its commands twice, inside and outside. */
const AT_ONCE = 2;
/** A shell's status for a program that is not on this machine, and that of `timeout`: neither is counted. */
const NOT_PLAYED: ReadonlySet<number> = new Set([127, 124]);

const FilesSchema = z.record(z.string(), z.string());
const LineSchema = z.strictObject({ project: z.string(), command: z.string().min(1) });
interface Sample {
  readonly name: string;
  readonly files: z.infer<typeof FilesSchema>;
  readonly commands: readonly string[];
}

const FOLDER = join(import.meta.dirname, "everyday");
const read = (name: string): string => readFileSync(join(FOLDER, name), "utf8");
const LINES = read("commands.jsonl")
  .trimEnd()
  .split("\n")
  .map((line) => LineSchema.parse(JSON.parse(line)));
const commandsOf = (project: string): string[] =>
  LINES.flatMap((line) => (line.project === project ? [line.command] : []));

const NAMES = readdirSync(FOLDER).flatMap((name) => (name.endsWith(".json") ? [name.slice(0, -5)] : []));
/** What is common to all projects is dealt out among them, in pieces that belong together. */
const COMMON = commandsOf("common");
const PIECE = Math.ceil(COMMON.length / NAMES.length);
const PROJECTS: readonly Sample[] = NAMES.map((name, at) => ({
  name,
  files: FilesSchema.parse(JSON.parse(read(`${name}.json`))),
  commands: [...COMMON.slice(at * PIECE, (at + 1) * PIECE), ...commandsOf(name)],
}));

/** How many of a project's commands are there on this machine, and end as outside; the others, as they ended. */
interface Compared {
  readonly all: number;
  readonly same: number;
  readonly missing: readonly string[];
  readonly others: readonly string[];
  readonly unexplained: readonly string[];
}

/** A project of this kind with two commits, and the packages of this one's where it needs some. */
function prepare({ project, environment, git }: World, { files }: Sample): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(project, path, ".."), { recursive: true });
    writeFileSync(join(project, path), text, { mode: path.endsWith(".sh") ? 0o755 : 0o644 });
  }
  git("add", ...Object.keys(files));
  git("commit", "-qm", "Two");
  git("tag", "v0");
  if (files["package.json"] !== undefined) linkPackages(join(project, "node_modules"));
  // There is no network: another try takes its time and ends the same way.
  Object.assign(environment, { PIP_RETRIES: "0", npm_config_fetch_retries: "0", CARGO_NET_RETRY: "0" });
  // Version managers are found where they are installed.
  for (const [variable, folder] of [
    ["PYENV_ROOT", ".pyenv"],
    ["RUSTUP_HOME", ".rustup"],
  ] as const) {
    const path = process.env[variable] ?? join(homedir(), folder);
    if (existsSync(path)) environment[variable] = path;
  }
}

function linkPackages(folder: string): void {
  const own = resolve("node_modules");
  mkdirSync(join(folder, ".bin"), { recursive: true });
  for (const name of ["typescript", "vitest", "oxlint", "oxfmt", "esbuild", "tsup", "tsx"])
    symlinkSync(join(own, name), join(folder, name));
  for (const name of ["tsc", "vitest", "oxlint", "oxfmt", "esbuild", "tsup", "tsx"])
    symlinkSync(join(own, ".bin", name), join(folder, ".bin", name));
}

/** Runs each command by itself, and prints its status and the end of its output. */
function driver(commands: readonly string[], folder: string): string {
  mkdirSync(folder);
  for (const [index, command] of commands.entries()) writeFileSync(join(folder, String(index)), command);
  return `
for i in $(seq 0 ${commands.length - 1}); do
  cd "$PROJECT"
  timeout ${COMMAND_S} bash '${folder}'/$i </dev/null >"$TMPDIR/output" 2>&1
  printf '\\001%s\\n' $?
  tail -c 6000 "$TMPDIR/output"
  printf '\\n'
done`;
}

async function run(command: readonly [string, ...string[]], env: NodeJS.ProcessEnv, cwd: string) {
  const child = spawn(command[0], command.slice(1), { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(child, "close");
  const parts = Buffer.concat(chunks).toString("utf8").split("\u0001").slice(1);
  return parts.map((part) => ({ status: Number.parseInt(part, 10), output: part }));
}

/** Outside of the sandbox: without a network, and with the folders of this machine's system as throwaway ones. */
async function runFreely({ root, project, environment }: World, commands: readonly string[]) {
  const script = driver(commands, join(root, "commands"));
  mkdirSync(join(root, "tmp"));
  const system = ["/usr", "/etc", homedir(), resolve(".")].flatMap((path) => ["--ro-bind", path, path]);
  const own = ["--tmpfs", "/usr/local", "--bind", root, root, "--bind", join(root, "tmp"), "/tmp"];
  const around = [
    "--die-with-parent",
    "--bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--unshare-net",
    ...system,
    ...own,
  ];
  const env = { ...environment, TMPDIR: "/tmp" };
  return run(["bwrap", ...around, "/bin/bash", "-c", script], env, project);
}

async function compare(sample: Sample): Promise<Compared> {
  const { commands } = sample;
  const [free, world] = [openWorld(), openWorld()];
  for (const each of [free, world]) prepare(each, sample);
  await world.containment.ready();
  const script = driver(commands, join(world.root, "commands"));
  const variables = await world.containment.wrap({ callId: "all", folder: world.project, profile: WRITE });
  const [expected, found] = await Promise.all([
    runFreely(free, commands),
    run(["/bin/bash", "-c", script], { ...world.environment, ...variables }, world.project),
  ]);
  const finished = world.containment.finish("all");
  free.close();
  world.close();
  if (finished?.isProven !== true) throw new Error("the commands did not run in the sandbox");
  expect([expected.length, found.length]).toEqual([commands.length, commands.length]);
  const there = commands.flatMap((command, at) => {
    const [left, right] = [expected[at], found[at]];
    return left === undefined || right === undefined || NOT_PLAYED.has(left.status)
      ? []
      : [{ command, left, right }];
  });
  const others = there.filter(({ left, right }) => left.status !== right.status);
  const told = others.map(({ command, left, right }) => {
    // One that ends without a word, as `git stash`, leaves nothing to read a wall from.
    const isSilent = right.output.trim() === String(right.status);
    const line = right.status === 0 ? null : explainFailure(right.output, finished.profile, true);
    const words = line ?? (isSilent ? "It says nothing." : null);
    return {
      line: words,
      text: `${command}: ${left.status}, here ${right.output}${words ?? "NOT EXPLAINED"}`,
    };
  });
  return {
    all: there.length,
    same: there.length - others.length,
    missing: commands.filter((_, at) => NOT_PLAYED.has(expected[at]?.status ?? 0)),
    others: told.map(({ text }) => text),
    unexplained: told.flatMap(({ line, text }) => (line === null ? [text] : [])),
  };
}

describe.runIf(canContain)("everyday commands of an editor, in bubblewrap", () => {
  it("end as outside but for a few of them, which say what wall they met", { timeout: ALL_MS }, async () => {
    const waiting = [...PROJECTS];
    const results: Compared[] = [];
    const play = async (): Promise<void> => {
      for (let sample = waiting.shift(); sample !== undefined; sample = waiting.shift()) {
        const compared = await compare(sample);
        results.push(compared);
        console.log(`${sample.name}: ${compared.same} of ${compared.all} commands end as outside`);
        if (compared.missing.length > 0)
          console.log(`not there, or too slow here: ${compared.missing.join("; ")}`);
        if (process.env["EVERYDAY_SHOW"]) console.log(compared.others.join("\n---\n"));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, play));
    const [all, same] = [sum(results.map((each) => each.all)), sum(results.map((each) => each.same))];
    console.log(`${((100 * same) / all).toFixed(1)} % of ${all} commands end as outside`);
    expect(results.flatMap(({ unexplained }) => unexplained)).toEqual([]);
    expect(same / all).toBeGreaterThanOrEqual(SAME);
    const absent = TOOLS.filter((tool) => !has(tool));
    if (absent.length > 0) console.warn(`Fewer are played, for there is no ${absent.join(", ")} here.`);
    else expect(all).toBeGreaterThanOrEqual(LEAST);
  });
});

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
