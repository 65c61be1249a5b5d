import * as z from "zod/mini";
import type { ResolvedConfig } from "../../config/schema.ts";
import type { Host } from "../../host/port.ts";
import { defineFileTool, type FileTool } from "../../host/tool.ts";
import { verbatim } from "../../lib/tool-arguments.ts";
import type { Clock } from "../../lib/async.ts";
import { describe } from "../../lib/schema.ts";
import type { ContainedPrograms } from "../../sandbox/load.ts";
import type { Vcs } from "../../snapshot/vcs.ts";
import { type Extra, worksOnFiles } from "../extra.ts";

const tool = {
  name: "ast_gaia",
  description:
    "Search code by structure with ast-grep; with rewrite, preview the change, and make it with dry_run false. Not in strings or comments.",
  args: {
    pattern: describe(z.string(), "code; $A one node, $$$A any number"),
    lang: z.string(),
    paths: z.optional(z.array(z.string())),
    rewrite: z.optional(verbatim(z.string())),
    dry_run: z.optional(z.boolean()),
  },
};

export const AST: Extra<typeof tool> = { tool, isOn: ({ ast }) => ast === "on", isFor: worksOnFiles };

export type AstCall = z.infer<z.ZodMiniObject<typeof tool.args>>;

export interface AstNeeds {
  readonly host: Pick<Host, "project" | "worktree">;
  readonly vcs: Pick<Vcs, "isIgnored">;
  readonly contained: ContainedPrograms;
  readonly clock: Clock;
  readonly config: { readonly policy: Pick<ResolvedConfig["policy"], "allowSensitive"> };
  /** When OpenCode came to this project. */
  readonly began: { readonly day: number };
  readonly environment?: NodeJS.ProcessEnv;
}

/** `ast_gaia`: finds and rewrites code by its structure, with the user's own ast-grep. */
export function createAstTool(needs: AstNeeds): FileTool {
  return defineFileTool({
    ...tool,
    async prepare(args, place) {
      const { prepareAst } = await import("./tool.ts");
      return prepareAst(args, place, needs);
    },
  });
}
