import * as z from "zod/mini";
import { describe } from "../lib/schema.ts";
import { choice, list } from "./values.ts";
import { AgentOverrideSchema, type AgentOverride, EDITING } from "./agent-override.ts";
import {
  DEFAULTS,
  knob,
  LanesSchema,
  SandboxSchema,
  SECTIONS,
  SkillsSchema,
  withDefaults,
} from "./sections.ts";

const CADENCE =
  "How often GAIA stops for your feedback, on autopilot too where it is set; absent, it is wave where you are asked, and never on autopilot.";

/**
 * The whole configuration (SPEC 7), strict at every level. Its defaults are filled in by parsing, so parse only what
 * has been merged; the agents' own defaults are not here but with each agent.
 * @param knownAgents names that `agents` may hold, custom specialists included
 */
export function createConfigSchema(knownAgents: readonly string[]) {
  const entries = knownAgents.map((name) => [name, z.optional(AgentOverrideSchema)] as const);
  // Typed as present: that a name may be missing is already what a lookup in a record says.
  const agents = Object.fromEntries(entries) as Record<string, z.ZodMiniType<AgentOverride, AgentOverride>>;
  return z.strictObject({
    $schema: describe(z.optional(z.string()), "Address of this schema, for completion in editors."),
    ...withDefaults(DEFAULTS, {
      preset: choice(
        ["budget", "balanced", "premium", "local"],
        "Sets the models of all agents at once; keys under agents win.",
      ),
      mode: knob("mode"),
      visibility: knob("visibility"),
      interaction: knob("interaction"),
      reviewDepth: knob("reviewDepth"),
      sandbox: describe(
        SandboxSchema,
        "Which commands run contained: auto is those that nobody looks at before, on is all. machine: this machine is a throwaway (a container), so commands run without a sandbox, and you are not asked for that. As an object: mode, network (true leaves it on), writable (absolute paths beside the project), hooks (uncontained: the repository's hooks run as they are at a commit of the host).",
      ),
      hands: choice(
        ["off", "on"],
        "on: code and ast are on and lanes auto, where nothing else is said of them.",
      ),
      lanes: describe(
        LanesSchema,
        "Which editing tasks of a plan get a worktree: auto is several of one wave. As an object: mode, copy (globs of ignored files that it needs), setup (a command that makes it ready, such as npm ci), network (true: with the network), land (branch: the work of a unit stands on gaia/<unit>, not in your tree).",
      ),
      ast: choice(
        ["off", "on"],
        "on: specialists search and rewrite code by its structure with ast_gaia, which runs your ast-grep.",
      ),
      editing: choice(
        EDITING,
        "anchored: editing specialists change files with edit_gaia, by hashes of the lines that they read, and not with OpenCode's edit.",
      ),
      code: choice(["off", "on"], "on: specialists ask language servers (docs/code.md)."),
      specialistTools: list("Tools of MCP servers and other plugins for all specialists, as globs."),
      skills: describe(
        SkillsSchema,
        "Which skill a specialist is given with which files, beside those that say so themselves (triggers in SKILL.md).",
      ),
      skillServers: choice(
        ["off", "on"],
        "on: specialists reach the MCP servers that skills bring (mcp in SKILL.md) by skill_mcp; you are asked before one is started.",
      ),
      learn: choice(
        ["ask", "own-words"],
        "own-words: what you say where you refuse or take back a change counts at once; else it waits for your yes.",
      ),
    }),
    checkinCadence: describe(z.optional(knob("checkinCadence")), CADENCE),
    ...SECTIONS,
    agents: describe(z.prefault(z.strictObject(agents), {}), "Overrides per agent, by its name."),
  });
}

export type ConfigSchema = ReturnType<typeof createConfigSchema>;

/** A merged configuration with every default filled in; `agents` holds overrides and the preset's models only. */
export type ResolvedConfig = z.output<ConfigSchema>;
