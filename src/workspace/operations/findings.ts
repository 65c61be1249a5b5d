import type { Finding, NewFinding } from "../documents/finding.ts";
import {
  addFindings,
  changeState,
  parseFindings,
  type FindingCounts,
  type StateChange,
} from "../documents/findings.ts";
import {
  isSameHold,
  parseHolds,
  renderHold,
  type FindingHold,
  type FindingHolds,
} from "../documents/finding-holds.ts";
import { LOCAL_FOLDER, type GaiaReader } from "../store/gaia-files.ts";
import { changeDocument, refusalOf, shownPath, type OperationContext, type Written } from "./context.ts";

const FINDINGS = "findings.md";
const HOLDS = `${LOCAL_FOLDER}/findings.json`;

/** A change of a finding's state by who works on it, or by who finds that nobody does. */
export interface HeldChange extends StateChange {
  /** Who works on it from now on; null for nobody. Its `state` is the one that is written. */
  readonly hold: Omit<FindingHold, "state"> | null;
  /** Nothing is changed where someone else holds it by now; undefined for no matter who that is. */
  readonly judged?: FindingHold | undefined;
}

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

/** Which conversations of this checkout work on findings. */
export async function readFindingHolds({ files }: OperationContext): Promise<{ holds: FindingHolds }> {
  return { holds: await holdsOf(files) };
}

/** Writes the state of a finding where nobody else has, and who works on it: of all processes, one does so at a time. */
export async function stateFinding(
  { files }: OperationContext,
  { hold, judged, ...change }: HeldChange,
): Promise<{ changed: boolean; finding: Finding }> {
  return files.exclusive(async (writer) => {
    const holds = await holdsOf(writer);
    const isOthers = judged !== undefined && !isSameHold(judged, holds.get(change.id.toLowerCase()));
    const given = { ...change, was: isOthers ? [] : change.was };
    const changed = changeState((await writer.read(FINDINGS)) ?? "", given);
    // First: a process that is killed behind it leaves no row that nobody holds.
    if (changed.ok && changed.result.changed) {
      const next = hold === null ? null : { ...hold, state: change.state };
      const text = renderHold(holds, change.id, next);
      await writer.change(HOLDS, () => ({ text, result: null }));
    }
    return changeDocument(writer, FINDINGS, (text) => changeState(text, given));
  });
}

async function holdsOf(files: GaiaReader): Promise<FindingHolds> {
  return parseHolds(await files.read(HOLDS, "replaceable"));
}
