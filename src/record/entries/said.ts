import { join } from "node:path";
import { ownDataFolder } from "../../lib/user-folders.ts";
import type { Logger } from "../../lib/logger.ts";
import type { KnowledgeScope } from "./entry.ts";
import { knowledgeFolder } from "./files.ts";
import type { KnowledgePlace } from "./open.ts";

/** What an agent has written is kept under its name in git, with this in front. */
export const BY_AGENT = "agent:";
/** In front of what a yes would be kept under, of what a person wrote while no agent of GAIA's was at work. */
export const BY_PERSON = "person:";

/** What the user has said yes to, by content hash. */
export interface Grants {
  readonly hashes: ReadonlySet<string>;
  /** Why nothing is granted although a file is there; null where all is well. */
  readonly problem: string | null;
}

export interface SaidStore {
  read(): Promise<Grants>;
  grant(hashes: readonly string[]): Promise<void>;
  /** @throws GaiaError as `grant`. @returns how many there were */
  revoke(hashes: readonly string[] | "all"): Promise<number>;
}

/** Opens one in the user's data folder. @param about the project @param name of the file */
export type OpenSaidStore = (folder: string, about: string, logger: Logger, name: string) => SaidStore;

/** What people said of knowledge, beside what they trust: in their own data folder, which GAIA's agents cannot write. */
export interface Said {
  /** By whose knowledge it is: that of the user's own holds in all of their projects. */
  readonly stores: Readonly<Record<KnowledgeScope, SaidStore>>;
  readonly path: string;
}

export function openSaid({ directory, environment, host, openStore }: KnowledgePlace): Said {
  const name = "knowledge.json";
  const folder = ownDataFolder(environment);
  const storeOf = (about: string): SaidStore => openStore(folder, about, host.logger, name);
  const user = storeOf(knowledgeFolder("user", directory, environment));
  return { stores: { project: storeOf(directory), user }, path: join(folder, name) };
}
