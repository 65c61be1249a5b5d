import { buildAgents } from "../../agents/build.ts";
import { findShell } from "../../host/opencode/shell.ts";
import { PERMISSION_NAMES } from "../../host/opencode/tool-call.ts";
import { SUPPORTED_OPENCODE } from "../../host/supported-versions.ts";
import { sandboxOf } from "../../config/sandbox.ts";
import { systemClock } from "../../lib/clock.ts";
import { projectsAbove, repositoryRoot } from "../../lib/find-project.ts";
import { isRecord } from "../../lib/json.ts";
import { openCodeConfigFolder } from "../../lib/user-folders.ts";
import { isInRange } from "../../lib/version-range.ts";
import { openWithTrust } from "../../project/trust.ts";
import { loadContainment } from "../../sandbox/load.ts";
import type { ContainmentState } from "../../sandbox/port.ts";
import { findLanguageServers } from "../offers.ts";
import type { OwnPackage } from "../own-package.ts";
import { readPluginEntry } from "../opencode-files.ts";
import { readOverrides } from "./overrides.ts";
import { readMergedConfig, readModels, readVersion, type Reading, type RunOpenCode } from "./opencode.ts";

/** Of commands in the user's shell, and of what the host runs itself, which needs no shell. */
interface TriedContainment {
  readonly commands: ContainmentState;
  readonly host: ContainmentState;
}

interface Scene {
  readonly own: OwnPackage;
  /** Where it was started, which is where OpenCode is started. */
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly node: string;
  /** Bounds each call of OpenCode. */
  readonly run: RunOpenCode;
  /** Whether commands can be contained in a shell; tried out where it is left out. @param shell as configured */
  tryContainment?(shell: string | null): Promise<TriedContainment>;
}

/** What more than one check looks at. */
export type Setup = Awaited<ReturnType<typeof lookAtSetup>>;

/** Finds it out once; what cannot be found out is a fact as well. */
export async function lookAtSetup(scene: Scene) {
  const { directory, environment, run } = scene;
  const openCode = await readVersion(run);
  const { merged, models } = await askOpenCode(run, openCode);
  const read = merged !== null && "value" in merged ? merged.value : { plugins: [], shell: null };
  const listed = await Promise.all(
    read.plugins.map(async ({ entry, source }) => readPluginEntry(entry, source)),
  );
  /** What of opencode.json brings this plugin. */
  const entries = listed.filter(({ means }) => means === "ours");
  const top = repositoryRoot(directory);
  /** The folders with a record from here up to the repository's root, the one that counts first. */
  const projects = projectsAbove(directory, top);
  const project = projects[0] ?? directory;
  const own = entries[0]?.options;
  const options = isRecord(own) ? own : undefined;
  const place = { directory: project, options, environment, clock: systemClock };
  const { opened, trust } = await openWithTrust(place);
  const { config } = opened.loaded;
  const containment = await (scene.tryContainment ?? tryIn(directory, environment))(read.shell);
  const { mode } = sandboxOf(config);
  const isContained = containment.host.kind === "ready" && mode !== "off" && mode !== "machine";
  /** Every agent that could exist, disabled ones too, GAIA first. */
  const agentNames = Object.keys(opened.known);
  return {
    ...scene,
    listed,
    entries,
    openCode,
    merged,
    models,
    top,
    projects,
    project,
    config: opened.loaded,
    customProblems: opened.customProblems,
    trust: await trust.survey(),
    containment,
    languages: await findLanguageServers(top, project, isContained, environment),
    agentNames,
    agents: buildAgents({
      definitions: opened.definitions,
      overrides: config.agents,
      specialistTools: [],
      ownTools: [],
      approvals: [],
      names: PERMISSION_NAMES,
    }),
    overrides: await readOverrides(directory, openCodeConfigFolder(environment), agentNames),
  };
}

/** Without a usable OpenCode nothing else is asked: its answers would say nothing about this plugin. */
async function askOpenCode(run: RunOpenCode, version: Reading<string>) {
  const usable = "value" in version && isInRange(version.value, SUPPORTED_OPENCODE) === true;
  if (!usable) return { merged: null, models: null };
  // One after the other: a fresh installation of OpenCode makes its database at the first start.
  const merged = await readMergedConfig(run);
  return { merged, models: "value" in merged ? await readModels(run) : null };
}

/** Runs commands that are contained: one in the shell that OpenCode would use, and one of the host's. */
function tryIn(project: string, environment: NodeJS.ProcessEnv): NonNullable<Scene["tryContainment"]> {
  return async (shell) => {
    const containment = loadContainment({
      project,
      environment,
      clock: systemClock,
      shell: () => findShell(shell, environment),
      writable: [],
      allowSensitive: [],
    });
    const loaded = await containment();
    const tried = { commands: await loaded.ready(), host: await loaded.hostReady() };
    containment.dispose();
    return tried;
  };
}
