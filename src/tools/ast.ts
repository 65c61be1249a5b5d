import { defineFileTool, type FileTool } from "../host/tool.ts";
import type { Runtime } from "../runtime.ts";
import { AST } from "./announced.ts";

/** `ast_gaia`: finds and rewrites code by its structure, with the user's own ast-grep. */
export function createAstTool({ host, vcs, clock, config, began }: Runtime): FileTool {
  return defineFileTool({
    ...AST,
    async prepare(args, place) {
      // Most sessions never come to it.
      const { prepareAst } = await import("../extras/ast/tool.ts");
      const { project, worktree } = host;
      const { allowSensitive } = config.policy;
      const environment = process.env;
      return prepareAst(args, place, {
        project,
        worktree,
        vcs,
        environment,
        clock,
        since: began.day,
        allowSensitive,
      });
    },
  });
}
