import * as z from "zod/mini";
import { lazy } from "../lib/async.ts";
import { describe } from "../lib/schema.ts";
import { choice, count, flag, list, text, words } from "./values.ts";

/** What the project itself calls done (SPEC 11), with every default filled in. */
export type DefinitionOfDone = z.output<ReturnType<typeof definitionOfDone>>;

export type WrittenDefinition = z.input<ReturnType<typeof definitionOfDone>>;

export type CheckDefinition = DefinitionOfDone["checks"][number];

export type ArtifactDefinition = DefinitionOfDone["artifacts"][number];

/** How much of the definition must hold: every check, at least one, or none (then only artifacts count). */
export type CheckGate = DefinitionOfDone["gate"];

export const definitionOfDone = lazy(() => describeDefinition(z.strictObject, text()));

/** The same in files that are not ours: unknown keys are theirs and are ignored, and so is space around a text. */
export const foreignDefinition = lazy(() =>
  describeDefinition(z.object, z.string().check(z.trim(), z.minLength(1))),
);

function describeDefinition(object: typeof z.strictObject, textSchema: z.ZodMiniString<string>) {
  const artifact = object({
    path: describe(textSchema, "Path or glob of the file, from the project's root."),
    optional: z._default(flag("Reports the file when it is missing without failing."), false),
  });
  const check = object({
    id: describe(textSchema, "Short name of the check, shown in results."),
    command: describe(textSchema, "Shell command; exit code 0 passes."),
    cwd: z.optional(words("Directory to run in, from the project's root.")),
    scope: z._default(choice(["full", "doc"], "doc: also runs when only documentation was changed."), "full"),
    timeoutSeconds: z._default(count(86_400, "Seconds after which the check is stopped and fails."), 300),
    writes: z.optional(list("Globs of files that the check may change; what else it changes is put back.")),
    network: z.optional(flag("Gives the check the network in its sandbox.")),
    uncontained: z.optional(flag("Runs the check without a sandbox.")),
  });
  return object({
    artifacts: z._default(describe(z.array(artifact), "Files that must exist."), []),
    checks: z._default(describe(z.array(check), "Commands that prove the work."), []),
    gate: z._default(choice(["all", "any", "none"], "How many of the checks must pass."), "all"),
  });
}
