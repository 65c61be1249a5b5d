import { aether } from "./aether.ts";
import { apollo } from "./apollo.ts";
import { artemis } from "./artemis.ts";
import type { SpecialistDefinition } from "./define.ts";
import { demeter } from "./demeter.ts";
import { eleuthia } from "./eleuthia.ts";
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
