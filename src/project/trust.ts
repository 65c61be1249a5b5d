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

export type ProjectTrust = Awaited<ReturnType<typeof openWithTrust>>["trust"];

export async function openWithTrust(place: ProjectPlace, logger: Logger = silentLogger) {
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
  const trust = {
    async survey(): Promise<TrustSurvey> {
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
