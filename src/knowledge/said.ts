import { join } from "node:path";
import { ownDataFolder } from "../lib/user-folders.ts";
import { createTrustStore, type TrustStore } from "../trust/store.ts";
import type { KnowledgeScope } from "./entry.ts";
import { knowledgeFolder } from "./files.ts";
import type { KnowledgePlace } from "./open.ts";

/** What an agent has written or committed is kept under its name in git, with this in front. */
export const BY_AGENT = "agent:";

/** What people said of knowledge, beside what they trust: in their own data folder, which GAIA's agents cannot write. */
export interface Said {
  /** By whose knowledge it is: that of the user's own holds in all of their projects. */
  readonly stores: Readonly<Record<KnowledgeScope, TrustStore>>;
  readonly path: string;
}

export function openSaid({ directory, environment, host }: KnowledgePlace): Said {
  const name = "knowledge.json";
  const folder = ownDataFolder(environment);
  const storeOf = (about: string): TrustStore => createTrustStore(folder, about, host.logger, name);
  const user = storeOf(knowledgeFolder("user", directory, environment));
  return { stores: { project: storeOf(directory), user }, path: join(folder, name) };
}
