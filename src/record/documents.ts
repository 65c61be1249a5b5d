/** What the documents of the record hold: decisions, logs, findings, and a plan beside what was delivered. */
export { parseDecisions, type RecordedDecision } from "./documents/decision.ts";
export { type Finding, type FindingState, rowOf, stateOf, workOf } from "./documents/finding.ts";
export {
  debtOf,
  hasRecord,
  knownIssuesIn,
  MAKER_TITLE,
  RECON_TITLE,
  sectionsBy,
  workTitle,
} from "./documents/log.ts";
export { reconcile } from "./documents/reconcile.ts";
