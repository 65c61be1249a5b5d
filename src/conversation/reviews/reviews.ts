import { toUser } from "../../lib/for-person.ts";
import { MAKER, nameOf } from "../../agents/registry.ts";
import { givesVerdict } from "../../config/roles.ts";
import { whyNotReviewed } from "../../delegation/read-result.ts";
import { conclusionOf, NOT_REVIEWED, type ReviewerOutcome } from "../../plan/review/outcome.ts";
import {
  findingsIn,
  type ReviewFinding,
  renderReviewFinding,
  renderFixes,
  routeFixes,
} from "../../plan/review/findings.ts";
import {
  addReview,
  beginWave,
  forgetReviews,
  keepLedgers,
  NEW_WORK,
  noteChange,
  restoreLedgers,
  type ReviewLedger,
} from "./review-ledger.ts";
import { head } from "../../lib/excerpt.ts";
import { openObjections, type StandingVerdict } from "../collaboration/verdicts.ts";
import type { ConversationCore } from "../core.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { Planning } from "../planning/stage.ts";
import type { Part } from "../part.ts";
import { triedIn, type Runs } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";

const FIX_ROUND =
  "REJECT: one fix round for this work, then have it reviewed again; a second REJECT is BLOCKED.";
const TESTER = nameOf("tester");
const MAX_FIX_ROUND = 2_000;
/** Of an objection, so many findings are kept. */
const MAX_KEPT = 4;

/** What stands against the work, by what its reviewers said. */
export interface Reviews extends Part {
  /**
   * The worst objection that was neither fixed and looked at again nor overruled by the user; null where nothing stands.
   * @param workUnit whose, null for work without a unit; left out for those of the whole conversation
   */
  openObjection(workUnit?: string | null): OpenObjection | null;
  /** The same for what is about to close a unit: where the conversation knows of none, its reviews were of this one. */
  closing(workUnit: string | null): OpenObjection | null;
}

/** Why work cannot be closed. */
export type OpenObjection = Pick<
  StandingVerdict,
  "reviewer" | "verdict" | "reason" | "workUnit" | "findings"
>;

/** Lets the outcomes of reviewers count (SPEC 12): one fix round, then the work is blocked until the user speaks. */
export function createReviews(
  conversation: ConversationCore,
  {
    redact,
    roleOf,
    specialistOf,
    host,
  }: Pick<ConversationServices, "redact" | "roleOf" | "specialistOf" | "host">,
  planning: Pick<Planning, "stage">,
  lanes: Pick<Lanes, "wantsRed">,
  runs: Pick<Runs, "isUnderWay">,
): Reviews {
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

  const openObjection: Reviews["openObjection"] = (workUnit) => {
    const of = workUnit === undefined ? null : (workUnit ?? "");
    const open = openObjections(conversation.state.verdicts, of);
    const first = (verdict: StandingVerdict["verdict"]) => open.find((each) => each.verdict === verdict);
    return first("BLOCKED") ?? first("REJECT") ?? first(null) ?? null;
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
    openObjection,
    closing: (workUnit) =>
      openObjection(workUnit ?? conversation.state.workUnit) ??
      (conversation.state.workUnit === null ? openObjection(null) : null),
    delegationStarted({ id }) {
      units.set(id, unit());
    },
    delegationFinished({ id, agent, callId, outcome }, changed) {
      const of = units.get(id) ?? unit();
      units.delete(id);
      if (changed) {
        change(of, noteChange);
        conversation.dispatch({ type: "work-changed", workUnit: of });
      }
      // A review of a plan, or one for advice only, counts for no work.
      const isAdvisory = planning.stage() !== null;
      // A test that fails before the fix is what a bug asks for, and speaks against nothing.
      if (roleOf(agent) === "tester" && lanes.wantsRed()) return;
      if (!givesVerdict(roleOf(agent)) || outcome === null || isAdvisory) return;
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
      if (type === "wave-opened" && ledgers.has(unit())) change(unit(), beginWave);
    },
    userSpoke(how) {
      if (ledgers.size === 0 || (how !== "go-on" && how !== "answer")) return;
      for (const [key, ledger] of ledgers) ledgers.set(key, forgetReviews(ledger));
      conversation.keep();
    },
    snapshot: () => (ledgers.size === 0 ? undefined : keepLedgers(ledgers)),
    restore(saved) {
      ledgers = restoreLedgers(saved);
    },
  };
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
