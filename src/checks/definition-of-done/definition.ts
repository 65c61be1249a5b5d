import * as z from "zod";
import { lazy } from "../../lib/lazy.ts";

/** How much of the definition must hold: every check, at least one, or none (then only artifacts count). */
export type Gate = "all" | "any" | "none";

/** One command that proves something about the project. */
export interface CheckDefinition {
  id: string;
  /** A shell command in the user's own words; it is handed to the shell untouched. */
  command: string;
  /** Folder to run in, relative to the project; the project itself when absent. */
  cwd?: string | undefined;
  /** `doc` marks the checks that documentation work must pass; absent means `full`. */
  scope?: "full" | "doc" | undefined;
  /** Seconds before the command and all it started are ended; 300 when absent. */
  timeoutSeconds?: number | undefined;
}

/** A file or folder that must exist in the end; `path` is a glob below the project. */
export interface ArtifactDefinition {
  path: string;
  /** A missing optional artifact is reported and does not fail the gate. */
  optional?: boolean | undefined;
}

/** What the project itself calls done (SPEC 11). */
export interface DefinitionOfDone {
  artifacts: ArtifactDefinition[];
  checks: CheckDefinition[];
  gate: Gate;
}

/**
 * The shape as other agencies write it, in files that are not ours: unknown keys are theirs and are ignored, and
 * each of the three keys may be absent.
 */
export const foreignDefinition = lazy(() => {
  const check = z.object({
    id: z.string().trim().min(1),
    command: z.string().trim().min(1),
    cwd: z.string().min(1).optional(),
    scope: z.enum(["full", "doc"]).optional(),
    timeoutSeconds: z.number().positive().optional(),
  });
  const artifact = z.object({ path: z.string().trim().min(1), optional: z.boolean().optional() });
  return z.object({
    artifacts: z.array(artifact).default([]),
    checks: z.array(check).default([]),
    gate: z.enum(["all", "any", "none"]).default("all"),
  });
});
