import { defineCommand } from "./define.ts";

/** `/gaia-unify [slug]`: closes a work unit: what was planned against what was delivered, then record and archive. */
export const gaiaUnify = defineCommand({
  name: "gaia-unify",
  description: "GAIA: close the work unit [slug]: planned against delivered, learnings, documents, archive",
  // Loaded when a unit is closed: a start has a limit.
  run: async (argumentText, context) => (await import("./close-unit.ts")).closeUnit(argumentText, context),
});
