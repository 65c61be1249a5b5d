import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { hermeticEnvironment } from "../../src/cli/demo/environment.ts";
import { type OpenCodeProcess, startOpenCodeProcess } from "../support/opencode-server.ts";
import { describeError } from "../../src/lib/error.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { normaliseRequest } from "../support/compare.ts";
import { openProject, type Project } from "../support/project.ts";
import { installFromNpm } from "./compare/npm-folder.ts";

/**
 * `npx tsx test/bench/compatibility.ts [version …]` (after `npm run build`): whether the plugin works with other
 * releases of OpenCode, each installed from npm into a temporary folder. Without a version it looks for the oldest 1.x
 * that passes, by halving the list: it takes for granted that what works with a release works with later ones.
 */
const FIRST_ERROR_LINES = 3;

/** What has to work, in the order in which it is tried; the rest is not tried after a failure. */
const PROBES: Readonly<Record<string, (root: string, url: string) => Promise<void>>> = {
  "the plugin is loaded": loaded,
  "GAIA answers": answers,
  "a delegation comes back with its contract": delegates,
  "an approval is asked for, and the answer counts": approves,
  "build's request is the same with and without the plugin": leavesNativeAlone,
};

async function withProject(
  root: string,
  url: string,
  work: (project: Project) => Promise<void>,
  plugin = true,
) {
  const project = await openProject({
    server: { url, root },
    plugin,
    gaia: { startup: { askAtTaskStart: false } },
  });
  try {
    await work(project);
  } finally {
    await project.close();
  }
}

function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

async function loaded(root: string, url: string): Promise<void> {
  await withProject(root, url, async (project) => {
    const names = (await project.call("GET", "/agent")) as { name: string }[];
    for (const agent of ["gaia", "demeter"])
      expect(
        names.some(({ name }) => name === agent),
        `no agent ${agent} in ${names.map(({ name }) => name).join(", ")}`,
      );
  });
}

async function answers(root: string, url: string): Promise<void> {
  await withProject(root, url, async (project) => {
    project.model.script("gaia", say("I am here."));
    const { text, error } = await project.prompt("gaia", "Hello");
    expect(text === "I am here.", `she said ${JSON.stringify(text)}, error ${JSON.stringify(error)}`);
  });
}

async function delegates(root: string, url: string): Promise<void> {
  await withProject(root, url, async (project) => {
    project.model.script("gaia", call("delegate_gaia", { agent: "minerva", goal: "look" }), say("Done."));
    project.model.script(
      "minerva",
      result({
        answer: "It.",
        repo_map: "all of it",
        vcs_type: "git",
        plan: [],
        risk_list: [],
        suggested_agents: [],
      }),
    );
    const { tools } = await project.prompt("gaia", "Look");
    const output = tools[0]?.output ?? tools[0]?.error ?? "no call";
    expect(output.includes('"status":"completed"') && output.includes("all of it"), output);
  });
}

async function approves(root: string, url: string): Promise<void> {
  await withProject(root, url, async (project) => {
    project.model.script(
      "gaia",
      call("plan_gaia", {
        op: "create_work_unit",
        slug: "unit",
        title: "Unit",
        content: { markdown: "## Tasks\n\n- [ ] 1. Look\n  - agent: minerva\n" },
      }),
      call("plan_gaia", { op: "request_approval", kind: "plan" }),
      say("Approved."),
    );
    const session = await project.start("gaia", "Plan it");
    await project.answer(await project.permission(), "once");
    await project.idle(session);
    const { text, tools } = await project.outcome(session);
    expect(text === "Approved." && (tools[1]?.output ?? "").includes('"ok":true'), JSON.stringify(tools[1]));
  });
}

async function leavesNativeAlone(root: string, url: string): Promise<void> {
  const bodies: string[] = [];
  for (const plugin of [true, false]) {
    const take = async (project: Project): Promise<void> => {
      project.model.script("native", say("Hello."));
      await project.prompt("build", "Hello");
      const [request] = project.model.requestsOf("native");
      if (request !== undefined) bodies.push(normaliseRequest(request, project.directory));
    };
    await withProject(root, url, take, plugin);
  }
  expect(bodies.length === 2 && bodies[0] === bodies[1], "the requests differ");
}

/** Tries everything with one release. @returns whether all of it works */
async function probe(version: string): Promise<boolean> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "gaia-compatibility-")));
  let server: OpenCodeProcess | null = null;
  try {
    const trouble = await installFromNpm(join(root, "opencode"), `opencode-ai@${version}`);
    if (trouble !== null) return tell(version, "it could not be installed", trouble);
    const home = join(root, "home");
    server = await startOpenCodeProcess({
      binary: binaryIn(join(root, "opencode")),
      environment: hermeticEnvironment(home),
      cwd: home,
    });
    for (const [what, check] of Object.entries(PROBES)) {
      const failure = await check(root, server.url).then(() => null, describeError);
      if (failure !== null) return tell(version, `fails: ${what}`, failure);
    }
    return tell(version, "works", null);
  } catch (error) {
    return tell(version, "does not start", describeError(error));
  } finally {
    await server?.kill();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function tell(version: string, what: string, why: string | null): boolean {
  const lines = (why ?? "").split("\n").slice(0, FIRST_ERROR_LINES).filter(Boolean);
  console.log(
    [`OpenCode ${version.padEnd(8)} ${what}`, ...lines.map((line) => `    ${line.slice(0, 400)}`)].join("\n"),
  );
  return why === null;
}

function binaryIn(folder: string): string {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const names = [`opencode-${system}-${process.arch}`, `opencode-${system}-${process.arch}-baseline`];
  const files = names.map((name) => join(folder, "node_modules", name, "bin", "opencode"));
  const found = [...files, ...files.map((file) => `${file}.exe`)].find((file) => existsSync(file));
  if (found === undefined) throw new Error("it brings no program for this platform along");
  return found;
}

async function releases(): Promise<string[]> {
  const { stdout } = await promisify(execFile)("npm", ["view", "opencode-ai", "versions", "--json"]);
  return (JSON.parse(stdout) as string[]).filter((version) => /^1\.\d+\.\d+$/.test(version));
}

/** @param versions from the oldest to the newest */
async function oldestThatWorks(versions: readonly string[]): Promise<string | null> {
  let [from, to] = [0, versions.length];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    if (await probe(versions[middle] ?? "")) to = middle;
    else from = middle + 1;
  }
  return versions[to] ?? null;
}

const asked = process.argv.slice(2);
if (asked.length === 0)
  console.log(`Oldest that works: ${(await oldestThatWorks(await releases())) ?? "none"}`);
for (const version of asked) if (!(await probe(version))) process.exitCode = 1;
