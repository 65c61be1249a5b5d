import { readFile, writeFile } from "node:fs/promises";
import { findCommitHook, type FoundHook } from "./commit-hook.ts";
import { adviceOn } from "./managers.ts";

/** A hook that was installed and does not check commits any more. */
export interface LostHook {
  readonly what: string;
  readonly fix: string;
}

const TOLD = "told\n";

/** What there is to say where git does not run the installed hook any more; null where it does, or was never asked to. */
export function describeLost(found: FoundHook): LostHook | null {
  if (found.lost === null) return null;
  const gone = "The commit hook that ran opencode-gaia check is not run any more";
  const fix = "Put it in again with opencode-gaia hook install, or give it up with opencode-gaia hook remove";
  if (found.kind === "none") return { what: `${gone}. ${found.why}`, fix: `${fix}.` };
  const advice = adviceOn(found.hook.manager);
  return {
    what: `${gone}: its lines are not in ${found.hook.path}, or that may not be executed.`,
    fix: advice === null ? `${fix}.` : `${fix}: ${advice}.`,
  };
}

/** The same, once for each loss, whichever process asks; a hook that runs is remembered, so that its loss is one. */
export async function takeLost(directory: string): Promise<LostHook | null> {
  const found = await findCommitHook(directory);
  if (found.lost !== null) {
    if ((await readFile(found.lost, "utf8")) === TOLD) return null;
    await writeFile(found.lost, TOLD);
  } else if (found.kind === "found" && found.hook.isInstalled) {
    const known = await readFile(found.hook.mark, "utf8").catch(() => null);
    if (known !== "") await writeFile(found.hook.mark, "");
  }
  return describeLost(found);
}
