import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { recordOf, textOf } from "../../../src/lib/json.ts";
import { call, result, say, type Turn } from "../../../src/scripted-model/turn.ts";
import { installFromNpm } from "./npm-folder.ts";

/** What a delegation is for. */
export type Job = "read" | "write" | "check" | "record";

/** One way of working that is compared, in its author's own agents and tools. */
export interface Contender {
  readonly name: string;
  /** The npm package; null for OpenCode alone. */
  readonly package: string | null;
  /** Whom the user speaks to. */
  readonly orchestrator: string;
  /** How it hands a job over. `number` makes two calls differ, and chooses among agents of the same job. */
  delegate(job: Job, prompt: string, number: number): Turn;
  /** How an agent of this job says that it is done. */
  finish(job: Job, summary: string): Turn;
  /** Turns of the orchestrator around the work, which others do not need. */
  readonly ceremony: {
    readonly begin: readonly Turn[];
    openWave(wave: number): readonly Turn[];
    closeWave(wave: number): readonly Turn[];
    readonly recordsAtEnd: boolean;
  };
}

/** A contender as it is installed. */
export interface Installed extends Contender {
  readonly version: string;
  /** The entry of opencode.json; null for none. */
  readonly plugin: string | null;
  /** Bytes on disk of the package itself and with everything that npm installs along with it. */
  readonly ownBytes: number;
  readonly allBytes: number;
}

const NO_CEREMONY: Contender["ceremony"] = {
  begin: [],
  openWave: () => [],
  closeWave: () => [],
  recordsAtEnd: false,
};

const taskTool =
  (agents: Readonly<Record<Job, string>>, rest: object = {}): Contender["delegate"] =>
  (job, prompt, number) =>
    call("task", { description: `${job} ${number}`, prompt, subagent_type: agents[job], ...rest });
const inWords = (_job: Job, summary: string): Turn => say(summary);

export const NATIVE: Contender = {
  name: "native OpenCode",
  package: null,
  orchestrator: "build",
  delegate: taskTool({ read: "explore", write: "general", check: "general", record: "general" }),
  finish: inWords,
  ceremony: NO_CEREMONY,
};

const plan = (op: string, args: object): Turn => call("plan_gaia", { op, ...args });

export const GAIA: Contender = {
  name: "opencode-gaia",
  package: "opencode-gaia",
  orchestrator: "gaia",
  delegate(job, prompt, number) {
    const agent = {
      read: number % 2 === 0 ? "minerva" : "apollo",
      write: "hephaestus",
      check: "aether",
      record: "demeter",
    };
    return call("delegate_gaia", { agent: agent[job], prompt, wave_id: `w${Math.floor(number / 100)}` });
  },
  finish: (job, summary) => result(contractOf(job, summary)),
  ceremony: {
    begin: [
      plan("create_work_unit", { slug: "feature", title: "The feature" }),
      plan("update_plan", {
        markdown:
          "## Goal\nEvery part checks its input and says what was wrong.\n\n## Tasks\n- [ ] 1. Edit the parts (hephaestus)\n- [ ] 2. Run the checks (aether)\n\n## Done when\n- [ ] npm test passes",
      }),
    ],
    openWave: (wave) => [plan("open_wave", { wave_id: `w${wave}`, title: `Wave ${wave}` })],
    closeWave: (wave) => [plan("complete_wave", { wave_id: `w${wave}` })],
    recordsAtEnd: true,
  },
};

/** minerva's and apollo's data differ; each takes the fields of the other as surplus. */
function contractOf(job: Job, summary: string): Record<string, unknown> {
  switch (job) {
    case "read":
      return {
        repo_map: summary,
        vcs_type: "git",
        plan: [],
        risk_list: [],
        suggested_agents: [],
        conventions: [summary],
        examples: [],
        do_dont: { do: [], dont: [] },
      };
    case "write":
      return {
        diff_summary: summary,
        files_modified: [],
        revision_ids: [],
        notes: [],
        refactoring_done: [],
        known_issues: [],
      };
    case "check":
      return { checks_run: ["npm test"], failures: [], fixes: [], release_ready: true };
    case "record":
      return { log_entry: summary, decisions: [], learnings: [], plan_updates: [], session_summary: summary };
  }
}

const PEERS: readonly Contender[] = [
  {
    name: "oh-my-opencode",
    package: "oh-my-opencode",
    orchestrator: "Sisyphus - ultraworker",
    delegate(job, prompt, number) {
      const whom = job === "read" ? { subagent_type: "explore" } : { category: "quick" };
      const rest = { load_skills: [], run_in_background: false };
      return call("task", { description: `${job} ${number}`, prompt, ...whom, ...rest });
    },
    finish: inWords,
    ceremony: NO_CEREMONY,
  },
  {
    name: "oh-my-opencode-slim",
    package: "oh-my-opencode-slim",
    orchestrator: "orchestrator",
    delegate: taskTool({ read: "explorer", write: "fixer", check: "fixer", record: "fixer" }),
    finish: inWords,
    ceremony: NO_CEREMONY,
  },
];

/**
 * Installs what is compared: this package from its own tarball (built before), the others from npm.
 * @param tell is given a word for each that cannot be had; the comparison goes on without it
 */
export async function installContenders(root: string, tell: (word: string) => void): Promise<Installed[]> {
  const { stdout } = await promisify(execFile)("npm", [
    "pack",
    "--ignore-scripts",
    "--json",
    "--pack-destination",
    root,
  ]);
  const tarball = join(root, textOf(recordOf((JSON.parse(stdout) as unknown[])[0])["filename"]) ?? "");
  const installed: Installed[] = [
    {
      ...NATIVE,
      plugin: null,
      version: await versionIn(resolve("node_modules/opencode-ai")),
      ownBytes: 0,
      allBytes: 0,
    },
  ];
  for (const contender of [GAIA, ...PEERS]) {
    const name = contender.package ?? "";
    const folder = join(root, "installed", name);
    const trouble = await installFromNpm(folder, contender === GAIA ? tarball : name);
    if (trouble !== null) {
      tell(`${name} is left out, it could not be installed: ${trouble}`);
      continue;
    }
    const plugin = join(folder, "node_modules", name);
    installed.push({
      ...contender,
      plugin,
      version: await versionIn(plugin),
      ownBytes: await bytesIn(plugin),
      allBytes: await bytesIn(join(folder, "node_modules")),
    });
  }
  return installed;
}

/** Native OpenCode with a plugin that does nothing: what loading any plugin costs. */
export async function writeIdlePlugin(root: string): Promise<Installed> {
  const plugin = join(root, "idle", "index.js");
  await mkdir(join(root, "idle"));
  await writeFile(plugin, 'export default { id: "idle", server: async () => ({}) };\n');
  return { ...NATIVE, name: "a plugin that does nothing", plugin, version: "", ownBytes: 0, allBytes: 0 };
}

async function versionIn(folder: string): Promise<string> {
  const manifest = recordOf(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
  return textOf(manifest["version"]) ?? "";
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
