import { createBriefing, type Briefing } from "../briefing/briefing.ts";
import { createBearings } from "./bearings/bearings.ts";
import { createEvidence, type EvidencePart } from "./evidence/evidence.ts";
import { createFinalReport } from "./final-report/final-report.ts";
import { createFindings } from "./findings/findings.ts";
import { createChecks } from "./checks/checks.ts";
import type { ConversationCore } from "./core.ts";
import { createDelegations } from "./delegations/delegations.ts";
import { createUnitProgress } from "./display/unit-progress.ts";
import { createLanes } from "./lanes/lanes.ts";
import { createLearnings } from "./learnings/learnings.ts";
import { createLeftForUser } from "./left-for-user/left-for-user.ts";
import { createOwnWork } from "./own-work/own-work.ts";
import { createMessages } from "./messages/messages.ts";
import { createNotes } from "./notes/notes.ts";
import { createNotices } from "./notices/notices.ts";
import { createNotifications } from "./notifications/notifications.ts";
import type { Part } from "./part.ts";
import { createPlanning } from "./planning/stage.ts";
import { createQuestions } from "./questions/questions.ts";
import { createWorkRecord } from "./record/work-record.ts";
import { createReminders } from "./reminders/reminders.ts";
import { createResultDelivery } from "./result-delivery/result-delivery.ts";
import { createPullRequests } from "./pull-request/pull-request.ts";
import { createReviews } from "./reviews/reviews.ts";
import type { ConversationServices } from "./services.ts";
import { createSessionSummary } from "./session-summary/session-summary.ts";
import { createTakenBack } from "./taken-back/taken-back.ts";
import { createTalks } from "./talks/talks.ts";
import { createSpending } from "./spending/spending.ts";
import { createHandouts } from "./handouts/handouts.ts";
import { createRuns } from "./runs/runs.ts";
import { createEndReport } from "./turns/end-report.ts";
import { createRestart } from "./turns/restart.ts";
import { createTurns } from "./turns/turns.ts";
import { createWorktrees } from "./worktrees/worktrees.ts";
import { createWaves } from "./waves/waves.ts";

/** The features of a conversation, in the order in which they hear of things: a new one is its folder and a line here. */
export function createParts(conversation: ConversationCore, services: ConversationServices) {
  const planning = createPlanning(conversation);
  const evidence: EvidencePart & Part = createEvidence(conversation, services, planning.hasWritten);
  const checks = createChecks(conversation, services, evidence);
  const lanes = createLanes(conversation, services);
  const runs = createRuns(conversation);
  const reviews = createReviews(conversation, services, planning, lanes, runs);
  const turns = createTurns(conversation, services, runs);
  const delivery = createResultDelivery(conversation, services, turns);
  const ownWork = createOwnWork(conversation, services);
  const questions = createQuestions(conversation, services);
  const workRecord = createWorkRecord(conversation, services);
  const worktrees = createWorktrees(conversation, services);
  const learnings = createLearnings(conversation, services, ownWork, worktrees);
  const leftForUser = createLeftForUser(conversation);
  const delegations = createDelegations(conversation, services);
  const endReport = createEndReport(conversation, services, {
    evidence,
    lanes,
    leftForUser,
    turns,
  });
  const handouts = createHandouts(conversation, services);
  const notes = createNotes(conversation, services);
  const notices = createNotices(conversation, services);
  const { host, treeOf, workspace, memory, redact, projectTexts } = services;
  const briefing: Briefing & Part = createBriefing({
    workspace,
    memory,
    redact,
    projectTexts,
    folder: host.project,
    unlogged: notes.unlogged,
    logged: async () => Promise.all([workRecord.settled(), notes.settled()]),
    checks: async (unit) => treeOf(unit).verifier.commands(),
    isBug: () => lanes.now()?.name === "bug",
    isPlanned: () => planning.stage()?.kind === "planning",
  });
  return {
    questions,
    leftForUser,
    endReport,
    ownWork,
    planning,
    // What a specialist did must be known before its result is handed on.
    waves: createWaves(conversation, services),
    reviews,
    lanes,
    checks,
    evidence,
    reminders: createReminders(conversation, services, runs),
    delegations,
    messages: createMessages(conversation, services),
    talks: createTalks(conversation, services, { delegations, handouts, planning, briefing }),
    // Before the record, which lets go of what a task has done.
    spending: createSpending(conversation, services, runs, workRecord),
    workRecord,
    delivery,
    restart: createRestart(conversation, services, {
      planning,
      questions,
      runs,
      workRecord,
    }),
    bearings: createBearings(conversation, services),
    handouts,
    runs,
    notes,
    briefing,
    learnings,
    finalReport: createFinalReport(conversation, services, {
      reviews,
      notices,
      evidence,
      leftForUser,
      ownWork,
      endReport,
    }),
    notices,
    notifications: createNotifications(conversation, services),
    sessionSummary: createSessionSummary(conversation, services, leftForUser),
    pullRequests: createPullRequests({ services, evidence, checks, reviews }),
    unitProgress: createUnitProgress(conversation, services, evidence),
    // Before those that write when a session rests.
    takenBack: createTakenBack(conversation, services, runs, turns),
    worktrees,
    findings: createFindings(conversation, services, { lanes, planning, runs, turns, evidence }),
    // Last: what a turn has done is known to all before its end is told, and something else may begin.
    turns,
  };
}

export type Parts = ReturnType<typeof createParts>;
