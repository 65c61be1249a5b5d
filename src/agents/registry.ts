import type { KnownAgents, Role } from "../config/roles.ts";
import { aether } from "./aether.ts";
import { apollo } from "./apollo.ts";
import { artemis } from "./artemis.ts";
import type { SpecialistDefinition } from "./define.ts";
import { demeter } from "./demeter.ts";
import { eleuthia } from "./eleuthia.ts";
import { GAIA } from "./gaia.ts";
import { hades } from "./hades.ts";
import { hephaestus } from "./hephaestus.ts";
import { minerva } from "./minerva.ts";
import { poseidon } from "./poseidon.ts";

/** The specialists that ship with the plugin, in the order in which GAIA's roster lists them. */
export const SPECIALISTS: readonly SpecialistDefinition[] = [
  minerva,
  apollo,
  eleuthia,
  hephaestus,
  artemis,
  aether,
  hades,
  poseidon,
  demeter,
];

/** The name of the shipped specialist of a role, the first where there are several: for texts that name one. */
export function agentName(role: Role): string {
  return SPECIALISTS.find((specialist) => specialist.role === role)?.name ?? role;
}

/** Who does a task of a plan that names nobody, and makes revisions. */
export const MAKER = hephaestus.name;

/** All agents that the configuration may name; presets leave the project's own specialists alone. */
export function knownAgents(custom: readonly SpecialistDefinition[]): KnownAgents {
  return {
    [GAIA]: "orchestrator",
    ...Object.fromEntries(SPECIALISTS.map(({ name, role }) => [name, role])),
    ...Object.fromEntries(custom.map(({ name }) => [name, null])),
  };
}
