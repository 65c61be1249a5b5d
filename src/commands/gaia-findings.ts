import { defineCommand } from "./define.ts";

/** `/gaia-findings [start <id>]`: what reviewers and CI found; no model is needed to read it. */
export const gaiaFindings = defineCommand({
  name: "gaia-findings",
  description: "GAIA: list what reviewers and CI found, or begin work from one: [start <id>]",
  async run(argumentText, context) {
    const { runFindings } = await import("./findings/run.ts");
    return runFindings(argumentText, context);
  },
});
