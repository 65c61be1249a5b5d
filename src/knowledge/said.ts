import { join } from "node:path";
import { ownDataFolder } from "../lib/user-folders.ts";
import { createTrustStore, type TrustStore } from "../trust/store.ts";
import type { KnowledgePlace } from "./open.ts";

/** What an agent has committed is kept under its name in git, with this in front. */
export const BY_AGENT = "agent:";

/** What people said of a project's knowledge, beside what they trust: in their own data folder, which GAIA's agents cannot write. */
export function openSaid({ directory, environment, host }: KnowledgePlace): {
  readonly store: TrustStore;
  readonly path: string;
} {
  const name = "knowledge.json";
  const folder = ownDataFolder(environment);
  return { store: createTrustStore(folder, directory, host.logger, name), path: join(folder, name) };
}
