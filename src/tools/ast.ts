import * as z from "zod/mini";
import { defineFileTool, type FileTool } from "../host/tool.ts";
import { systemClock } from "../lib/clock.ts";
import { describe } from "../lib/schema.ts";
import type { Runtime } from "../runtime.ts";

/** `ast_gaia`: finds and rewrites code by its structure, with the user's own ast-grep. */
export function createAstTool({ host, vcs, clock, config }: Runtime): FileTool {
  const since = systemClock.now();
  return defineFileTool({
    name: "ast_gaia",
    description:
      "Search code by structure with ast-grep; with rewrite, preview the change, and make it with dry_run false. Not in strings or comments.",
    args: {
      pattern: describe(z.string(), "code; $A one node, $$$A any number"),
      lang: z.string(),
      paths: z.optional(z.array(z.string())),
      globs: z.optional(z.array(z.string())),
      rewrite: z.optional(z.string()),
      dry_run: z.optional(z.boolean()),
    },
    async prepare(args, place) {
      // Most sessions never come to it.
      const { prepareAst } = await import("../editing/editors.ts");
      const { project, worktree } = host;
      const { allowSensitive } = config.policy;
      const environment = process.env;
      return prepareAst(args, place, { project, worktree, vcs, environment, clock, since, allowSensitive });
    },
  });
}
