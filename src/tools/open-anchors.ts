import { join } from "node:path";
import { createWorkStore } from "../conversation/own-work/store.ts";
import type { Anchors } from "../extras/anchored-edits/anchors.ts";
import { lazy } from "../lib/lazy.ts";
import type { Logger } from "../lib/logger.ts";
import type { Redactor } from "../lib/redaction.ts";
import { ownDataFolder } from "../lib/user-folders.ts";

/** What edits by anchors in a project, loaded at its first use; what sessions have seen is kept with the user's own data. */
export function openAnchors(
  project: string,
  logger: Logger,
  redact: Redactor,
  allowSensitive: readonly string[],
): { anchors(this: void): Promise<Anchors>; settled(this: void): Promise<void> } {
  const store = createWorkStore(join(ownDataFolder(process.env), "editing"), project, logger);
  const anchors = lazy(async () => {
    const { createAnchors } = await import("../extras/anchored-edits/anchors.ts");
    return createAnchors({ store, redact, allowSensitive });
  });
  return { anchors, settled: store.settled };
}
