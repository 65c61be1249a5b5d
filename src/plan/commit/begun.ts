import { mkdir, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import * as z from "zod/mini";
import { describeError } from "../../lib/error.ts";
import { parseJson } from "../../lib/json.ts";
import type { Logger } from "../../lib/logger.ts";
import { localFile, writeFileAtomic } from "../../record/store.ts";
import { orElse } from "../../lib/schema.ts";

/** Written down before git makes it: after a kill the next commit writes its entry into the record. */
const BegunCommitSchema = z.object({
  unit: orElse(z.nullable(z.string()), null),
  branch: z.string(),
  from: orElse(z.nullable(z.string()), null),
  tree: z.string(),
  what: z.string(),
  proof: z.string(),
});
export type BegunCommit = z.infer<typeof BegunCommitSchema>;

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
  return BegunCommitSchema.safeParse(parseJson(saved)).data ?? null;
}

export async function forgetBegun(project: string): Promise<void> {
  const path = await placeOf(project);
  if (path !== null) await rm(path, { force: true }).catch(() => undefined);
}
