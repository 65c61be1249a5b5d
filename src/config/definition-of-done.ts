import * as z from "zod";

const ArtifactSchema = z.strictObject({
  path: z.string().min(1).describe("Path or glob of the file, from the project's root."),
  optional: z.boolean().default(false).describe("Reports the file when it is missing without failing."),
});

const CheckSchema = z.strictObject({
  id: z.string().min(1).describe("Short name of the check, shown in results."),
  command: z.string().min(1).describe("Shell command; exit code 0 passes."),
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

/** What has to hold before work counts as done (SPEC 11). */
export const DefinitionOfDoneSchema = z.strictObject({
  artifacts: z.array(ArtifactSchema).default([]).describe("Files that must exist."),
  checks: z.array(CheckSchema).default([]).describe("Commands that prove the work."),
  gate: z.enum(["all", "any", "none"]).default("all").describe("How many of the checks must pass."),
});
