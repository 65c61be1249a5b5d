import { defineFileTool, type FileTool } from "../host/tool.ts";
import type { Runtime } from "../runtime.ts";
import { CODE } from "./announced.ts";

/** `code_gaia` (SPEC 5): asks language servers, and renames what they know. */
export function createCodeTool({ code }: Runtime): FileTool {
  return defineFileTool({
    ...CODE,
    prepare: code.prepare,
  });
}
