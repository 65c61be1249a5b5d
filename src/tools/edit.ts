import type { ResolvedConfig } from "../config/schema.ts";
import { editingOf } from "../config/editing.ts";
import type { GaiaSession } from "../delegation/gaia-sessions.ts";
import { defineFileTool, type FileTool } from "../host/tool.ts";
import type { Runtime } from "../runtime.ts";
import { EDIT } from "./announced.ts";

/** `edit_gaia`: changes a file by the lines that a reading of it showed, and never by what is not there any more. */
export function createEditTool({ anchors }: Runtime): FileTool {
  return defineFileTool({
    ...EDIT,
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
