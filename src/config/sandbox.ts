import type { ResolvedConfig } from "./schema.ts";

export interface SandboxConfig {
  /**
   * `auto`: whatever no person has read and approved is contained. `on`: everything. `off`: nothing. `machine`: nothing either, and
   * nothing is asked for that, because the machine itself is a throwaway.
   */
  readonly mode: "auto" | "on" | "off" | "machine";
  readonly network: boolean;
  /** Absolute paths beside the project that they may write. */
  readonly writable: readonly string[];
  /** How hooks of the repository run at the host's commit; contained by default. */
  readonly hooks?: "contained" | "uncontained";
}

/** `sandbox` in its long form. */
export function sandboxOf({ sandbox }: Pick<ResolvedConfig, "sandbox">): SandboxConfig {
  return typeof sandbox === "string" ? { mode: sandbox, network: false, writable: [] } : sandbox;
}
