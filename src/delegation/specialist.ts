import type { Role } from "../config/roles.ts";
import type { Contract } from "../contracts/contract.ts";
import type { ModelPreference } from "./models.ts";

/** What the engine needs to know of an agent that work can be delegated to; built by `src/agents`. */
export interface Specialist extends ModelPreference {
  readonly name: string;
  /** What the plugin takes it for; null for a custom specialist that names none. */
  readonly role: Role | null;
  /** null for a custom specialist that answers in free text. */
  readonly contract: Contract | null;
  /** Whether it may change the project: such work closes the pair gate and needs an open wave. */
  readonly mutates: boolean;
}
