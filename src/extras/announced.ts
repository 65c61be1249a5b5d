import * as z from "zod/mini";
import type { Agents } from "../agents/build.ts";
import { isEditor, type SpecialistDefinition } from "../agents/define.ts";
import type { ResolvedConfig } from "../config/schema.ts";
import type { AnnouncedTool } from "../host/tool.ts";
import { describe } from "../lib/schema.ts";
import { verbatim } from "../lib/tool-arguments.ts";

/**
 * A tool that works on the project, or tells others something, for specialists: what a call does is known before it runs. Each
 * is off until the configuration says otherwise; a start loads these words, and GAIA's features what it does.
 */
export interface Extra {
  readonly tool: AnnouncedTool;
  isOn(config: ResolvedConfig): boolean;
  /** Whether a specialist gets it, where it is on. */
  isFor(definition: SpecialistDefinition, config: ResolvedConfig): boolean;
  /** Permissions that it raises a dialog for. */
  readonly asks?: readonly string[];
  /** It calls what others bring, so that nothing is known of it but what the call declares. */
  readonly callsOthers?: true;
}

/** The arguments of a call. */
export type CallOf<Own extends Extra> = z.infer<z.ZodMiniObject<Own["tool"]["args"]>>;

/** Of the record, with which alone the historian works, these tools know nothing. */
function worksOnFiles({ access }: SpecialistDefinition): boolean {
  return access.edit !== "record";
}

export const AST = {
  tool: {
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
  },
  isOn: ({ ast }) => ast === "on",
  isFor: worksOnFiles,
} satisfies Extra;

/** Changes a file by the lines that a reading of it showed, and never by what is not there any more. */
export const ANCHORED_EDITS = {
  tool: {
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
  },
  isOn: ({ editing, agents }) =>
    editing === "anchored" || Object.values(agents).some((override) => override.editing === "anchored"),
  isFor: ({ name, access }, config) => isEditor(access) && isAnchored(config, name),
} satisfies Extra;

function isAnchored({ editing, agents }: Pick<ResolvedConfig, "editing" | "agents">, name: string): boolean {
  return (agents[name]?.editing ?? editing) === "anchored";
}

/** Whether the specialist of this session edits by anchors. */
export function editsByAnchors(
  { agents, config }: { readonly agents: Agents; readonly config: ResolvedConfig },
  { specialist }: { readonly specialist: string | null },
): boolean {
  const name = specialist ?? "";
  return agents.specialists.get(name)?.mutates === true && isAnchored(config, name);
}

export const LANGUAGE_SERVERS = {
  tool: {
    name: "code_gaia",
    description: "Ask the language server. rename changes every file that uses the symbol.",
    args: {
      op: z.enum(["diagnostics", "rename"]),
      file: describe(z.string(), "diagnostics: or a folder"),
      name: z.optional(describe(z.string(), "of the symbol")),
      line: z.optional(describe(z.int().check(z.gte(1)), "where it stands, from 1")),
      new_name: z.optional(z.string()),
    },
  },
  isOn: ({ code }) => code === "on",
  isFor: worksOnFiles,
} satisfies Extra;

/** The one gateway to the MCP servers that skills bring (SPEC 5). */
export const SKILL_SERVERS = {
  tool: {
    name: "skill_mcp",
    description: "Call a tool of a skill's MCP server. Without tool: lists its tools.",
    args: {
      server: z.string(),
      tool: z.optional(z.string()),
      arguments: z.optional(z.record(z.string(), z.unknown())),
    },
  },
  isOn: ({ skillServers }) => skillServers === "on",
  isFor: worksOnFiles,
  asks: ["skill_mcp: *"],
  callsOthers: true,
} satisfies Extra;
