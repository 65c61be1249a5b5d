import { defaultSteps, GAIA_STEPS, READER_STEPS } from "../agents/build.ts";
import { GAIA } from "../agents/gaia.ts";
import { fileOf, loadCustomSpecialists } from "../agents/custom/load.ts";
import { asReader } from "../agents/custom/reader.ts";
import type { SpecialistDefinition } from "../agents/define.ts";
import { knownAgents, SPECIALISTS } from "../agents/registry.ts";
import { loadConfig } from "../config/loader.ts";
import type { ConfigProblem } from "../config/problem.ts";
import type { LoadedConfig } from "../config/resolve.ts";
import type { KnownAgents } from "../config/roles.ts";
import type { Clock } from "../lib/clock.ts";
import { isRecord } from "../lib/json.ts";
import { openCodeConfigFolder } from "../lib/user-folders.ts";
import { createGate, type TrustGate } from "../trust/gate.ts";
import type { Grants } from "../record/knowledge.ts";

export interface ProjectPlace {
  readonly directory: string;
  /** The second element of the plugin's entry in opencode.json; undefined when it has none. */
  readonly options: unknown;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

export interface OpenedProject {
  readonly loaded: LoadedConfig;
  readonly definitions: readonly SpecialistDefinition[];
  readonly known: KnownAgents;
  readonly customProblems: readonly ConfigProblem[];
  readonly gate: TrustGate;
}

/** Reads what files say about GAIA; only what asks for no power or is granted holds (SPEC 2.10). Runs nothing; never throws. */
export async function openProject(place: ProjectPlace, { hashes }: Grants): Promise<OpenedProject> {
  const { directory, options, environment, clock } = place;
  const shipped = new Map(SPECIALISTS.map((specialist) => [specialist.name, defaultSteps(specialist)]));
  shipped.set(GAIA, GAIA_STEPS);
  const custom = await loadCustomSpecialists(directory, Object.keys(knownAgents([])), clock);
  const isCustom = (name: string): boolean => custom.definitions.some((each) => each.name === name);
  const gate = createGate(
    hashes,
    (agent) => (isCustom(agent) ? READER_STEPS : shipped.get(agent)),
    READER_STEPS,
  );
  const known = knownAgents(custom.definitions);
  const loaded = await loadConfig({
    userConfigDir: openCodeConfigFolder(environment),
    projectDirectory: directory,
    pluginOptions: options,
    areUsersOptions: await areUsers(options, place),
    knownAgents: known,
    restrain: gate.restrain,
    clock,
  });
  const own = custom.definitions.map((each) => (gate.admits(fileOf(each), each) ? each : asReader(each)));
  return { loaded, definitions: [...SPECIALISTS, ...own], known, customProblems: custom.problems, gate };
}

async function areUsers(options: unknown, { clock, environment }: ProjectPlace): Promise<boolean> {
  if (options === undefined || (isRecord(options) && Object.keys(options).length === 0)) return true;
  // The parser is for those who have written something.
  const { areUsersOptions } = await import("../trust/options-origin.ts");
  return areUsersOptions(options, clock, environment);
}
