import { toUser } from "../../lib/for-person.ts";
import { MAKER, agentName } from "../../agents/registry.ts";
import { givesVerdict } from "../../config/roles.ts";
import { whyNotReviewed } from "../../delegation/read-result.ts";
import {
  conclusionOf,
  NOT_REVIEWED,
  type ReviewerOutcome,
  decideAfterReview,
  mergeOutcomes,
  NO_REVIEW_YET,
  type ReviewDecision,
  type ReviewState,
} from "../../plan/review/outcome.ts";
import {
  findingsIn,
  isGrave,
  type ReviewFinding,
  renderReviewFinding,
  renderFixes,
  routeFixes,
} from "../../plan/review/findings.ts";
import { debtOf } from "../../record/documents/log.ts";
import { recordOf } from "../../lib/json.ts";
import { orElse, readSaved } from "../../lib/saved.ts";
import { head, excerpt } from "../../lib/excerpt.ts";
import { openObjections, type StandingVerdict } from "../collaboration/verdicts.ts";
import type { ConversationCore } from "../core.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { Planning } from "../planning/stage.ts";
import type { Part } from "../part.ts";
import { triedIn, type Runs } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";
import * as z from "zod/mini";
import { VERDICTS } from "../../contracts/contract.ts";
import { lazy } from "../../lib/lazy.ts";
import type { Task } from "../../delegation/task.ts";

const FIX_ROUND =
  "REJECT: one fix round for this work, then have it reviewed again; a second REJECT is BLOCKED.";
const TESTER = agentName("tester");
const MAX_FIX_ROUND = 2_000;
/** Of an objection, so many findings are kept. */
const MAX_KEPT = 4;
const MAX_WAITING = 20;
/** Of all that is kept over a restart; a part may keep a little more. */
const MAX_KEPT_CHARACTERS = 7_900;

/** A note without a rejection that is not in the record of its unit yet. */
const noteSchema = lazy(() => {
  const text = orElse(z.string(), "");
  return z.object({ unit: z.string(), by: text, place: text, text: z.string() });
});
type WaitingNote = z.infer<ReturnType<typeof noteSchema>>;

type OpenObjection = Pick<StandingVerdict, "reviewer" | "verdict" | "reason" | "workUnit" | "findings">;

export type Reviews = ReturnType<typeof createReviews>;

/** Lets the outcomes of reviewers count (SPEC 12): one fix round, then the work is blocked until the user speaks. */
export function createReviews(
  conversation: ConversationCore,
  { redact, roleOf, specialistOf, host, workspace }: ConversationServices,
  planning: Pick<Planning, "stage">,
  lanes: Pick<Lanes, "wantsRed">,
  runs: Pick<Runs, "isUnderWay">,
) {
  /** By work unit as the plugin knows it: a model may call it what it likes. */
  let ledgers = new Map<string, ReviewLedger>();
  const unit = (): string => conversation.state.workUnit ?? "";
  /** What a delegation that runs was begun for: by its end the conversation may be about something else. */
  const units = new Map<string, string>();
  const change = (of: string, step: (ledger: ReviewLedger) => ReviewLedger): void => {
    ledgers.set(of, step(ledgers.get(of) ?? NEW_WORK));
    conversation.keep();
  };

  const remember = (
    of: string,
    { reviewer, verdict, reason = "" }: Omit<ReviewerOutcome, "verdict"> & Pick<StandingVerdict, "verdict">,
    found: readonly ReviewFinding[] = [],
  ): void => {
    const role = roleOf(reviewer) ?? "";
    const isObjection = verdict !== null && verdict !== "APPROVE";
    const findings = isObjection
      ? found.slice(0, MAX_KEPT).map((each) => redact(renderReviewFinding(each)))
      : [];
    const given = { workUnit: of, reviewer, role, verdict, reason: redact(reason), findings };
    conversation.dispatch({ type: "reviewed", given });
  };

  /** A review that came to no verdict, which is no approval and no rejection. */
  const missed = (of: string, reviewer: string, why: string): void => {
    remember(of, { reviewer, verdict: null, reason: why });
    void conversation.log("Review", redact(`- **${NOT_REVIEWED}** by ${reviewer} · ${why}`));
    void host.toast("warning", redact(`Not reviewed: ${reviewer} gave no verdict (${toUser(why)})`));
    if (!runs.isUnderWay())
      conversation.tell(`Not reviewed by ${reviewer}: ${redact(why)} Have it reviewed again.`);
  };

  const count = (
    of: string,
    outcome: ReviewerOutcome,
    problem: string | null,
    found: readonly ReviewFinding[],
  ): void => {
    const { ledger, decision } = addReview(ledgers.get(of) ?? NEW_WORK, outcome);
    ledgers.set(of, ledger);
    conversation.keep();
    if (outcome.verdict !== "APPROVE" || problem !== null) {
      void conversation.log("Review", redact(renderOutcome(outcome, problem)));
    }
    // A run sends it back by itself.
    if (decision.kind === "fix-round" && !runs.isUnderWay()) conversation.tell(redact(fixRound(found)));
    if (decision.kind !== "blocked") return;
    conversation.dispatch({
      type: "blocked",
      reason: redact(decision.reason),
      nextStep: redact(decision.nextStep),
    });
  };

  const openObjection = (workUnit?: string | null): OpenObjection | null => {
    const of = workUnit === undefined ? null : (workUnit ?? "");
    const open = openObjections(conversation.state.verdicts, of);
    const first = (verdict: StandingVerdict["verdict"]) => open.find((each) => each.verdict === verdict);
    return first("BLOCKED") ?? first("REJECT") ?? first(null) ?? null;
  };
  let waiting: readonly WaitingNote[] = [];
  let writing: Promise<void> = Promise.resolve();
  const writeDebt = async (): Promise<void> => {
    // Locked, nothing is written; it waits like every other line of the record.
    if (conversation.state.knobs.mode === "locked") return;
    for (const slug of new Set(waiting.map((note) => note.unit))) {
      const notes = waiting.filter((note) => note.unit === slug);
      const written = await workspace.addDebt({ slug, notes });
      if (!written.ok) host.logger.log("warn", "debt", `${written.error} ${written.hint}`, { slug });
      waiting = waiting.filter((each) => !notes.includes(each));
    }
    conversation.keep();
  };
  const schedule = (): void => {
    if (waiting.length > 0) writing = writing.then(writeDebt);
  };
  const noteDebt = ({ agent, outcome, workUnit }: Task): void => {
    const slug = workUnit ?? conversation.state.workUnit;
    if (slug === null) return;
    const isApproval = outcome?.envelope?.outcome?.verdict === "APPROVE";
    // What is listed without a severity is what a rejection is about.
    const notes = findingsIn(outcome?.envelope?.data)
      .filter((each) => (each.severity === "" ? isApproval : !isGrave(each)))
      .map(({ where, issue }) => ({ unit: slug, by: agent, place: redact(where), text: redact(issue) }));
    if (notes.length === 0) return schedule();
    waiting = [...waiting, ...notes].slice(-MAX_WAITING);
    conversation.keep();
    schedule();
  };
  /** What GAIA is told of a rejection: who fixes what. */
  const fixRound = (found: readonly ReviewFinding[]): string => {
    const fixes = routeFixes(found, {
      isEditor: (agent) => specialistOf(agent)?.mutates === true,
      tester: specialistOf(TESTER)?.name ?? null,
      makerOf: () => null,
      maker: MAKER,
    });
    const lines = fixes.map((fix) => `${fix.agent}:\n${renderFixes(fix)}`);
    return head([FIX_ROUND, ...lines].join("\n"), MAX_FIX_ROUND);
  };

  return {
    /**
     * The worst objection that was neither fixed and looked at again nor overruled by the user; null where nothing stands.
     * @param workUnit whose, null for work without a unit; left out for those of the whole conversation
     */
    openObjection,
    /** The same for what is about to close a unit: where the conversation knows of none, its reviews were of this one. */
    closing: (workUnit: string | null): OpenObjection | null =>
      openObjection(workUnit ?? conversation.state.workUnit) ??
      (conversation.state.workUnit === null ? openObjection(null) : null),
    /** What reviewers of a unit noted without rejecting it, until someone strikes it out, oldest first; empty where it cannot be read. */
    async debtOf(slug: string | null): Promise<readonly string[]> {
      if (slug === null) return [];
      await writing;
      const read = await workspace.readWorkUnit({ slug });
      return read.ok ? debtOf(read.content.log_md) : [];
    },
    delegationStarted({ id }) {
      units.set(id, unit());
    },
    delegationFinished(task, changed) {
      const { id, agent, callId, outcome } = task;
      const of = units.get(id) ?? unit();
      units.delete(id);
      if (changed) {
        change(of, noteChange);
        conversation.dispatch({ type: "work-changed", workUnit: of });
      }
      // A review of a plan, or one for advice only, counts for no work.
      if (!givesVerdict(roleOf(agent)) || outcome === null || planning.stage() !== null) return;
      noteDebt(task);
      // A test that fails before the fix is what a bug asks for, and speaks against nothing.
      if (roleOf(agent) === "tester" && lanes.wantsRed()) return;
      // Most candidates go, and the host judges them all.
      if (triedIn(callId) !== null) return;
      const concluded = conclusionOf(agent, outcome.status, outcome.envelope);
      if (concluded !== null) {
        const found = findingsIn(outcome.envelope?.data);
        remember(of, concluded, found);
        count(of, concluded, outcome.parseError, found);
      }
      // A tester whose task failed has written no test, and one that was called off was not to look.
      else if (roleOf(agent) !== "tester" && outcome.status !== "cancelled")
        missed(of, agent, whyNotReviewed(outcome));
    },
    heard({ type }) {
      if (type === "command") schedule();
      if (type === "wave-opened" && ledgers.has(unit())) change(unit(), beginWave);
    },
    userSpoke(how) {
      if (ledgers.size === 0 || (how !== "go-on" && how !== "answer")) return;
      for (const [key, ledger] of ledgers) ledgers.set(key, forgetReviews(ledger));
      conversation.keep();
    },
    snapshot() {
      if (ledgers.size + waiting.length === 0) return undefined;
      // Ledgers bound fix rounds, so they come first; the oldest notes go.
      const kept = keepLedgers(ledgers);
      let room = MAX_KEPT_CHARACTERS - JSON.stringify(kept).length;
      const notes = waiting.toReversed().filter((note) => (room -= JSON.stringify(note).length + 1) > 0);
      return { ledgers: kept, waiting: notes.toReversed() };
    },
    restore(saved) {
      const kept = recordOf(saved);
      waiting = readSaved(noteSchema(), kept["waiting"], MAX_WAITING);
      schedule();
      ledgers = restoreLedgers(kept["ledgers"]);
    },
  } satisfies Part & Record<string, unknown>;
}

function renderOutcome(
  { reviewer, verdict, reason, nextStep }: ReviewerOutcome,
  problem: string | null,
): string {
  const parts = [
    `**${verdict}** by ${reviewer}`,
    ...(reason === undefined ? [] : [reason]),
    ...(nextStep === undefined ? [] : [`next: ${nextStep}`]),
    ...(problem === null ? [] : [problem]),
  ];
  return `- ${parts.join(" · ").replaceAll(/\s+/g, " ")}`;
}

/** Units whose reviews are kept over a restart, reviewers of one round, and characters of what each said. */
const MAX_LEDGERS = 8;
const MAX_ROUND = 6;
const MAX_TEXT = 100;

/** The reviews of one piece of work, as they come in one by one. */
export interface ReviewLedger {
  /** Before the round that is open now. */
  readonly state: ReviewState;
  /** Reviewers of the same change, in any order; the worst of them counts, once. */
  readonly round: readonly ReviewerOutcome[];
  /** Whether the work has changed anything at all, and since the round began. */
  readonly changed: boolean;
  readonly reworked: boolean;
}

export const NEW_WORK: ReviewLedger = { state: NO_REVIEW_YET, round: [], changed: false, reworked: false };

/** The ledgers of work units as they outlive a restart: one who was sent back once is not sent back once more for it. */
const ledgersSchema = lazy(() => {
  const text = z.string().check(z.maxLength(MAX_TEXT));
  const outcome = z.object({ reviewer: text, verdict: z.enum(VERDICTS), reason: orElse(text, "") });
  const state = z.object({ fixRounds: z.int().check(z.gte(0)) });
  const ledger = z.object({ state, round: z.array(outcome), changed: z.boolean(), reworked: z.boolean() });
  return z.array(z.tuple([z.string(), ledger])).check(z.maxLength(MAX_LEDGERS));
});

/** Plain JSON of the ledgers by work unit; of too many the oldest go. */
export function keepLedgers(ledgers: ReadonlyMap<string, ReviewLedger>): unknown {
  return [...ledgers].slice(-MAX_LEDGERS).map(([unit, ledger]) => {
    const round = ledger.round.map(({ reviewer, verdict, reason = "" }) => ({
      reviewer: excerpt(reviewer, MAX_TEXT),
      verdict,
      reason: excerpt(reason, MAX_TEXT),
    }));
    return [unit, { ...ledger, round: round.slice(-MAX_ROUND) }];
  });
}

/** @throws ZodError for what {@link keepLedgers} did not write */
export function restoreLedgers(saved: unknown): Map<string, ReviewLedger> {
  return new Map(ledgersSchema().parse(saved));
}

/** What follows from one reviewer's outcome; `noted`: nothing that was not decided before. */
type LedgerDecision = Exclude<ReviewDecision, { kind: "proceed" }> | { kind: "noted" };

/** The project was changed for this work. What was found before the first change is not about the change. */
export function noteChange(ledger: ReviewLedger): ReviewLedger {
  return ledger.changed ? { ...ledger, reworked: true } : { ...NEW_WORK, changed: true };
}

/** A new wave is new work, unless it is opened to fix what was rejected in the last one. */
export function beginWave(ledger: ReviewLedger): ReviewLedger {
  return mergeOutcomes(ledger.round).verdict === "APPROVE" ? forgetReviews(ledger) : ledger;
}

/** The user spoke: what was rejected before is settled between them and GAIA. */
export function forgetReviews({ changed }: ReviewLedger): ReviewLedger {
  return { ...NEW_WORK, changed };
}

/**
 * Adds one outcome. Reviewers who look at the same change make one round; a change, or the same reviewer once more, begins
 * the next. So two rejections side by side are one, and asking again without a fix is a second.
 */
export function addReview(
  ledger: ReviewLedger,
  outcome: ReviewerOutcome,
): { ledger: ReviewLedger; decision: LedgerDecision } {
  const again = ledger.round.find(({ reviewer }) => reviewer === outcome.reviewer);
  const before = decideAfterReview(ledger.state, ledger.round);
  const begins = ledger.reworked || again !== undefined;
  const state = begins ? before.state : ledger.state;
  const round = begins ? [outcome] : [...ledger.round, outcome];
  const next: ReviewLedger = { ...ledger, state, round, reworked: false };
  const decision = ledger.changed
    ? decideAfterReview(state, round)
    : decideUnchanged(next, again?.verdict === "REJECT" && outcome.verdict === "REJECT");
  const isNew = begins || decision.kind !== before.kind;
  return { ledger: next, decision: decision.kind === "proceed" || !isNew ? { kind: "noted" } : decision };
}

/** Where nothing was changed there is nothing to fix: a finding is the result, and asking for it twice is a loop. */
function decideUnchanged({ state, round }: ReviewLedger, twice: boolean): ReviewDecision {
  const counts = twice ? round : round.filter(({ verdict }) => verdict !== "REJECT");
  return decideAfterReview(state, counts, "verify");
}
