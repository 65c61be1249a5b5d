import { mkdir, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { createError, describeError } from "../lib/error.ts";
import { isRecord, recordOf, type JsonRecord } from "../lib/json.ts";
import type { Logger } from "../lib/logger.ts";
import { codeOf } from "../workspace/gaia-path.ts";
import { removeLeftovers, writeFileAtomic } from "../workspace/store/atomic-file.ts";
import { acquireLock } from "../workspace/store/lock.ts";
import { readTextFile } from "../workspace/store/text-file.ts";

const FILE = "trust.json";
/** Raised when a file of an older version cannot be read as it is. */
const VERSION = 1;
/** How long another process may hold the file, in milliseconds. */
const LOCK_LIMIT_MS = 5_000;

/** What the user has said yes to in one project. */
export interface Grants {
  readonly hashes: ReadonlySet<string>;
  /** Why nothing is granted although a file is there; null where all is well. */
  readonly problem: string | null;
}

/** The user's yeses, kept by content hash in their own data folder, for one project (SPEC 2.10). */
export interface TrustStore {
  /** Reads the file as it is now. Never rejects: what cannot be read grants nothing, and says so. */
  read(): Promise<Grants>;
  /** @throws GaiaError when the file cannot be read or written; nothing is granted then */
  grant(hashes: readonly string[]): Promise<void>;
  /** Takes back what is named, or everything of this project. @throws GaiaError as `grant` */
  /** @returns how many of them there were */
  revoke(hashes: readonly string[] | "all"): Promise<number>;
}

/**
 * @param folder the user's data folder, made when it is first written to
 * @param name of the file, for other yeses than those to powers
 */
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

/** By real path of the project. @throws GaiaError for a file that is there and is none of ours */
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

/** So that the file is nobody else's from the beginning; later writes keep its mode. */
async function makePrivate(path: string): Promise<void> {
  try {
    await (await open(path, "wx", 0o600)).close();
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}
