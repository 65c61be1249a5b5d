import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import { redactDeep } from "../lib/redact-deep.ts";
import { createRedactor, type Redactor } from "../lib/redaction.ts";
import type { Decision } from "./documents/decision.ts";
import type { DecisionCounts } from "./documents/decisions.ts";
import type { Learning } from "./documents/learning.ts";
import type { LearningCounts } from "./documents/learnings.ts";
import type { LogEntry } from "./documents/log.ts";
import type { PlanState, PlanUpdate } from "./documents/plan.ts";
import type { Promotion } from "./documents/promotions.ts";
import type { Observations, Proposal } from "./documents/proposals.ts";
import { approvePlan, readPlanStanding, type StandingPlan } from "./operations/approvals.ts";
import { readActive } from "./operations/active.ts";
import * as proposals from "./operations/proposals.ts";
import * as setup from "./operations/setup.ts";
import * as records from "./operations/records.ts";
import * as units from "./operations/units.ts";
import { toResult, type WorkspaceResult } from "./result.ts";
import { createGaiaFiles } from "./store/gaia-files.ts";
import { listRecordDocuments, type RecordDocument } from "./store/record-documents.ts";

type Outcome<T> = Promise<WorkspaceResult<T>>;

/**
 * The record of one project in `<directory>/.gaia/` (SPEC 10). No method rejects; each resolves to `{ ok: true, … }` or to
 * `{ ok: false, error, hint }`. Where `slug` may be left out, the active work unit is meant. Reading never creates `.gaia/`.
 */
export interface Workspace {
  createWorkUnit(input: { slug: string; title: string }): Outcome<units.CreatedUnit>;
  readWorkUnit(input?: records.UnitRef): Outcome<units.ReadUnit>;
  listWorkUnits(): Outcome<units.UnitList>;
  activeWorkUnit(): Outcome<{ slug: string | null }>;
  setActive(input: { slug: string | null }): Outcome<{ slug: string | null }>;
  archiveWorkUnit(input?: records.UnitRef): Outcome<{ slug: string; archived_path: string }>;
  updatePlan(input: PlanUpdate & records.UnitRef): Outcome<PlanState & records.Written>;
  /** Marks the plan as approved as it reads now, for a human's yes only. */
  approvePlan(input: { slug?: string; base: string | null }): Outcome<{ slug: string }>;
  /** Whether the plan is the one that was approved, with what it says. */
  planStanding(input?: records.UnitRef): Outcome<StandingPlan>;
  /** Writes the unit's spec, or one section of it. */
  updateSpec(
    input: Pick<PlanUpdate, "markdown" | "section" | "status"> & records.UnitRef,
  ): Outcome<{ status: PlanState["status"] } & records.Written>;
  appendLog(input: LogEntry & records.UnitRef): Outcome<{ heading: string } & records.Written>;
  appendDecisions(input: records.DecisionsInput): Outcome<DecisionCounts & records.Written>;
  readDecisions(
    input?: records.UnitRef,
  ): Outcome<{ decisions: readonly (Decision & { line: number })[] } & records.Written>;
  appendLearnings(input: records.LearningsInput): Outcome<LearningCounts & records.Written>;
  readLearnings(): Outcome<{ learnings: readonly (Learning & { line: number })[] }>;
  createGaiaInit(): Outcome<{ created: boolean } & records.Written>;
  /** Everything that can be searched, archived units included, each with a signature that tells a change. */
  documents(): Outcome<{ documents: readonly RecordDocument[] }>;
  /** The text of one of them; `path` is below `.gaia`. */
  readDocument(input: { path: string }): Outcome<{ text: string }>;
  /** Notes what the plugin noticed by itself, for a human to judge; never a learning by itself. */
  observe(input: Observations): Outcome<{ proposals: readonly Proposal[] }>;
  proposals(): Outcome<{ proposals: readonly Proposal[] }>;
  acceptProposals(input: proposals.ProposalRefs): Outcome<LearningCounts>;
  declineProposals(input: proposals.ProposalRefs): Outcome<{ declined: number }>;
  /** Learnings that may be worth a line of `gaia-init.md`. */
  promotions(): Outcome<{ promotions: readonly Promotion[] }>;
  settlePromotions(input: setup.PromotionChoice): Outcome<{ promoted: number }>;
  /** Writes a Definition of Done into `.gaia/config.jsonc`; for a human's yes only. */
  addChecks(input: Parameters<typeof setup.addChecks>[1]): Outcome<records.Written>;
}

/** What a workspace is made of. */
export interface WorkspaceOptions {
  /** The project's folder. */
  readonly directory: string;
  /** Dates entries, in UTC. Locks go by the system's time, since other processes do. */
  readonly clock: Clock;
  readonly logger: Logger;
  /** Applied to every text that is written; by default built from this process's environment. */
  readonly redact?: Redactor;
  /** How long to wait for another process, in milliseconds. */
  readonly lockWaitMs?: number;
}

/** Opens the record of a project; touches no file until a method is called. */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  const { directory, clock, logger, lockWaitMs = 5000 } = options;
  const redact = options.redact ?? createRedactor(process.env);
  const files = createGaiaFiles(directory, lockWaitMs, logger);
  const context = { files, today: () => new Date(clock.now()).toISOString().slice(0, 10) };
  const run = async <T extends object>(operation: () => Promise<T>): Outcome<T> =>
    toResult(logger, operation);
  const clean = <T>(input: T): T => redactDeep(input, redact);
  return {
    createWorkUnit: (input) => run(() => units.createWorkUnit(context, clean(input))),
    readWorkUnit: (input) => run(() => units.readWorkUnit(context, input?.slug)),
    listWorkUnits: () => run(() => units.listWorkUnits(context)),
    activeWorkUnit: () => run(async () => ({ slug: await readActive(files) })),
    setActive: (input) => run(() => units.setActive(context, input.slug)),
    archiveWorkUnit: (input) => run(() => units.archiveWorkUnit(context, input?.slug)),
    updatePlan: (input) => run(() => records.changePlan(context, clean(input))),
    approvePlan: (input) => run(() => approvePlan(context, input)),
    planStanding: (input) => run(() => readPlanStanding(context, input?.slug)),
    updateSpec: (input) => run(() => records.changeSpec(context, clean(input))),
    appendLog: (input) => run(() => records.appendLog(context, clean(input))),
    appendDecisions: (input) => run(() => records.appendDecisions(context, clean(input))),
    readDecisions: (input) => run(() => records.readDecisions(context, input?.slug)),
    appendLearnings: (input) => run(() => records.appendLearnings(context, clean(input))),
    readLearnings: () => run(() => records.readLearnings(context)),
    createGaiaInit: () => run(() => records.createGaiaInit(context)),
    observe: (input) => run(() => proposals.observe(context, clean(input))),
    proposals: () => run(() => proposals.readProposals(context)),
    acceptProposals: (input) => run(() => proposals.acceptProposals(context, input)),
    declineProposals: (input) => run(() => proposals.declineProposals(context, input)),
    promotions: () => run(() => setup.readPromotions(context)),
    settlePromotions: (input) => run(() => setup.settlePromotions(context, input)),
    addChecks: (input) => run(() => setup.addChecks(context, input)),
    documents: () => run(async () => ({ documents: await listRecordDocuments(directory) })),
    readDocument: ({ path }) => run(async () => ({ text: (await files.read(path)) ?? "" })),
  };
}
