import type { CommandRun } from "./define.ts";

/** `/gaia-findings [start <id>]`: what reviewers and CI found; no model is needed to read it. */
export const gaiaFindings: CommandRun = async (argumentText, context) => {
  const { runFindings } = await import("./findings/run.ts");
  return runFindings(argumentText, context);
};
