import type { Finding, NewFinding } from "../documents/finding.ts";
import {
  addFindings,
  changeState,
  parseFindings,
  type FindingCounts,
  type StateChange,
} from "../documents/findings.ts";
import { changeDocument, refusalOf, shownPath, type OperationContext, type Written } from "./context.ts";

const FINDINGS = "findings.md";

/** What reviewers and CI found, in the order of the file; `line` is one-based. */
export async function readFindings({
  files,
}: OperationContext): Promise<{ findings: readonly (Finding & { line: number })[] } & Written> {
  const parsed = parseFindings((await files.read(FINDINGS)) ?? "");
  if (!parsed.ok) throw refusalOf(FINDINGS, parsed);
  return { path: shownPath(FINDINGS), findings: parsed.findings };
}

/** Adds reports that are not there yet. */
export async function appendFindings(
  { files }: OperationContext,
  given: readonly NewFinding[],
): Promise<FindingCounts & Written> {
  const counts = await files.exclusive((writer) =>
    changeDocument(writer, FINDINGS, (text) => addFindings(text, given)),
  );
  return { path: shownPath(FINDINGS), ...counts };
}

/** Writes the state of a finding where nobody else has. */
export async function stateFinding(
  { files }: OperationContext,
  change: StateChange,
): Promise<{ changed: boolean; finding: Finding }> {
  return files.exclusive((writer) => changeDocument(writer, FINDINGS, (text) => changeState(text, change)));
}
