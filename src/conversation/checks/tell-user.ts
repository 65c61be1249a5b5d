import { renderLogMarkdown, renderSummaryLine } from "../../checks/definition-of-done/render.ts";
import { failingChecks } from "../../checks/definition-of-done/report.ts";
import type { Verification } from "../../checks/verifier.ts";

/** What the user reads, and what the model is told with the user's next message. */
export function tellUser(verification: Verification): {
  text: string;
  variant: "success" | "warning" | "error";
  forModel: string | null;
} {
  if (verification.kind === "broken") {
    return { text: `Nothing was checked. ${verification.problem}`, variant: "error", forModel: null };
  }
  if (verification.kind === "none") {
    const { suggestions } = verification;
    const found = suggestions.map((command) => `- ${command}`).join("\n");
    const ways =
      suggestions.length === 0 ? "" : ` This project seems to have:\n${found}\n/gaia-init sets them up.`;
    return {
      text: `Nothing was checked: no Definition of Done is configured.${ways}`,
      variant: "warning",
      forModel: null,
    };
  }
  const { report } = verification;
  const failing = failingChecks(report);
  const summary = renderSummaryLine(report);
  return {
    text: renderLogMarkdown(report).trimEnd(),
    variant: report.passed ? "success" : "warning",
    forModel: `The user ran /gaia-check. ${summary}${failing.length === 0 ? "" : "; plan_gaia verify shows the output"}.`,
  };
}
