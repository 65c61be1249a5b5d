import type { ResolvedConfig } from "./schema.ts";

export interface SandboxConfig {
  /** `machine`: the machine itself is a throwaway, so that nothing is contained in it and nothing is asked for that. */
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
