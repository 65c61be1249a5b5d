import type { DefinitionOfDone } from "../config/definition-of-done.ts";
import { CONFIGURATION, loadDefinitionOfDone } from "../checks/definition-of-done/load.ts";
import { definitionPowers } from "../trust/file-powers.ts";
import type { Power } from "../trust/power.ts";
import { createTrustStore } from "../trust/store.ts";
import { silentLogger, type Logger } from "../lib/logger.ts";
import { ownDataFolder } from "../lib/user-folders.ts";
import { openProject, type OpenedProject, type ProjectPlace } from "./open.ts";

export interface TrustSurvey {
  readonly asked: readonly Power[];
  /** Those of them that do not hold. */
  readonly ungranted: readonly Power[];
  /** What holds without a yes and is worth a look. */
  readonly notices: readonly string[];
  /** Why nothing is trusted although something was granted; null where all is well. */
  readonly problem: string | null;
}

export interface ProjectTrust {
  survey(): Promise<TrustSurvey>;
  /** What of a Definition of Done does not hold; asked before each run, for files and grants change. */
  untrusted(definition: DefinitionOfDone, source: string): Promise<readonly Power[]>;
  refused(asked: readonly Power[]): Promise<readonly Power[]>;
  /** Only ever after the user said yes to exactly these. @throws GaiaError when it cannot be written */
  grant(powers: readonly Power[]): Promise<void>;
  /** Takes back a yes to these, or to all of this project. @returns how many @throws GaiaError as `grant` */
  revoke(powers: readonly Power[] | "all"): Promise<number>;
}

export async function openWithTrust(
  place: ProjectPlace,
  logger: Logger = silentLogger,
): Promise<{ opened: OpenedProject; trust: ProjectTrust }> {
  const { directory, environment } = place;
  const store = createTrustStore(ownDataFolder(environment), directory, logger);
  const open = async (): Promise<OpenedProject> => openProject(place, await store.read());
  /** As it was at the start: what the running instance works with. */
  const opened = await open();
  const refused = async (asked: readonly Power[]): Promise<readonly Power[]> => {
    if (asked.length === 0) return [];
    const { hashes } = await store.read();
    return asked.filter(({ hash }) => !hashes.has(hash));
  };
  const trust: ProjectTrust = {
    async survey() {
      const [{ gate, loaded }, { problem }] = await Promise.all([open(), store.read()]);
      const other =
        loaded.wanted.definitionOfDone === undefined ? await loadDefinitionOfDone(directory) : null;
      const checks = other?.kind === "found" ? definitionPowers(other.source, other.definition) : [];
      const asked = [...gate.powers, ...checks];
      return { asked, ungranted: await refused(asked), notices: gate.notices, problem };
    },
    async untrusted(definition, source) {
      const ofConfig = opened.gate.powers.filter(({ key }) => key.startsWith("definitionOfDone."));
      return refused(source === CONFIGURATION ? ofConfig : definitionPowers(source, definition));
    },
    refused,
    async grant(powers) {
      await store.grant(powers.map(({ hash }) => hash));
    },
    async revoke(powers) {
      return store.revoke(powers === "all" ? "all" : powers.map(({ hash }) => hash));
    },
  };
  return { opened, trust };
}
