import type { PermissionAction, PermissionNames, PermissionRules } from "../host/hook-events.ts";
import type { Access } from "./define.ts";

/** OpenCode's own defaults for reading; ours must repeat them because `*: deny` comes before. */
const READ_RULES = { "*": "allow", "*.env": "ask", "*.env.*": "ask", "*.env.example": "allow" } as const;

/** The tools that every agent of ours has. */
const reading = ({ command, outside, malformed, ownSkill }: PermissionNames): PermissionRules => ({
  // Each command raises a request: the plugin answers those that run in the sandbox, a person the others (SPEC 9).
  [command]: "ask",
  read: READ_RULES,
  grep: "allow",
  glob: "allow",
  // The host's own skill is about its configuration: a kilobyte of text in every request of an agent that has it.
  skill: { "*": "allow", [ownSkill]: "deny" },
  [outside]: "ask",
  // Where it is denied, the model does not read why its call failed.
  [malformed]: "allow",
});

/** The record as seen from the worktree, which may lie above the project. The exact boundary is a hook's (SPEC 9). */
const RECORD_ONLY = { "*": "deny", ".gaia/*": "allow", "*/.gaia/*": "allow" } as const;

/** The permissions of a specialist: deny everything, then allow what SPEC 3 grants. The last matching rule wins, so `*` stands first. */
export function specialistPermission(
  access: Access,
  specialistTools: readonly string[],
  names: PermissionNames,
): PermissionRules {
  return {
    "*": "deny",
    // What such a tool does is unknown, so it counts as a change and is asked for (SPEC 9).
    ...Object.fromEntries(specialistTools.map((name) => [name, "ask" as const])),
    ...reading(names),
    ...(access.commands === false ? { [names.command]: "deny" as const } : {}),
    edit: access.edit === "record" ? RECORD_ONLY : access.edit,
    [names.web]: access.web ? "allow" : "deny",
    // OpenCode asks about the third of the same call in one answer, and ends the task where that is denied; a specialist that
    // does nothing else is ended by the plugin's own bound.
    [names.repetition]: "allow",
    ...allowAll(access.tools ?? []),
  };
}

/**
 * GAIA's permissions: it reads, asks and delegates.
 * @param ownTools the tools of this plugin
 * @param approvals permissions of this plugin that raise a dialog, and must therefore be set explicitly
 * @param opens a pattern of folders outside of the project that it reads as well
 */
export function gaiaPermission(
  ownTools: readonly string[],
  approvals: readonly string[],
  names: PermissionNames,
  opens?: string,
): PermissionRules {
  return {
    "*": "deny",
    ...reading(names),
    ...(opens === undefined ? {} : { [names.outside]: { "*": "ask" as const, [opens]: "allow" as const } }),
    [names.web]: "allow",
    question: "allow",
    [names.todos]: "allow",
    [names.repetition]: "ask",
    ...allowAll(ownTools),
    ...Object.fromEntries(approvals.map((name) => [name, "ask" as const])),
  };
}

export function allowAll(tools: readonly string[]): Record<string, PermissionAction> {
  return Object.fromEntries(tools.map((tool) => [tool, "allow" as const]));
}
