import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { explainFailure } from "../../src/sandbox/explain-failure.ts";
import { canContain } from "../support/bubblewrap.ts";
import { openWorld, type World, WRITE } from "./world.ts";

/** Of all commands at least so many end as they do outside of the sandbox, without a network there. */
const SAME = 0.97;
/** Commands of each project that run, spread over all; `EVERYDAY_COMMANDS` sets another number. */
const COMMANDS = Number(process.env["EVERYDAY_COMMANDS"] ?? 30);
/** How long one command may take, in seconds, and a project's all together, in milliseconds. */
const COMMAND_S = 30;
const PROJECT_MS = 300_000;
/** A shell's status for a program that is not on this machine. */
const MISSING = 127;

const ProjectSchema = z.strictObject({
  files: z.record(z.string(), z.string()),
  commands: z.array(z.string().min(1)).min(1),
});
type Sample = z.infer<typeof ProjectSchema>;

const FOLDER = join(import.meta.dirname, "everyday");
const sampleOf = (name: string): Sample =>
  ProjectSchema.parse(JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8")));

const common = sampleOf("common").commands;
const names = readdirSync(FOLDER).map((name) => name.slice(0, -".json".length));
const PROJECTS = names.filter((name) => name !== "common");

/** How many of a project's commands are there on this machine, and end as outside; the others, as they ended. */
interface Compared {
  readonly all: number;
  readonly same: number;
  readonly others: readonly string[];
  readonly unexplained: readonly string[];
}

interface Ending {
  readonly status: number;
  readonly output: string;
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

async function run(
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<Ending[]> {
  const child = spawn(command[0], command.slice(1), { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(child, "close");
  const parts = Buffer.concat(chunks).toString("utf8").split("\u0001").slice(1);
  return parts.map((part) => ({ status: Number.parseInt(part, 10), output: part }));
}

/** Outside of the sandbox: without a network, and with the folders of this machine's system as throwaway ones. */
async function runFreely(
  { root, project, environment }: World,
  commands: readonly string[],
): Promise<Ending[]> {
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

async function compare(name: string): Promise<Compared> {
  const sample = sampleOf(name);
  const all = [...common, ...sample.commands];
  const commands = all.filter((_, at) => (at * COMMANDS) % all.length < COMMANDS);
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
    return left === undefined || right === undefined || left.status === MISSING
      ? []
      : [{ command, left, right }];
  });
  const others = there.filter(({ left, right }) => left.status !== right.status);
  const told = others.map(({ command, left, right }) => {
    const line = right.status === 0 ? null : explainFailure(right.output, finished, true);
    return { line, text: `${command}: ${left.status}, here ${right.output}${line ?? "NOT EXPLAINED"}` };
  });
  return {
    all: there.length,
    same: there.length - others.length,
    others: told.map(({ text }) => text),
    unexplained: told.flatMap(({ line, text }) => (line === null ? [text] : [])),
  };
}

describe.runIf(canContain)("everyday commands of an editor, in bubblewrap", () => {
  const results: Compared[] = [];

  it.each(PROJECTS)(
    "end in a project of %s as outside, or say which wall they met",
    { timeout: PROJECT_MS },
    async (name) => {
      const compared = await compare(name);
      results.push(compared);
      console.log(`${name}: ${compared.same} of ${compared.all} commands end as outside`);
      if (process.env["EVERYDAY_SHOW"]) console.log(compared.others.join("\n---\n"));
      expect(compared.unexplained).toEqual([]);
    },
  );

  it("end as outside but for a few of them all", () => {
    const [all, same] = [sum(results.map((each) => each.all)), sum(results.map((each) => each.same))];
    console.log(`${((100 * same) / all).toFixed(1)} % of ${all} commands end as outside`);
    expect(all).toBeGreaterThanOrEqual(COMMANDS * 3);
    expect(same / all).toBeGreaterThanOrEqual(SAME);
  });
});

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
