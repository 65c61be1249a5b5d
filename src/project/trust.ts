import type { DefinitionOfDone } from "../config/definition-of-done.ts";
import { CONFIGURATION, loadDefinitionOfDone } from "../checks/definition-of-done/load.ts";
import { definitionPowers } from "../trust/file-powers.ts";
import type { Power } from "../trust/power.ts";
import { createTrustStore } from "../trust/store.ts";
import { silentLogger, type Logger } from "../lib/error.ts";
import { defaultSteps, GAIA_STEPS, READER_STEPS } from "../agents/build.ts";
import { GAIA } from "../agents/gaia.ts";
import { asReader, fileOf, loadCustomSpecialists } from "../agents/custom/load.ts";
import type { SpecialistDefinition } from "../agents/define.ts";
import { knownAgents, SPECIALISTS } from "../agents/registry.ts";
import { loadConfig } from "../config/loader.ts";
import type { Clock } from "../lib/async.ts";
import { isRecord } from "../lib/json.ts";
import { openCodeConfigFolder, ownDataFolder } from "../lib/folders.ts";
import { createGate } from "../trust/gate.ts";
import type { Grants } from "../record/knowledge.ts";

export interface ProjectPlace {
  readonly directory: string;
  /** The second element of the plugin's entry in opencode.json; undefined when it has none. */
  readonly options: unknown;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

/** Reads what files say about GAIA; only what asks for no power or is granted holds (SPEC 2.10). Runs nothing; never throws. */
async function openProject(place: ProjectPlace, { hashes }: Grants) {
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
  const definitions: readonly SpecialistDefinition[] = [...SPECIALISTS, ...own];
  return { loaded, definitions, known, customProblems: custom.problems, gate };
}

async function areUsers(options: unknown, { clock, environment }: ProjectPlace): Promise<boolean> {
  if (options === undefined || (isRecord(options) && Object.keys(options).length === 0)) return true;
  // The parser is for those who have written something.
  const { areUsersOptions } = await import("../trust/options-origin.ts");
  return areUsersOptions(options, clock, environment);
}

export type ProjectTrust = Awaited<ReturnType<typeof openWithTrust>>["trust"];
export type TrustSurvey = Awaited<ReturnType<ProjectTrust["survey"]>>;

export async function openWithTrust(place: ProjectPlace, logger: Logger = silentLogger) {
  const { directory, environment } = place;
  const store = createTrustStore(ownDataFolder(environment), directory, logger);
  const open = async () => openProject(place, await store.read());
  /** As it was at the start: what the running instance works with. */
  const opened = await open();
  const refused = async (asked: readonly Power[]): Promise<readonly Power[]> => {
    if (asked.length === 0) return [];
    const { hashes } = await store.read();
    return asked.filter(({ hash }) => !hashes.has(hash));
  };
  const trust = {
    /**
     * What is asked for and what of it does not hold; notices: what holds without a yes and is worth a look; problem: why nothing
     * is trusted although something was granted, null where all is well.
     */
    async survey() {
      const [{ gate, loaded }, { problem }] = await Promise.all([open(), store.read()]);
      const other =
        loaded.wanted.definitionOfDone === undefined ? await loadDefinitionOfDone(directory) : null;
      const checks = other?.kind === "found" ? definitionPowers(other.source, other.definition) : [];
      const asked = [...gate.powers, ...checks];
      return { asked, ungranted: await refused(asked), notices: gate.notices, problem };
    },
    /** What of a Definition of Done does not hold; asked before each run, for files and grants change. */
    async untrusted(definition: DefinitionOfDone, source: string): Promise<readonly Power[]> {
      const ofConfig = opened.gate.powers.filter(({ key }) => key.startsWith("definitionOfDone."));
      return refused(source === CONFIGURATION ? ofConfig : definitionPowers(source, definition));
    },
    refused,
    /** Only ever after the user said yes to exactly these. @throws GaiaError when it cannot be written */
    async grant(powers: readonly Power[]): Promise<void> {
      await store.grant(powers.map(({ hash }) => hash));
    },
    /** Takes back a yes to these, or to all of this project. @returns how many @throws GaiaError as `grant` */
    async revoke(powers: readonly Power[] | "all"): Promise<number> {
      return store.revoke(powers === "all" ? "all" : powers.map(({ hash }) => hash));
    },
  };
  return { opened, trust };
}
