import {
  addFindings,
  changeState,
  parseFindings,
  type NewFinding,
  type StateChange,
} from "../documents/finding.ts";
import { changeDocument, refusalOf, recordPath, type OperationContext } from "./context.ts";

const FINDINGS = "findings.md";

export const findingOperations = ({ files, method, clean }: OperationContext) => ({
  /** What reviewers and CI found, in the order of the file; `line` is one-based. */
  readFindings: method(async () => {
    const parsed = parseFindings((await files.read(FINDINGS)) ?? "");
    if (!parsed.ok) throw refusalOf(FINDINGS, parsed);
    return { path: recordPath(FINDINGS), findings: parsed.findings, unread: parsed.unread };
  }),
  addFindings: clean(async (given: readonly NewFinding[]) => ({
    path: recordPath(FINDINGS),
    ...(await files.exclusive((writer) =>
      changeDocument(writer, FINDINGS, (text) => addFindings(text, given)),
    )),
  })),
  /** Writes the state of a finding where nobody else has. */
  stateFinding: clean(async (change: StateChange) =>
    files.exclusive((writer) => changeDocument(writer, FINDINGS, (text) => changeState(text, change))),
  ),
});
