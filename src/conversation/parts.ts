import { createBearings } from "./bearings/bearings.ts";
import { createChecks } from "./checks/checks.ts";
import type { ConversationCore } from "./core.ts";
import { createDelegations } from "./delegations/delegations.ts";
import { createLanes } from "./lanes/lanes.ts";
import { createLearnings } from "./learnings/learnings.ts";
import { createOwnWork } from "./own-work/own-work.ts";
import { createPlanning } from "./planning/stage.ts";
import { createQuestions } from "./questions/questions.ts";
import { createWorkRecord } from "./record/work-record.ts";
import { createReport } from "./report/report.ts";
import { createSessionSummary } from "./report/session-summary.ts";
import { createUnitProgress } from "./report/unit-progress.ts";
import { createReviews } from "./reviews/reviews.ts";
import type { ConversationServices } from "./services.ts";
import { createTalks } from "./talks/talks.ts";
import { createSpending } from "./spending/spending.ts";
import { createRuns } from "./runs/runs.ts";
import { createRestart } from "./turns/restart.ts";
import { createTurns } from "./turns/turns.ts";
import { createWorktrees } from "./worktrees/worktrees.ts";
import { createWaves } from "./waves/waves.ts";

/** The features of a conversation, in the order in which they hear of things: a new one is its folder and a line here. */
export function createParts(conversation: ConversationCore, services: ConversationServices) {
  const planning = createPlanning(conversation);
  const checks = createChecks(conversation, services, planning.hasWritten);
  const lanes = createLanes(conversation, services);
  const runs = createRuns(conversation, services);
  const reviews = createReviews(conversation, services, planning, lanes, runs);
  const ownWork = createOwnWork(conversation, services);
  const questions = createQuestions(conversation, services);
  const workRecord = createWorkRecord(conversation, services, planning);
  const turns = createTurns(conversation, services, { runs });
  const worktrees = createWorktrees(conversation, services);
  const learnings = createLearnings(conversation, services, ownWork, worktrees);
  const delegations = createDelegations(conversation, services, turns, runs, lanes, workRecord);
  const bearings = createBearings(conversation, services, { workRecord, lanes, planning });
  return {
    questions,
    ownWork,
    planning,
    // What a specialist did must be known before its result is handed on.
    waves: createWaves(conversation, services),
    reviews,
    lanes,
    checks,
    talks: createTalks(conversation, services, { delegations, bearings }),
    // Before the record, which lets go of what a task has done.
    spending: createSpending(conversation, services, runs, workRecord, delegations),
    workRecord,
    delegations,
    bearings,
    runs,
    learnings,
    progress: createUnitProgress(conversation, services, checks),
    sessionSummary: createSessionSummary(conversation, services, { learnings, ownWork, workRecord }),
    report: createReport(conversation, services, {
      checks,
      delegations,
      lanes,
      learnings,
      ownWork,
      runs,
      turns,
      workRecord,
    }),
    worktrees,
    restart: createRestart(conversation, services, { planning, questions, runs, workRecord, delegations }),
    turns,
  };
}

export type Parts = ReturnType<typeof createParts>;
