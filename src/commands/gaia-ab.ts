import { defineCommand } from "./define.ts";

/** `/gaia-ab <task>`: a unit of one task that two do, each alone; further lines say more of it, as in a plan. */
export const gaiaAb = defineCommand({
  name: "gaia-ab",
  description: "GAIA: have <task> done twice, each alone, and keep the better",
  async run(argumentText, context) {
    const { startAb } = await import("./ab/start.ts");
    return startAb(argumentText, context);
  },
});
