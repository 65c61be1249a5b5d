import { parse } from "jsonc-parser";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { buildAgents } from "../../agents/build.ts";
import { findShell } from "../../host/opencode/shell.ts";
import { PERMISSION_NAMES } from "../../host/opencode/tool-call.ts";
import { placeIn, SUPPORTED_OPENCODE } from "../../host/supported-versions.ts";
import { sandboxOf } from "../../config/sandbox.ts";
import { surveyServers } from "../../extras/language-servers/find-server.ts";
import { readConfigured } from "../../extras/language-servers/known-servers.ts";
import { systemClock } from "../../lib/async.ts";
import { findProject, repositoryRoot, openCodeConfigFolder } from "../../lib/folders.ts";
import { isRecord, recordOf, textOf } from "../../lib/json.ts";
import { readText } from "../../lib/read-source.ts";
import { realPathOf } from "../../policy/real-path.ts";
import { openWithTrust } from "../../project/trust.ts";
import { loadContainment } from "../../sandbox/load.ts";
import type { ContainmentState } from "../../sandbox/port.ts";
import { openVcs } from "../../snapshot/vcs.ts";
import { usersSettings } from "../../trust/options-origin.ts";
import { howToRun, type OwnPackage } from "../own-package.ts";
import { bothNames, isOwnEntry, mergedFolders, readPluginEntry } from "../opencode-files.ts";
import { readMergedConfig, readModels, readVersion, type Reading, type RunOpenCode } from "./opencode.ts";

interface Scene {
  readonly own: OwnPackage;
  /** Where it was started, which is where OpenCode is started. */
  readonly directory: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Bounds each call of OpenCode. */
  readonly run: RunOpenCode;
  /** Whether commands can be contained in the user's shell, and what the host runs without one; tried out where it is left out. @param shell as configured */
  tryContainment?(shell: string | null): Promise<Record<"commands" | "host", ContainmentState>>;
}

/** What more than one check looks at. */
export type Setup = Awaited<ReturnType<typeof lookAtSetup>>;

/** Finds it out once; what cannot be found out is a fact as well. */
export async function lookAtSetup(scene: Scene) {
  const { directory, environment, run } = scene;
  const openCode = await readVersion(run);
  const { merged, models } = await askOpenCode(run, openCode);
  const read = merged !== null && "value" in merged ? merged.value : null;
  const listed = await Promise.all(
    (read?.plugins ?? []).map(async ({ entry, source }) => readPluginEntry(entry, source)),
  );
  const top = repositoryRoot(directory);
  const project = findProject(directory, top);
  const own = listed.find(isOwnEntry)?.options;
  const options = isRecord(own) ? own : undefined;
  const { opened, trust } = await openWithTrust({
    directory: project,
    options,
    environment,
    clock: systemClock,
  });
  const { config } = opened.loaded;
  const containment = await (scene.tryContainment ?? tryIn(directory, environment))(read?.shell ?? null);
  const { mode } = sandboxOf(config);
  const isContained = containment.host.kind === "ready" && mode !== "off" && mode !== "machine";
  /** Every agent that could exist, disabled ones too, GAIA first. */
  const agentNames = Object.keys(opened.known);
  const agents = buildAgents({
    definitions: opened.definitions,
    overrides: config.agents,
    specialistTools: [],
    ownTools: [],
    approvals: [],
    names: PERMISSION_NAMES,
  });
  /** The folders whose files OpenCode merges here. */
  const folders = mergedFolders(directory, openCodeConfigFolder(environment));
  const overrides = await readOverrides(folders, agentNames);
  for (const [agent, { prompt }] of Object.entries(agents.entries))
    if ((read?.prompts.get(agent) ?? prompt) !== prompt && overrides.every((each) => each.agent !== agent))
      overrides.push({ agent, file: "another plugin", keys: "all of it" });
  for (const { agent, model } of overrides.toReversed())
    if (model !== undefined) agents.preferModel(agent, model);
  const home = realPathOf(project);
  const { isIgnored } = openVcs(top, project);
  return {
    ...scene,
    /** What one types here before the name of a command. */
    program: await howToRun(scene.own, directory),
    listed,
    openCode,
    merged,
    models,
    top,
    project,
    folders,
    config: opened.loaded,
    customProblems: opened.customProblems,
    trust: await trust.survey(),
    containment,
    /** The language servers for the project, as its sessions would start them. */
    languages: await surveyServers({
      project: home,
      home,
      top,
      path: environment["PATH"] ?? "",
      configured: readConfigured(await usersSettings(systemClock, environment)),
      mayRun: async (path) => isContained || (await isIgnored(path.slice(home.length + 1))),
    }),
    agentNames,
    agents,
    overrides,
  };
}

/** Without a usable OpenCode nothing else is asked: its answers would say nothing about this plugin. */
async function askOpenCode(run: RunOpenCode, version: Reading<string>) {
  const usable = "value" in version && placeIn(version.value, SUPPORTED_OPENCODE) === "within";
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

/** What one file of the user says about one of our agents; OpenCode lets it win over the plugin, key by key (SPEC 3). */
interface Override {
  readonly agent: string;
  readonly file: string;
  readonly keys: string;
  readonly model?: string | undefined;
}

/** The nearest file first. @param names agents of the plugin, custom specialists included */
async function readOverrides(folders: readonly string[], names: readonly string[]): Promise<Override[]> {
  const found = bothNames(folders, "opencode").map(async (file) => {
    const entries = recordOf(recordOf(parse(await readText(file)))["agent"]);
    return names.flatMap((agent): Override[] => {
      const entry = recordOf(entries[agent]);
      const keys = Object.keys(entry).join(", ");
      return keys === "" ? [] : [{ agent, file, keys, model: textOf(entry["model"]) }];
    });
  });
  const pages = folders.flatMap((folder) =>
    ["agent", "agents"].flatMap((kind) =>
      names.map((agent) => ({ agent, file: join(folder, kind, `${agent}.md`), keys: "all of it" })),
    ),
  );
  return [...(await Promise.all(found)).flat(), ...pages.filter(({ file }) => existsSync(file))];
}
