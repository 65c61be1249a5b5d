import * as z from "zod";
import { lazy } from "../lib/lazy.ts";

/** What the project itself calls done (SPEC 11), with every default filled in. */
export type DefinitionOfDone = z.output<ReturnType<typeof definitionOfDone>>;

/** The same as a user writes it. */
export type WrittenDefinition = z.input<ReturnType<typeof definitionOfDone>>;

/** One command that proves something about the project. */
export type CheckDefinition = DefinitionOfDone["checks"][number];

/** A file or folder that must exist in the end. */
export type ArtifactDefinition = DefinitionOfDone["artifacts"][number];

/** How much of the definition must hold: every check, at least one, or none (then only artifacts count). */
export type Gate = DefinitionOfDone["gate"];

/** The schema of the definition in GAIA's own configuration. */
export const definitionOfDone = lazy(() => describeDefinition(z.strictObject, z.string().min(1)));

/** The same in files that are not ours: unknown keys are theirs and are ignored, and so is space around a text. */
export const foreignDefinition = lazy(() => describeDefinition(z.object, z.string().trim().min(1)));

function describeDefinition(object: typeof z.strictObject, text: z.ZodString) {
  const artifact = object({
    path: text.describe("Path or glob of the file, from the project's root."),
    optional: z.boolean().default(false).describe("Reports the file when it is missing without failing."),
  });
  const check = object({
    id: text.describe("Short name of the check, shown in results."),
    command: text.describe("Shell command; exit code 0 passes."),
    cwd: z.string().min(1).optional().describe("Directory to run in, from the project's root."),
    scope: z
      .enum(["full", "doc"])
      .default("full")
      .describe("doc: also runs when only documentation was changed."),
    timeoutSeconds: z
      .int()
      .min(1)
      .max(86_400)
      .default(300)
      .describe("Seconds after which the check is stopped and fails."),
  });
  return object({
    artifacts: z.array(artifact).default([]).describe("Files that must exist."),
    checks: z.array(check).default([]).describe("Commands that prove the work."),
    gate: z.enum(["all", "any", "none"]).default("all").describe("How many of the checks must pass."),
  });
}
