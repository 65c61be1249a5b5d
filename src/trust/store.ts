import { mkdir, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { createError, describeError, type Logger } from "../lib/error.ts";
import { isRecord, recordOf, type JsonRecord } from "../lib/json.ts";
import type { SaidStore } from "../record/knowledge.ts";
import { codeOf, removeLeftovers, writeFileAtomic, readTextFile, acquireLock } from "../record/store.ts";

const FILE = "trust.json";
/** Raised when a file of an older version cannot be read as it is. */
const VERSION = 1;
/** How long another process may hold the file, in milliseconds. */
const LOCK_LIMIT_MS = 5_000;

/** The user's yeses, kept by content hash in their own data folder, for one project (SPEC 2.10). */
export type TrustStore = SaidStore;

/** @param folder the user's data folder, made when it is first written to @param name of the file, for other yeses than those to powers */
export function createTrustStore(folder: string, directory: string, logger: Logger, name = FILE): TrustStore {
  const path = join(folder, name);

  const change = async (edit: (granted: JsonRecord) => JsonRecord): Promise<void> => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const lease = await acquireLock(
      join(folder, `${name.replace(/\.json$/, "")}.lock`),
      LOCK_LIMIT_MS,
      logger,
    );
    try {
      const projects = await readProjects(path);
      const project = await realpath(directory);
      const granted = edit(recordOf(projects[project]));
      const { [project]: _before, ...others } = projects;
      const all = Object.keys(granted).length === 0 ? others : { ...others, [project]: granted };
      await removeLeftovers(folder);
      await makePrivate(path);
      const text = `${JSON.stringify({ version: VERSION, projects: all }, null, 1)}\n`;
      const isWritten = await writeFileAtomic(path, text, async () => lease.confirm());
      if (!isWritten) throw createError("trust", `${path} was not written.`, { hint: "Try again." });
    } finally {
      await lease.release();
    }
  };

  return {
    async read() {
      try {
        const projects = await readProjects(path);
        return {
          hashes: new Set(Object.keys(recordOf(projects[await realpath(directory)]))),
          problem: null,
        };
      } catch (error) {
        return { hashes: new Set(), problem: describeError(error) };
      }
    },
    async grant(hashes) {
      const at = new Date().toISOString();
      await change((granted) => ({ ...granted, ...Object.fromEntries(hashes.map((hash) => [hash, at])) }));
    },
    async revoke(hashes) {
      let taken = 0;
      await change((granted) => {
        const all = Object.entries(granted);
        const kept = all.filter(([hash]) => hashes !== "all" && !hashes.includes(hash));
        taken = all.length - kept.length;
        return Object.fromEntries(kept);
      });
      return taken;
    },
  };
}

/** By real path of the project. @throws GaiaError for a file that is there and not ours */
async function readProjects(path: string): Promise<JsonRecord> {
  const file = await readTextFile(path, path);
  if (file === null || file.text === "") return {};
  const hint = "Nothing is trusted until it is repaired or deleted.";
  let content: unknown;
  try {
    content = JSON.parse(file.text);
  } catch (cause) {
    throw createError("trust", `${path} is not valid JSON.`, { cause, hint });
  }
  const { version, projects } = recordOf(content);
  if (version === VERSION && isRecord(projects)) return projects;
  throw createError("trust", `${path} is not of version ${VERSION}.`, { hint });
}

/** Only its owner may read it, from the beginning; later writes keep its mode. */
async function makePrivate(path: string): Promise<void> {
  try {
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
