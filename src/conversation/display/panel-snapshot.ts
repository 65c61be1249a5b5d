import type { Tally } from "../../checks/evidence/claims.ts";
import { budgetUse } from "../collaboration/reducer.ts";
import type { CollaborationDefaults } from "../collaboration/knobs.ts";
import { hasApprovedWave, type CollaborationState } from "../collaboration/state.ts";
import { isOpen, renderVerdict } from "../collaboration/verdicts.ts";
import type { Stage } from "../planning/stage.ts";
import { isEnded, waitsUntil, type Task } from "../../delegation/task.ts";
import {
  failingChecks,
  missingArtifacts,
  type DefinitionOfDoneReport,
} from "../../checks/definition-of-done/report.ts";
import { excerpt } from "../../lib/text.ts";
import { PANEL_VERSION } from "./metadata-keys.ts";

/** The snapshot travels with every change of its session, so each part of it is bounded. */
const MAX_TASKS = 12;
const MAX_REVIEWS = 2;
const MAX_NAME = 60;
const MAX_WHY = 30;
const MAX_CHECK = 160;
const MAX_STATUS = 12_000;
/** A model that says nothing for so long is told as silent, in milliseconds. */
const SILENT_MS = 60_000;

export interface PanelCheck {
  readonly passed: boolean;
  readonly text: string;
}

export interface PanelUnit {
  readonly slug: string;
  readonly done: number;
  readonly total: number;
  /** Of what the plan says is done: shown by the host on the files as they are, only said, shown on other files. */
  readonly evidence?: Tally;
  /** The first open task, in a few words; empty where none is open. */
  readonly next?: string | undefined;
}

export type PanelFacts = Readonly<typeof NO_FACTS>;
export const NO_FACTS = {
  unit: null as PanelUnit | null,
  check: null as PanelCheck | null,
  /** The kind of work, and where it stands. */
  lane: null as string | null,
  /** Which tasks of worktrees have not landed. */
  worktrees: null as string | null,
  /** By session of a specialist, whom it told something last. */
  messages: {} as Readonly<Record<string, string>>,
  /** How much waits for the user's yes; empty for nothing. */
  waits: "",
  /** What they were told last and have not answered. */
  news: [] as readonly string[],
  /** Specialists whose providers answer again later, and when; null for none. */
  limits: null as string | null,
  /** What a command holds the conversation to; null for nothing. */
  stage: null as Stage["kind"] | null,
  /** For what GAIA's own provider makes it wait, and until when (milliseconds since the epoch); null while it does not. */
  wait: null as { readonly until: number; readonly why: string } | null,
  /** What `/gaia-status` says, for the panel's request of this id. */
  status: null as { readonly request: string; readonly text: string } | null,
};

export type ToldTone = "warning" | "muted";

export type PanelSnapshot = Readonly<ReturnType<typeof snapshotPanel>>;

/** What the terminal panel reads beside the snapshot of the collaboration state (SPEC 2.3, 13). @param tasks ended ones too @param now as tasks count it */
export function snapshotPanel(
  state: CollaborationState,
  defaults: CollaborationDefaults,
  tasks: readonly Task[],
  facts: PanelFacts,
  now: number,
) {
  const { limits, wait, status, messages } = facts;
  const open = tasks.filter((task) => !isEnded(task));
  const reviews = state.verdicts.filter(isOpen).slice(-MAX_REVIEWS).map(renderVerdict);
  const lines = [facts.lane, facts.worktrees, limits, ...reviews, facts.waits, ...facts.news];
  const counts = state.knobs.mode === "autopilot" || hasApprovedWave(state);
  return {
    version: PANEL_VERSION,
    unit: facts.unit,
    check: facts.check,
    /** Lines of the panel as they are, each of a part of its own. */
    told: lines.flatMap((line) => (line ? [toldLine(line, line === limits || reviews.includes(line))] : [])),
    stage: facts.stage,
    wait: wait === null ? null : { ...wait, why: excerpt(wait.why, MAX_WHY) },
    tasks: open.slice(0, MAX_TASKS).map((task) => panelTask(task, messages[task.sessionId] ?? "", now)),
    /** Specialists beyond those listed. */
    more: Math.max(0, open.length - MAX_TASKS),
    /** What is left; empty while nothing counts against a budget. */
    budgets: counts
      ? budgetUse(state, defaults).map(({ which, value, limit }) => {
          return { which, left: Math.max(0, Math.ceil(limit - value)) };
        })
      : [],
    status: status === null ? null : { ...status, text: status.text.slice(0, MAX_STATUS) },
  };
}

function toldLine(line: string, isUrgent: boolean): { readonly text: string; readonly tone: ToldTone } {
  return {
    text: excerpt(line, MAX_CHECK),
    tone: isUrgent || line.includes("claimed") ? "warning" : "muted",
  };
}

function panelTask(task: Task, told: string, now: number) {
  const { agent, sessionId, status, cause, startedAt, model, tokens, heardAt } = task;
  // What a tool takes is no silence of the model's.
  const isSilent = status === "running" && task.openTools.length === 0 && now - heardAt >= SILENT_MS;
  return {
    agent: excerpt(agent, MAX_NAME),
    session: sessionId,
    state: status,
    /** Why it tries again, else whom it told something last; may be empty. */
    why: excerpt(status === "retrying" ? cause : status === "running" ? told : "", MAX_WHY),
    /** Until when it waits for its provider, in milliseconds since the epoch; null where it does not. */
    until: waitsUntil(task),
    /** Milliseconds since the epoch; null while it waits for a free slot. */
    since: startedAt,
    /** Since when its model says nothing, where that is long; in milliseconds as well. */
    silent: isSilent ? heardAt : null,
    model: model === null ? null : excerpt(model, MAX_NAME),
    /** Without what came from the provider's cache. */
    tokens: tokens.input + tokens.output,
  };
}

export function panelCheck(report: DefinitionOfDoneReport): PanelCheck {
  const wrong = [...failingChecks(report), ...missingArtifacts(report).map(({ path }) => path)];
  const passed = `${report.checks.length - failingChecks(report).length} of ${report.checks.length} checks`;
  return { passed: report.passed, text: excerpt(wrong.length === 0 ? passed : wrong.join(", "), MAX_CHECK) };
}
