/** What a specialist is there for, as far as the plugin treats it differently for it (SPEC 3). */
export const ROLES = ["recon", "implementer", "tester", "checker", "reviewer", "historian"] as const;

/**
 * `recon` looks around before a plan is made, `implementer` writes what was planned, `tester` writes tests, `checker`
 * may run the project's checks in every mode, `reviewer` looks for what is wrong, `historian` writes the record.
 */
export type Role = (typeof ROLES)[number];

/** All agents by name, with the role by which a preset chooses their models; null for one that presets leave alone. */
export type KnownAgents = Readonly<Record<string, Role | "orchestrator" | null>>;

/** Whether the role's verdict on a change counts (SPEC 12). The historian's is about the record and stays with GAIA. */
export function givesVerdict(role: Role | null): boolean {
  return role === "tester" || role === "checker" || role === "reviewer";
}
