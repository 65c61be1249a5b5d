import * as z from "zod/mini";
import { CODE_OPS } from "../code/open.ts";
import { defineFileTool, type FileTool } from "../host/tool.ts";
import { describe } from "../lib/schema.ts";
import type { Runtime } from "../runtime.ts";

/** `code_gaia` (SPEC 5): asks language servers, and renames what they know. */
export function createCodeTool({ code }: Runtime): FileTool {
  return defineFileTool({
    name: "code_gaia",
    description: "Ask the language server. rename changes every file that uses the symbol.",
    args: {
      op: z.enum(CODE_OPS),
      file: z.optional(z.string()),
      line: z.optional(describe(z.int().check(z.gte(1)), "from 1")),
      character: z.optional(z.int().check(z.gte(1))),
      query: z.optional(describe(z.string().check(z.minLength(1)), "symbol's name, instead of a position")),
      new_name: z.optional(z.string()),
    },
    prepare: code.prepare,
  });
}
