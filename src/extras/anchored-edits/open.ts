import * as z from "zod/mini";
import { isEditor } from "../../agents/define.ts";
import type { Agents } from "../../agents/build.ts";
import type { ResolvedConfig } from "../../config/schema.ts";
import { defineFileTool, type FileTool } from "../../host/tool.ts";
import { lazy } from "../../lib/async.ts";
import { describe } from "../../lib/schema.ts";
import type { Extra } from "../extra.ts";
import type { Anchors, AnchorsInput } from "./anchors.ts";

const tool = {
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
};

export const ANCHORED_EDITS: Extra<typeof tool> = {
  tool,
  isOn: hasAnchoredEditing,
  isFor: ({ name, access }, config) => isEditor(access) && isAnchored(config, name),
};

type EditingConfig = Pick<ResolvedConfig, "editing" | "agents">;

/** Whether any specialist edits by anchors. */
export function hasAnchoredEditing({ editing, agents }: EditingConfig): boolean {
  return editing === "anchored" || Object.values(agents).some((override) => override.editing === "anchored");
}

function isAnchored({ editing, agents }: EditingConfig, name: string): boolean {
  return (agents[name]?.editing ?? editing) === "anchored";
}

/** What edits by anchors in a project, loaded at its first use. */
export function openAnchors(input: AnchorsInput): () => Promise<Anchors> {
  return lazy(async () => {
    const { createAnchors } = await import("./anchors.ts");
    return createAnchors(input);
  });
}

/** `edit_gaia`: changes a file by the lines that a reading of it showed, and never by what is not there any more. */
export function createEditTool({ anchors }: { anchors(this: void): Promise<Anchors> }): FileTool {
  return defineFileTool({
    ...tool,
    prepare: async (args, place) => (await anchors()).prepare(args, place),
  });
}

/** Whether the specialist of this session edits by anchors. */
export function editsByAnchors(
  { agents, config }: { readonly agents: Agents; readonly config: EditingConfig },
  { specialist }: { readonly specialist: string | null },
): boolean {
  const name = specialist ?? "";
  return agents.specialists.get(name)?.mutates === true && isAnchored(config, name);
}
