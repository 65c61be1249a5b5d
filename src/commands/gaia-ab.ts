import { startAb } from "./ab/start.ts";
import type { CommandRun } from "./define.ts";

/** `/gaia-ab <task>`: a unit of one task that two do, each alone; further lines say more of it, as in a plan. */
export const gaiaAb: CommandRun = startAb;
