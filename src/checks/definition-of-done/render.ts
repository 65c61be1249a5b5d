import { renderExactDuration } from "../../lib/figures.ts";
import { fencedBlock } from "../../lib/quoting.ts";
import { excerpt, head } from "../../lib/text.ts";
import { excerptOutput, headlineOf } from "../../process/output.ts";
import {
  type CheckReport,
  type DefinitionOfDoneReport,
  failingChecks,
  knownFailures,
  missingArtifacts,
} from "./report.ts";

/** Characters of failing output in the log: enough to see the cause, short enough to read next year. */
const LOG_TAIL_CHARACTERS = 1_200;
const PACKET_CHARACTERS = 300;
export const MODEL_CHARACTERS = 6_000;
const MODEL_CHECKS = 30;

/** One line for a toast, the status panel or the check-in packet. */
export function renderSummaryLine(report: DefinitionOfDoneReport): string {
  const passed = report.checks.filter((check) => check.status === "passed").length;
  const missing = missingArtifacts(report).map((artifact) => artifact.path);
  const failing = failingChecks(report);
  const parts = [`${passed} of ${report.checks.length} checks passed`];
  if (failing.length > 0) parts.push(`not passed: ${shorten(failing)}`);
  const before = knownFailures(report);
  if (before.length > 0) parts.push(`failed before the work began too: ${shorten(before)}`);
  if (missing.length > 0) parts.push(`missing: ${shorten(missing)}`);
  const reused = report.checks.filter((check) => check.reused === true).length;
  if (reused > 0) parts.push(`${reused} reused`);
  if (report.scope !== "full") parts.push(`scope ${report.scope}`);
  return `Definition of Done ${verdictWord(report)}: ${parts.join("; ")} (${renderExactDuration(report.duration_ms)})`;
}

/** Lines for the check-in packet: the summary, then each check that did not pass with its first failure. */
export function renderPacketLines(report: DefinitionOfDoneReport): string[] {
  const failing = report.checks.filter((check) => check.status !== "passed");
  const lines = failing.map((check) => {
    const headline = headlineOf(check.output_tail);
    const said = headline === "" ? "" : `: ${head(headline, PACKET_CHARACTERS)}`;
    return `${check.id}: ${check.status}${codeOf(check)}${said}`;
  });
  return [renderSummaryLine(report), ...lines];
}

/** The entry for `log.md`: the summary, and each check. */
export function renderLogMarkdown(report: DefinitionOfDoneReport): string {
  return `**${renderSummaryLine(report)}**\n\n${renderChecks(report)}`.trimEnd() + "\n";
}

/** A line per check and artifact in markdown, with what failed where a check did not pass. */
export function renderChecks(report: DefinitionOfDoneReport): string {
  const lines: string[] = [];
  for (const check of report.checks) {
    lines.push(
      `- ${check.id}: ${describe(check)}, ${renderExactDuration(check.duration_ms)} (${inlineCode(check.command)})`,
    );
    const tail = excerptOutput(check.output_tail, { maxCharacters: LOG_TAIL_CHARACTERS });
    if (check.status !== "passed" && tail) lines.push("", fencedBlock("text", tail), "");
  }
  for (const artifact of report.artifacts) {
    const state = artifact.found ? "found" : (artifact.problem ?? "missing");
    lines.push(`- artifact ${inlineCode(artifact.path)}: ${state}${artifact.optional ? " (optional)" : ""}`);
  }
  for (const skipped of report.skipped) lines.push(`- ${skipped.id}: not run, ${skipped.reason}`);
  for (const note of report.notes) lines.push(`- ${note}`);
  return lines.join("\n").trimEnd();
}

/**
 * A report for the model that asked, at most `MODEL_CHARACTERS` long as JSON: the result first, output only of what did not
 * pass, of each as much as fits.
 */
export function modelView(report: DefinitionOfDoneReport): object {
  const { passed, skipped, notes } = report;
  const summary = renderSummaryLine(report);
  const missing = missingArtifacts(report).map(({ path, problem }) =>
    problem ? `${path} (${problem})` : path,
  );
  // Failing checks first: they are the ones to act on when the list is cut.
  const ordered = report.checks.toSorted(
    (a, b) => Number(a.status === "passed") - Number(b.status === "passed"),
  );
  const hidden = ordered.length - MODEL_CHECKS;
  for (let share = MODEL_CHARACTERS / 2; share > 10; share /= 2) {
    const view = {
      passed,
      summary,
      checks: ordered.slice(0, MODEL_CHECKS).map((check) => checkView(check, Math.floor(share))),
      ...(hidden > 0 ? { checks_not_shown: hidden } : {}),
      ...(missing.length > 0 ? { missing_artifacts: missing.slice(0, MODEL_CHECKS) } : {}),
      ...(skipped.length > 0 ? { skipped: skipped.map(({ id }) => id).slice(0, MODEL_CHECKS) } : {}),
      ...(notes.length > 0 ? { notes } : {}),
    };
    if (JSON.stringify(view).length <= MODEL_CHARACTERS) return view;
  }
  return { passed, summary };
}

function checkView(check: CheckReport, tailCharacters: number): object {
  if (check.status === "passed") return { id: check.id, status: "passed" };
  const tail = excerptOutput(check.output_tail, { maxCharacters: tailCharacters });
  return {
    id: check.id,
    status: check.status,
    ...(check.exit_code === null ? {} : { exit_code: check.exit_code }),
    command: head(check.command, 200),
    ...(check.detail ? { detail: check.detail } : {}),
    ...(check.as_before === true
      ? { as_before: "failed like this before the work began: no repair is needed" }
      : {}),
    ...(tail ? { output_tail: tail } : {}),
  };
}

function verdictWord(report: DefinitionOfDoneReport): string {
  if (report.cancelled) return "cancelled";
  if (!report.passed) return "NOT passed";
  return knownFailures(report).length > 0 ? "fails no worse than before" : "passed";
}

function describe(check: CheckReport): string {
  const detail = check.detail ? `: ${check.detail}` : "";
  const before = check.as_before === true ? ", as before the work began" : "";
  if (check.status === "passed") return check.reused === true ? "passed before, on the same files" : "passed";
  return `**${check.status}**${codeOf(check)}${detail}${before}`;
}

function codeOf({ exit_code }: CheckReport): string {
  return exit_code === null ? "" : ` (exit code ${exit_code})`;
}

function inlineCode(text: string): string {
  return `\`${head(text.replaceAll(/\s+/g, " "), 120).replaceAll("`", "'")}\``;
}

function shorten(names: readonly string[]): string {
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  return excerpt(names.slice(0, 5).join(", "), 300) + more;
}
