import type { Role } from "../config/roles.ts";
import type { Contract } from "../contracts/contract.ts";
import type { Capability } from "../delegation/models.ts";
import type { ModelId } from "../host/port.ts";
import type { PermissionRules } from "../host/hook-events.ts";

type ReasoningEffort = "low" | "medium" | "high";

/** What a specialist may touch (SPEC 3) beside reading and commands, which all have. Everything that is not granted here is denied. */
export interface Access {
  /** `record`: only files under `.gaia/`. */
  readonly edit: "deny" | "ask" | "record";
  readonly web: boolean;
  /** false: no commands, which a project's own specialist runs once it is trusted. */
  readonly commands?: false;
  /** Tools of this plugin; only demeter has one. */
  readonly tools?: readonly string[];
}

export interface AgentDefaults {
  /** The first preference, where their providers are connected; empty for one that runs on the session's model. */
  readonly models: readonly ModelId[];
  /** What is chosen by among the models of connected providers when none of these is there. */
  readonly capability?: Capability;
  readonly temperature: number;
  readonly reasoningEffort?: ReasoningEffort;
}

/** One specialist, whole: adding another is one more file like this and one line in the registry. */
export interface SpecialistDefinition {
  readonly name: string;
  /** null for a custom specialist that names none. */
  readonly role: Role | null;
  /** One line for GAIA's roster and for OpenCode's agent list: what it does, and when to call it. */
  readonly description: string;
  readonly defaults: AgentDefaults;
  readonly access: Access;
  readonly contract: Contract | null;
  /** The system prompt, without the contract: at most 2,500 characters together with it. */
  readonly prompt: string;
  /** Permissions on top of what `access` grants; only custom specialists have them. */
  readonly permission?: PermissionRules;
  readonly steps?: number;
}

/** Gives a definition its type; the values stay literal. */
export function defineSpecialist<const T extends SpecialistDefinition>(definition: T): T {
  return definition;
}

/** Whether it can change the project. Commands and the record do not count: the sandbox holds what a reader runs. */
export function isEditor(access: Access): boolean {
  return access.edit === "ask";
}
