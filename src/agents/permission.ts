import type { Access } from "./define.ts";

export type PermissionAction = "allow" | "ask" | "deny";
export type PermissionRules = Record<string, PermissionAction | Record<string, PermissionAction>>;

/** OpenCode's own defaults for reading; ours must repeat them because `*: deny` comes before. */
const READ_RULES = { "*": "allow", "*.env": "ask", "*.env.*": "ask", "*.env.example": "allow" } as const;

/**
 * What every agent of ours starts from: nothing, then the tools that cannot change anything. The last matching rule wins, so `*` stands first.
 * `StructuredOutput` is the tool behind `format: json_schema`, needed where `structuredOutput` is `native`.
 */
const BASE: PermissionRules = {
  "*": "deny",
  read: READ_RULES,
  grep: "allow",
  glob: "allow",
  skill: "allow",
  external_directory: "ask",
};

/** The record as seen from the worktree, which may lie above the project. The exact boundary is a hook's (SPEC 9). */
const RECORD_ONLY = { "*": "deny", ".gaia/*": "allow", "*/.gaia/*": "allow" } as const;

/** Programs that only read, as OpenCode's own bash patterns: the second line of defence behind the policy. */
export type BashRules = Record<string, PermissionAction>;

/** The permissions of a specialist: deny everything, then allow what SPEC 3 grants. */
export function specialistPermission(
  access: Access,
  readOnlyBash: BashRules,
  specialistTools: readonly string[],
): PermissionRules {
  return {
    ...BASE,
    // What such a tool does is unknown, so it counts as a change and is asked for (SPEC 9).
    ...Object.fromEntries(specialistTools.map((name) => [name, "ask" as const])),
    edit: access.edit === "record" ? RECORD_ONLY : access.edit,
    bash: access.bash === "read-only" ? readOnlyBash : access.bash,
    webfetch: access.webfetch ? "allow" : "deny",
    ...allowAll(access.tools ?? []),
    StructuredOutput: "allow",
  };
}

/**
 * GAIA's permissions: she reads, asks and delegates.
 * @param ownTools the tools of this plugin
 * @param approvals permissions of this plugin that raise a dialog, and must therefore be set explicitly
 */
export function gaiaPermission(
  readOnlyBash: BashRules,
  ownTools: readonly string[],
  approvals: readonly string[],
): PermissionRules {
  return {
    ...BASE,
    bash: readOnlyBash,
    webfetch: "allow",
    question: "allow",
    todowrite: "allow",
    doom_loop: "ask",
    ...allowAll(ownTools),
    ...Object.fromEntries(approvals.map((name) => [name, "ask" as const])),
  };
}

function allowAll(tools: readonly string[]): PermissionRules {
  return Object.fromEntries(tools.map((tool) => [tool, "allow" as const]));
}
