import { excerpt, withNext } from "../../lib/text.ts";
import { failureForPerson } from "../../lib/for-person.ts";
import { readFindingType, type FindingType } from "../../config/findings.ts";
import { isEnded } from "../../delegation/task.ts";
import { logFailure } from "../../lib/error.ts";
import { createLines } from "../../lib/async.ts";
import { stateOf, workOf, type Finding, type FindingState } from "../../record/documents.ts";
import type { ConversationCore } from "../../conversation/core.ts";
import type { CollaborationState } from "../../conversation/collaboration/state.ts";
import { renderStanding, type LaneStanding } from "../../conversation/lanes/lane.ts";
import type { Lanes } from "../../conversation/lanes/lanes.ts";
import type { Part } from "../../conversation/part.ts";
import type { Planning } from "../../conversation/planning/stage.ts";
import type { Turns } from "../../conversation/turns/turns.ts";
import type { Runs } from "../../conversation/runs/runs.ts";
import type { ConversationServices } from "../../conversation/services.ts";
import { renderBegin, renderFinding } from "./render.ts";

/** How often an idle autopilot looks for what CI has reported, in milliseconds; and how many times, an hour, without a turn. */
const LOOK_MS = 5_000;
const MAX_LOOKS = 720;
const MAX_STATE = 200;
const LEFT = "open: its session went on to other work";
/** States from which a person's word begins. */
const STARTABLE: readonly FindingState[] = ["open", "blocked", "claimed"];
const OFF = "Findings are switched off (findings.enabled).";
const AUTOPILOT =
  "The user lets autopilot begin work by itself on findings of this type (findings.autostart).";

/** What reviewers and CI found (issue 20.6): begins work from it, and notes what came of that. */
export interface Findings extends Part {
  /** Begins work for the user. @returns what GAIA is told, or why nothing was begun */
  start(id: string): Promise<{ readonly forModel: string } | { readonly why: string }>;
}

export function createFindings(
  conversation: ConversationCore,
  services: ConversationServices,
  parts: {
    readonly lanes: Pick<Lanes, "now" | "open">;
    readonly planning: Pick<Planning, "stage" | "end">;
    readonly runs: Pick<Runs, "underWay">;
    readonly turns: Pick<Turns, "goOn" | "now">;
  },
): Findings {
  const { workspace, host, clock, bounds, ledger, orchestrator, findings: config } = services;
  if (!config.enabled) return { start: async () => ({ why: OFF }) };
  const { rootId } = conversation;
  /** The row names who works on it: of two that would begin it one does, and nobody else writes what came of that. */
  const STARTED = `started in ${rootId}`;
  const begun = conversation.remember<Begun | null>("findings", null);
  let blocked = "";
  let looks = 0;
  let cancelLook: () => void = () => undefined;
  const inLine = createLines();
  const queue = async <T>(job: () => Promise<T>): Promise<T> => inLine("", job);
  /** What goes wrong is tried again with the next. */
  const schedule = (job: () => Promise<void>): void => {
    queue(job).catch(logFailure(host.logger, "warn", "findings", { rootId }));
  };
  const isLocked = (): boolean => conversation.state.knobs.mode === "locked";
  const isAtWork = (): boolean =>
    conversation.busy ||
    parts.runs.underWay() !== null ||
    conversation.tasks().some((task) => !isEnded(task));

  /** Writes what came of the finding that was begun, where no person has written anything else. */
  const settle = async (): Promise<void> => {
    if (begun.now === null || isLocked()) return;
    const { id, state: was, unit } = begun.now;
    const standing = findingStanding({
      unit,
      blocked,
      isAtWork: isAtWork(),
      state: conversation.state,
      standing: parts.lanes.now()?.standing ?? null,
    });
    const state = standing === null ? was : excerpt(standing, MAX_STATE);
    if (state === was) return;
    const isEnd = stateOf({ state }) === "done" || unit !== null;
    const written = await workspace.stateFinding({ id, was, state });
    if (!written.ok) throw new Error(`${written.error} ${written.hint}`);
    const isOver = !written.changed || isEnd;
    begun.now = isOver ? null : { id, state: written.finding.state, unit };
    if (!written.changed) return;
    conversation.outbox.note(`Finding ${id}: ${written.finding.state}`);
    await conversation.outbox.flush();
  };

  /** Of all who would begin the same finding, one may. @returns the finding, or why it is not begun */
  const claim = async (id: string, was: readonly FindingState[]): Promise<Finding | string> => {
    if (isLocked()) return "GAIA is locked; /supervised or /autopilot lets it work.";
    const before = begun.now;
    // Kept first: whenever OpenCode is killed, the conversation goes on with it.
    begun.now = { id, state: STARTED, unit: null };
    await conversation.mirrored();
    const written = await workspace.stateFinding({ id, was, state: STARTED });
    if (written.ok && written.changed) return written.finding;
    begun.now = before;
    if (!written.ok) return failureForPerson(written);
    const { finding } = written;
    return `${finding.id} reads "${finding.state || "open"}". Write open as its state in .gaia/findings.md to have it begun again.`;
  };
  const begin = (finding: Finding): void => {
    blocked = "";
    begun.now = { id: finding.id, state: finding.state, unit: null };
    const work = workOf(finding);
    if (work !== null) parts.lanes.open(work);
  };

  /** Whether autopilot may begin work by itself now. Everything that is a person's comes first. */
  const mayStart = async (): Promise<boolean> => {
    const { workUnit, knobs, pause, pending } = conversation.state;
    const isAlone = knobs.mode === "autopilot" && knobs.interaction !== "pair";
    if (!isAlone || pause !== null || pending.length > 0 || conversation.speaker()?.agent !== orchestrator)
      return false;
    const isBound = bounds.heldBy(rootId) !== null || ledger.reached(rootId) !== null;
    const isBusy = isAtWork() || parts.planning.stage() !== null || begun.now?.state === STARTED;
    if (isBound || isBusy || parts.turns.now().openTodos > 0) return false;
    const plan = workUnit === null ? null : await workspace.readWorkUnit({ slug: workUnit });
    if (plan?.ok === true && plan.tasks.some(({ done }) => !done)) return false;
    // `opencode run` ends with the first turn.
    return (await conversation.canAsk()) === true;
  };
  const autostart: readonly (FindingType | null)[] = config.autostart;
  const mayBegin = (finding: Finding): boolean =>
    stateOf(finding) === "open" && autostart.includes(readFindingType(finding.type));
  /** Begins the first finding that autopilot may begin. */
  const look = async (): Promise<void> => {
    if (!(await mayStart())) return;
    const read = await workspace.readFindings();
    const next = read.ok ? read.findings.find(mayBegin) : undefined;
    const finding = next === undefined ? "" : await claim(next.id, ["open"]);
    if (next === undefined || typeof finding === "string") return;
    if (parts.turns.goOn(renderBegin(finding, AUTOPILOT))) {
      begin(finding);
      void host.toast("info", `Autopilot begins work on the finding ${renderFinding(finding)}`);
    } else {
      // The user came first: it stays as it was.
      await workspace.stateFinding({ id: next.id, was: finding.state, state: next.state });
      begun.now = null;
    }
  };
  const watch = (): void => {
    cancelLook();
    if (autostart.length === 0 || looks >= MAX_LOOKS) return;
    looks += 1;
    schedule(look);
    cancelLook = clock.after(LOOK_MS, watch);
  };

  return {
    async start(id) {
      if (isAtWork()) return { why: "GAIA is at work; begin it when its turn has ended." };
      const finding = await queue(async () => claim(id, STARTABLE));
      if (typeof finding === "string") return { why: finding };
      begin(finding);
      parts.planning.end();
      return { forModel: renderBegin(finding, "The user has work begun on a finding.") };
    },
    observe(event, isRoot) {
      if (!isRoot || event.type !== "session.status") return;
      cancelLook();
      if (event.status !== "idle") {
        looks = 0;
        return;
      }
      schedule(settle);
      watch();
    },
    heard(event) {
      if (event.type === "work-unit-changed" && begun.now !== null) {
        begun.now = { ...begun.now, unit: event.workUnit };
        schedule(settle);
      }
      if (event.type !== "blocked") return;
      blocked = withNext(event.reason, event.nextStep);
      schedule(settle);
    },
    userSpoke(how) {
      if (how !== "answer") blocked = "";
      // What the user asks for next, once there was an end to it, is other work.
      if (how !== "message" || begun.now === null) return;
      const { id, state } = begun.now;
      if (parts.lanes.now() !== null && !UNTOUCHED.has(state)) return;
      begun.now = null;
      if (state === STARTED)
        schedule(async () => void (await workspace.stateFinding({ id, was: STARTED, state: LEFT })));
    },
    flush: async () => queue(async () => undefined),
    dispose() {
      cancelLook();
    },
  };
}

/**
 * The finding that a conversation works on, with the state that was written of it last, and the work unit that it became, until that
 * stands in its row.
 */
interface Begun {
  readonly id: string;
  readonly state: string;
  readonly unit: string | null;
}
/** Ends of work by which nothing of a finding was touched. */
const STOPPED = "claimed: you stopped it";
const NOTHING = "claimed: nothing was changed";
const UNTOUCHED: ReadonlySet<string> = new Set([STOPPED, NOTHING]);

/**
 * The state of a finding as the host knows it, never as a model says it; null while someone works or waits for the user.
 * @param facts `blocked`: why the work ended BLOCKED, empty where it did not; `unit`: the work unit that it became;
 * `standing`: what the host has seen of the change
 */
export function findingStanding(facts: {
  readonly blocked: string;
  readonly isAtWork: boolean;
  readonly state: Pick<CollaborationState, "pause" | "pending">;
  readonly standing: LaneStanding | null;
  readonly unit: string | null;
}): string | null {
  const { blocked, isAtWork, state, standing, unit } = facts;
  // Its plan, its proof and its end stand in the unit's own record.
  if (unit !== null) return `claimed: it became the work unit ${unit}`;
  if (blocked !== "") return `blocked: ${blocked}`;
  if (state.pause?.reason === "abort") return STOPPED;
  if (isAtWork || state.pause !== null || state.pending.length > 0) return null;
  if (standing?.kind === "claimed") return `claimed: ${standing.why}`;
  if (standing !== null) return `done: ${renderStanding(standing)}`;
  return NOTHING;
}
