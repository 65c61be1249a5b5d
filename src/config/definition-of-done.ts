import * as z from "zod/mini";
import { lazy } from "../lib/async.ts";
import { describe } from "../lib/schema.ts";

/** What the project itself calls done (SPEC 11), with every default filled in. */
export type DefinitionOfDone = z.output<ReturnType<typeof definitionOfDone>>;

export type WrittenDefinition = z.input<ReturnType<typeof definitionOfDone>>;

export type CheckDefinition = DefinitionOfDone["checks"][number];

export type ArtifactDefinition = DefinitionOfDone["artifacts"][number];

/** How much of the definition must hold: every check, at least one, or none (then only artifacts count). */
export type CheckGate = DefinitionOfDone["gate"];

export const definitionOfDone = lazy(() =>
  describeDefinition(z.strictObject, z.string().check(z.minLength(1))),
);

/** The same in files that are not ours: unknown keys are theirs and are ignored, and so is space around a text. */
export const foreignDefinition = lazy(() =>
  describeDefinition(z.object, z.string().check(z.trim(), z.minLength(1))),
);

function describeDefinition(object: typeof z.strictObject, text: z.ZodMiniString<string>) {
  const artifact = object({
    path: describe(text, "Path or glob of the file, from the project's root."),
    optional: describe(
      z._default(z.boolean(), false),
      "Reports the file when it is missing without failing.",
    ),
  });
  const check = object({
    id: describe(text, "Short name of the check, shown in results."),
    command: describe(text, "Shell command; exit code 0 passes."),
    cwd: describe(
      z.optional(z.string().check(z.minLength(1))),
      "Directory to run in, from the project's root.",
    ),
    scope: describe(
      z._default(z.enum(["full", "doc"]), "full"),
      "doc: also runs when only documentation was changed.",
    ),
    timeoutSeconds: describe(
      z._default(z.int().check(z.gte(1), z.lte(86_400)), 300),
      "Seconds after which the check is stopped and fails.",
    ),
    writes: describe(
      z.optional(z.array(z.string().check(z.minLength(1)))),
      "Globs of files that the check may change; what else it changes is put back.",
    ),
    network: describe(z.optional(z.boolean()), "Gives the check the network in its sandbox."),
    uncontained: describe(z.optional(z.boolean()), "Runs the check without a sandbox."),
  });
  return object({
    artifacts: describe(z._default(z.array(artifact), []), "Files that must exist."),
    checks: describe(z._default(z.array(check), []), "Commands that prove the work."),
    gate: describe(z._default(z.enum(["all", "any", "none"]), "all"), "How many of the checks must pass."),
  });
}
