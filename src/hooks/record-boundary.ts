import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { Denial, defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";
import { type GaiaPath, resolveInsideGaia } from "../workspace/gaia-path.ts";

/**
 * Holds the historian's edits inside `.gaia/` by real path: OpenCode compares paths as text, and a link could lead out
 * of the folder (SPEC 9). What is configuration below it, the guard refuses as it does to every agent.
 */
export function createRecordBoundaryHook({ agents, sessions, host }: Runtime): HookDefinition {
  return defineHook({
    id: "record-boundary",
    event: "before-tool",
    why: "a gate: before anything that lets a call pass",
    onFailure: "closed",
    async run({ tool, sessionId, effect }) {
      const session = await sessions.find(sessionId);
      const historian = session?.specialist ?? null;
      // The only role whose edits OpenCode allows by path alone.
      if (agents.roleOf(historian) !== "historian" || effect.kind !== "edit") return;
      const [edit, ...more] = effect.edits;
      if (effect.isPatch || more.length > 0) {
        throw new Denial(
          `Refused: ${historian} writes the record with plan_gaia, edit or write, not with ${tool}.`,
        );
      }
      const resolved = await insideRecord(host, edit?.path ?? "");
      if (!resolved.ok)
        throw new Denial(`Refused: ${historian} writes only below .gaia/, and ${resolved.reason}.`);
      const [unit = "", ...rest] = resolved.inside.split("/");
      const isNew = rest.length > 0 && !(await isFolder(resolved.path.slice(0, -rest.join("/").length)));
      if (isNew || unit === "archive")
        throw new Denial(`Refused: ${historian} makes and closes no work unit; only GAIA does.`);
    },
  });
}

/** The edit is made from where the host runs, and the record may lie above. */
async function insideRecord({ directory, project }: Runtime["host"], path: string): Promise<GaiaPath> {
  return resolveInsideGaia(project, directory === project || path === "" ? path : resolve(directory, path));
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false; // What is not there is what this asks about.
  }
}
