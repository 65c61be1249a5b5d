import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describeError } from "../../src/lib/error.ts";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { normaliseRequest } from "../support/compare.ts";
import { openProject, type Project } from "../support/project.ts";
import { installFromNpm } from "./compare/install.ts";
import { inFolder, inOpenCode } from "./opencode.ts";

/**
 * `npx tsx test/bench/compatibility.ts [version …]` (after `npm run build`): whether the plugin works with other
 * releases of OpenCode, each installed from npm into a temporary folder. Without a version it looks for the oldest 1.x
 * that passes, by halving the list: it takes for granted that what works with a release works with later ones.
 */
const FIRST_ERROR_LINES = 3;

/** What has to work, in the order in which it is tried; the rest is not tried after a failure. @throws why it does not */
const PROBES: readonly [what: string, probe: (project: Project) => Promise<void>][] = [
  [
    "the plugin is loaded",
    async (project) => {
      const agents = (await project.call("GET", "/agent")) as { name: string }[];
      const names = agents.map(({ name }) => name);
      for (const agent of ["gaia", "demeter"])
        expect(names.includes(agent), `no agent ${agent} in ${names.join(", ")}`);
    },
  ],
  [
    "GAIA answers",
    async (project) => {
      project.model.script("gaia", say("I am here."));
      const { text, error } = await project.prompt("gaia", "Hello");
      expect(text === "I am here.", `it said ${JSON.stringify(text)}, error ${JSON.stringify(error)}`);
    },
  ],
  [
    "a delegation comes back with its contract",
    async (project) => {
      const lists = { plan: [], risk_list: [], suggested_agents: [] };
      const contract = { answer: "It.", repo_map: "all of it", vcs_type: "git", ...lists };
      project.model.script("gaia", call("delegate_gaia", { agent: "minerva", goal: "look" }), say("Done."));
      project.model.script("minerva", result(contract));
      const { tools } = await project.prompt("gaia", "Look");
      const output = tools[0]?.output ?? tools[0]?.error ?? "no call";
      expect(output.includes('"status":"completed"') && output.includes("all of it"), output);
    },
  ],
  [
    "an approval is asked for, and the answer counts",
    async (project) => {
      const content = { markdown: "## Tasks\n\n- [ ] 1. Look\n  - agent: minerva\n" };
      project.model.script(
        "gaia",
        call("plan_gaia", { op: "create_work_unit", slug: "unit", title: "Unit", content }),
        call("plan_gaia", { op: "request_approval", kind: "plan" }),
        say("Approved."),
      );
      const session = await project.start("gaia", "Plan it");
      await project.answer(await project.permission(), "once");
      await project.idle(session);
      const { text, tools } = await project.outcome(session);
      const isApproved = text === "Approved." && (tools[1]?.output ?? "").includes('"ok":true');
      expect(isApproved, JSON.stringify(tools[1]));
    },
  ],
];

function expect(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

/** Tries everything with one release. @returns whether all of it works */
async function probe(version: string): Promise<boolean> {
  return inFolder(async (root) => {
    const trouble = await installFromNpm(join(root, "opencode"), `opencode-ai@${version}`);
    if (trouble !== null) return tell(version, "it could not be installed", trouble);
    const binary = binaryIn(join(root, "opencode"));
    const tried = inOpenCode(root, async (server) => tryAll(version, server), { binary });
    return tried.catch((error: unknown) => tell(version, "does not start", describeError(error)));
  });
}

async function tryAll(version: string, server: { url: string; root: string }): Promise<boolean> {
  const open = async (plugin = true): Promise<Project> =>
    openProject({ server, plugin, gaia: { startup: { askAtTaskStart: false } } });
  const firstRequest = async (plugin: boolean): Promise<string> => {
    const project = await open(plugin);
    project.model.script("native", say("Hello."));
    await project.prompt("build", "Hello");
    const [request] = project.model.requestsOf("native");
    await project.close();
    return request === undefined ? "" : normaliseRequest(request, project.directory);
  };
  for (const [what, check] of PROBES) {
    const project = await open();
    const failure = await check(project).then(() => null, describeError);
    await project.close();
    if (failure !== null) return tell(version, `fails: ${what}`, failure);
  }
  const [ours, native] = [await firstRequest(true), await firstRequest(false)];
  if (ours === "" || ours !== native)
    return tell(version, "fails: build's request is the same with and without the plugin", "they differ");
  return tell(version, "works", null);
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
