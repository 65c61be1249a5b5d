import type { CommandRun } from "./define.ts";

/** `/gaia-unify [slug]`: closes a work unit: what was planned against what was delivered, then record and archive. */
export const gaiaUnify: CommandRun = async (argumentText, context) =>
  (await import("./close-unit.ts")).closeUnit(argumentText, context);
