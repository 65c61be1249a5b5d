import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { describeError } from "../../lib/error.ts";
import { parseJson, recordOf, textOf } from "../../lib/json.ts";
import type { Logger } from "../../lib/logger.ts";
import { localFile } from "../../record/gaia-path.ts";
import { writeFileAtomic } from "../../record/store/atomic-file.ts";

/** Written down before git makes it: after a kill the next commit writes its entry into the record. */
export interface BegunCommit {
  readonly unit: string | null;
  readonly branch: string;
  readonly from: string | null;
  readonly tree: string;
  readonly what: string;
  readonly proof: string;
}

const NAME = "commit.json";

async function placeOf(project: string): Promise<string | null> {
  return localFile(project, NAME, "Remove that link.").catch(() => null);
}

/** Never rejects: a commit is made all the same. */
export async function saveBegun(project: string, begun: BegunCommit, logger: Logger): Promise<void> {
  try {
    const path = await placeOf(project);
    if (path === null) return;
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, `${JSON.stringify(begun)}\n`, async () => true);
  } catch (error) {
    logger.log("warn", "commit", describeError(error));
  }
}

export async function loadBegun(project: string): Promise<BegunCommit | null> {
  const path = await placeOf(project);
  const saved = path === null ? "" : await readFile(path, "utf8").catch(() => "");
  const { unit, from, ...rest } = recordOf(parseJson(saved));
  const [branch, tree] = [textOf(rest["branch"]), textOf(rest["tree"])];
  const [what, proof] = [textOf(rest["what"]), textOf(rest["proof"])];
  if (branch === undefined || tree === undefined || what === undefined || proof === undefined) return null;
  return { unit: textOf(unit) ?? null, branch, from: textOf(from) ?? null, tree, what, proof };
}

export async function forgetBegun(project: string): Promise<void> {
  const path = await placeOf(project);
  if (path !== null) await rm(path, { force: true }).catch(() => undefined);
}
