import { MAKER, agentName } from "../../agents/registry.ts";
import { givesVerdict } from "../../config/roles.ts";
import { whyNotReviewed } from "../../delegation/read-result.ts";
import { head } from "../../lib/text.ts";
import {
  findingsIn,
  renderFixes,
  renderReviewFinding,
  type ReviewFinding,
  routeFixes,
} from "../../plan/review/findings.ts";
import { conclusionOf, NOT_REVIEWED, type ReviewerOutcome } from "../../plan/review/outcome.ts";
import { openObjections, type StandingVerdict } from "../collaboration/verdicts.ts";
import type { ConversationCore } from "../core.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { Part } from "../part.ts";
import type { Planning } from "../planning/stage.ts";
import { triedIn, type Runs } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";

const FIX_ROUND =
  "REJECT: one fix round for this work, then have it reviewed again; a second REJECT is BLOCKED.";
const TESTER = agentName("tester");
const MAX_FIX_ROUND = 2_000;
/** Of an objection, so many findings are kept. */
const MAX_KEPT = 4;
const MAX_UNITS = 40;

interface Kept {
  /** Units in which something was changed, and those whose work was sent back since the user spoke. */
  readonly changed: readonly string[];
  readonly sentBack: readonly string[];
  /** When the user spoke last: what was rejected before is settled between them and GAIA. */
  readonly since: number;
}

type OpenObjection = Pick<StandingVerdict, "reviewer" | "verdict" | "reason" | "workUnit" | "findings">;

export type Reviews = ReturnType<typeof createReviews>;

/** Lets the outcomes of reviewers count (SPEC 12): one fix round, then the work is blocked until the user speaks. */
export function createReviews(
  conversation: ConversationCore,
  { redact, roleOf, specialistOf }: ConversationServices,
  planning: Pick<Planning, "stage">,
  lanes: Pick<Lanes, "wantsRed">,
  runs: Pick<Runs, "underWay">,
) {
  /** By work unit as the plugin knows it, empty for none: a model may call it what it likes. */
  const unit = (): string => conversation.state.workUnit ?? "";
  /** What a delegation that runs was begun for: by its end the conversation may be about something else. */
  const units = new Map<string, string>();
  const kept = conversation.remember<Kept>("reviews", { changed: [], sentBack: [], since: 0 });
  const keep = (more: Partial<Kept>): void => void (kept.now = { ...kept.now, ...more });

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
    if (runs.underWay() === null)
      conversation.tell(`Not reviewed by ${reviewer}: ${redact(why)} Have it reviewed again.`);
  };

  const count = (
    of: string,
    outcome: ReviewerOutcome,
    problem: string | null,
    found: readonly ReviewFinding[],
  ): void => {
    const decision = decideReview(outcome, {
      round: conversation.state.verdicts.filter(
        ({ workUnit, standing, at }) => workUnit === of && standing === "open" && at >= kept.now.since,
      ),
      isChanged: kept.now.changed.includes(of),
      wasSentBack: kept.now.sentBack.includes(of),
    });
    remember(of, outcome, found);
    if (outcome.verdict !== "APPROVE" || problem !== null) {
      void conversation.log("Review", redact(renderOutcome(outcome, problem)));
    }
    if (decision.kind === "fix-round") {
      keep({ sentBack: withNewest(kept.now.sentBack, of) });
      // A run sends it back by itself.
      if (runs.underWay() === null) conversation.tell(redact(fixRound(found)));
    }
    if (decision.kind !== "blocked") return;
    conversation.dispatch({
      type: "blocked",
      reason: redact(decision.reason),
      nextStep: redact(decision.nextStep),
    });
  };

  const openObjection = (workUnit: string | null): OpenObjection | null => {
    const open = openObjections(conversation.state.verdicts, workUnit ?? "");
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
    /**
     * The worst objection that was neither fixed and looked at again nor overruled by the user, to what is about to close a unit;
     * null where nothing stands. Where the conversation knows of no unit, its reviews were of this one.
     */
    closing: (workUnit: string | null): OpenObjection | null =>
      openObjection(workUnit ?? conversation.state.workUnit) ??
      (conversation.state.workUnit === null ? openObjection(null) : null),
    delegationStarted({ id }) {
      units.set(id, unit());
    },
    delegationFinished({ id, agent, callId, outcome }, hasChanged) {
      const of = units.get(id) ?? unit();
      units.delete(id);
      if (hasChanged) {
        keep({ changed: withNewest(kept.now.changed, of) });
        conversation.dispatch({ type: "work-changed", workUnit: of });
      }
      // A review of a plan, or one for advice only, counts for no work.
      if (!givesVerdict(roleOf(agent)) || outcome === null || planning.stage() !== null) return;
      // A test that fails before the fix is what a bug asks for, and speaks against nothing.
      if (roleOf(agent) === "tester" && lanes.wantsRed()) return;
      // Most candidates go, and the host judges them all.
      if (triedIn(callId) !== null) return;
      const concluded = conclusionOf(agent, outcome.status, outcome.envelope);
      if (concluded !== null) count(of, concluded, outcome.parseError, findingsIn(outcome.envelope?.data));
      // A tester whose task failed has written no test, and one that was called off was not to look.
      else if (roleOf(agent) !== "tester" && outcome.status !== "cancelled")
        missed(of, agent, whyNotReviewed(outcome, outcome.parseError));
    },
    heard({ type }) {
      if (type !== "wave-opened") return;
      const objections = openObjections(conversation.state.verdicts, unit());
      // A new wave is new work, unless it is opened to fix what was rejected in the last one.
      if (kept.now.sentBack.includes(unit()) && objections.every(({ verdict }) => verdict === null))
        keep({ sentBack: kept.now.sentBack.filter((each) => each !== unit()) });
    },
    userSpoke(how) {
      if (how === "go-on" || how === "answer") keep({ sentBack: [], since: conversation.state.at });
    },
  } satisfies Part & Record<string, unknown>;
}

const withNewest = (units: readonly string[], unit: string): readonly string[] =>
  [...units.filter((each) => each !== unit), unit].slice(-MAX_UNITS);

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

interface ReviewFacts {
  /** What stands of this work since it was changed last, and since its user spoke: these reviewers looked at the same. */
  readonly round: readonly Pick<StandingVerdict, "reviewer" | "verdict" | "reason">[];
  readonly isChanged: boolean;
  /** A fix round was had since the user spoke. */
  readonly wasSentBack: boolean;
}

type ReviewDecision =
  /** Nothing that was not decided before. */
  | { readonly kind: "noted" }
  | { readonly kind: "fix-round" }
  | { readonly kind: "blocked"; readonly reason: string; readonly nextStep: string };

/**
 * What follows from one reviewer's outcome. BLOCKED stops at once. REJECT is fixed once: two rejections of the same change are
 * one, and asking the same reviewer again without a fix is a second. Where nothing was changed there is nothing to fix: a finding
 * is the result, and asking for it twice is a loop. Pure.
 */
function decideReview(
  { reviewer, verdict, reason, nextStep = "say how to go on." }: ReviewerOutcome,
  { round, isChanged, wasSentBack }: ReviewFacts,
): ReviewDecision {
  const others = round.filter((each) => each.reviewer !== reviewer && each.verdict !== null);
  const isAgain = round.some((each) => each.reviewer === reviewer && each.verdict === verdict);
  const isDecided = (...verdicts: string[]): boolean =>
    !isAgain && others.some((each) => verdicts.includes(each.verdict ?? ""));
  const said = `${reviewer}: ${reason ?? "gave no reason"}`;
  if (verdict === "APPROVE" || isDecided("BLOCKED")) return { kind: "noted" };
  if (verdict === "BLOCKED") {
    const beside = isAgain
      ? []
      : others.map((each) => `${each.reviewer}: ${each.reason || "gave no reason"}`);
    return { kind: "blocked", reason: [said, ...beside].join("; "), nextStep };
  }
  if (!isChanged && !isAgain) return { kind: "noted" };
  if (!isChanged) return { kind: "blocked", reason: `verification is not met (${said})`, nextStep };
  if (!wasSentBack) return { kind: "fix-round" };
  if (isDecided("REJECT")) return { kind: "noted" };
  return { kind: "blocked", reason: `still rejected after one round of fixing (${said})`, nextStep };
}
