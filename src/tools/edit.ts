import * as z from "zod/mini";
import type { ResolvedConfig } from "../config/schema.ts";
import { editingOf } from "../config/editing.ts";
import type { GaiaSession } from "../delegation/gaia-sessions.ts";
import { defineFileTool, type FileTool } from "../host/tool.ts";
import { describe } from "../lib/schema.ts";
import type { Runtime } from "../runtime.ts";

/** `edit_gaia`: changes a file by the lines that a reading of it showed, and never by what is not there any more. */
export function createEditTool({ anchors }: Runtime): FileTool {
  return defineFileTool({
    name: "edit_gaia",
    description:
      'Change a file you have read, in place of edit: lines by their anchors, "12#k3f9", all edits or none. insert_after "0" is the top.',
    args: {
      file: z.string(),
      edits: z.array(
        z.object({
          op: z.enum(["replace", "insert_after", "delete"]),
          from: describe(z.string(), "anchor"),
          to: z.optional(z.string()),
          lines: z.optional(z.union([z.array(z.string()), z.string()])),
        }),
      ),
    },
    prepare: async (args, place) => (await anchors()).prepare(args, place),
  });
}

/** Whether the specialist of this session edits by anchors. */
export function editsByAnchors(
  { agents, config }: { readonly agents: Runtime["agents"]; readonly config: ResolvedConfig },
  { specialist }: Pick<GaiaSession, "specialist">,
): boolean {
  const mutates = agents.specialists.get(specialist ?? "")?.mutates === true;
  return mutates && editingOf(config, specialist ?? "") === "anchored";
}
