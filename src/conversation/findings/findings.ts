import { failureForPerson } from "../../lib/for-person.ts";
import { readFindingType, type FindingType } from "../../config/findings.ts";
import { isEnded } from "../../delegation/task.ts";
import { describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import { createLines } from "../../lib/in-line.ts";
import { redactDeep } from "../../lib/redact-deep.ts";
import { withNext } from "../../lib/sentence.ts";
import {
  rowOf,
  stateOf,
  workOf,
  type Finding,
  type FindingState,
  type NewFinding,
} from "../../record/documents/finding.ts";
import type { ConversationCore } from "../core.ts";
import type { EvidencePart } from "../evidence/evidence.ts";
import type { CollaborationState } from "../collaboration/state.ts";
import { renderStanding, type LaneStanding } from "../lanes/lane.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { Part } from "../part.ts";
import type { Planning } from "../planning/stage.ts";
import type { Turns } from "../turns/turns.ts";
import type { Runs } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";
import { createHolds, endOfUnit, type Begun } from "./holds.ts";
import { renderBegin, renderFinding } from "./render.ts";

/** How often an idle autopilot looks for what CI has reported, in milliseconds; and how many times, an hour, without a turn. */
const LOOK_MS = 5_000;
const MAX_LOOKS = 720;
const MAX_STATE = 200;
/** What one answer may report, what may wait to be written, and what of that outlives a restart. */
const MAX_REPORTED = 20;
const MAX_WAITING = 40;
const MAX_KEPT = 8;
/** States from which a person's word begins. */
const STARTABLE: readonly FindingState[] = ["open", "blocked", "claimed"];
const OFF = "Findings are switched off (findings.enabled).";
const AUTOPILOT =
  "The user lets autopilot begin work by itself on findings of this type (findings.autostart).";

/** What reviewers and CI found (issue 20.6): takes reports down, begins work from them, and notes what came of it. */
export interface Findings extends Part {
  /** Begins work for the user. @returns what GAIA is told, or why nothing was begun */
  start(id: string): Promise<{ readonly forModel: string } | { readonly why: string }>;
  /** Gives back what a conversation has begun that nobody goes on with; resolves when that is written. Never rejects. */
  tidy(): Promise<void>;
}

export function createFindings(
  conversation: ConversationCore,
  services: ConversationServices,
  parts: {
    readonly lanes: Pick<Lanes, "now" | "open">;
    readonly planning: Pick<Planning, "stage" | "end">;
    readonly runs: Pick<Runs, "isUnderWay">;
    readonly turns: Pick<Turns, "goOn" | "now">;
    readonly evidence: Pick<EvidencePart, "standing" | "isAccepted">;
  },
): Findings {
  const { workspace, host, clock, bounds, ledger, capture, orchestrator, findings: config } = services;
  if (!config.enabled) return { start: async () => ({ why: OFF }), tidy: async () => undefined };
  const { rootId } = conversation;
  const holds = createHolds(conversation, services, parts.evidence);
  let begun: Begun | null = null;
  let blocked = "";
  let looks = 0;
  let cancelLook: () => void = () => undefined;
  /** Reports on their way into `.gaia/findings.md`. */
  let waiting: readonly NewFinding[] = [];
  const inLine = createLines();
  const queue = async <T>(job: () => Promise<T>): Promise<T> => inLine("", job);
  /** What goes wrong is tried again with the next. Never rejects. */
  const attempt = async (job: () => Promise<void>): Promise<void> =>
    queue(job).catch((error: unknown) => {
      host.logger.log("warn", "findings", describeError(error), { rootId });
    });
  const schedule = (job: () => Promise<void>): void => void attempt(job);
  const isLocked = (): boolean => conversation.state.knobs.mode === "locked";
  const isAtWork = (): boolean =>
    conversation.busy || parts.runs.isUnderWay() || conversation.tasks().some((task) => !isEnded(task));

  const change = (next: Begun | null): void => {
    begun = next;
    conversation.keep();
  };
  const wait = (next: readonly NewFinding[]): void => {
    waiting = next;
    conversation.keep();
  };
  /** Writes what waits, each once; locked, it goes on waiting. @throws where the file cannot be written */
  const report = async (): Promise<void> => {
    if (waiting.length === 0 || isLocked()) return;
    const given = waiting;
    const written = await workspace.addFindings(given);
    if (!written.ok) {
      void host.toast("warning", `Findings wait to be written: ${failureForPerson(written)}`);
      throw new Error(written.error);
    }
    const { added, taken } = written;
    wait(waiting.filter((each) => !given.includes(each)));
    if (taken.length > 0)
      host.logger.log("warn", "findings", `Ids of other findings: ${taken.map(({ id }) => id).join(", ")}`);
    if (added.length === 0) return;
    const names = added.map(({ id, type }) => `${id} (${type})`).join(", ");
    conversation.outbox.note(`Found, and noted in .gaia/findings.md: ${names} · /gaia-findings`);
    await conversation.outbox.flush();
  };
  const tidy = async (): Promise<void> => {
    if (isLocked() || !capture.enabled) return;
    if (begun !== null) {
      const still = await holds.goOn(begun);
      if (still !== begun) change(still);
    }
    const taken = await holds.tidy(begun);
    if (taken !== null) change(taken);
    await conversation.outbox.flush();
  };
  /** Writes what came of the finding that was begun, where no person has written anything else. */
  const settle = async (): Promise<void> => {
    await tidy();
    if (begun === null || isLocked()) return;
    const { id, state: was, unit } = begun;
    const end = unit === null ? null : await endOfUnit(workspace, parts.evidence, unit);
    const standing = findingStanding({
      blocked: unit === null || unit === conversation.state.workUnit ? blocked : "",
      unit: end,
      isAtWork: isAtWork(),
      state: conversation.state,
      standing: parts.lanes.now()?.standing ?? null,
    });
    const state = standing === null ? was : excerpt(standing, MAX_STATE);
    if (state === was) return;
    const isEnd = stateOf({ state }) === "done" || (end ?? "") !== "";
    const written = await holds.write({ id, was, state, ...(isEnd ? {} : { unit }) });
    if (!written.ok) throw new Error(`${written.error} ${written.hint}`);
    const isOver = !written.changed || isEnd;
    change(isOver ? null : { id, state: written.finding.state, unit });
    if (!written.changed) return;
    conversation.outbox.note(`Finding ${id}: ${written.finding.state}`);
    await conversation.outbox.flush();
  };

  /** Of all who would begin the same finding, one may. @returns the finding, or why it is not begun */
  const claim = async (id: string, was: readonly FindingState[]): Promise<Finding | string> => {
    if (isLocked()) return "GAIA is locked; /supervised or /autopilot lets her work.";
    const before = begun;
    // Kept first: whenever OpenCode is killed, there is a conversation for each row that says started.
    change({ id, state: "started", unit: null });
    await conversation.mirrored();
    const written = await holds.write({ id, was, state: "started", unit: null });
    if (written.ok && written.changed) return written.finding;
    change(before);
    if (!written.ok) return failureForPerson(written);
    const { finding } = written;
    return `${finding.id} is ${stateOf(finding)}. Write open as its state in .gaia/findings.md to have it begun again.`;
  };
  const begin = (finding: Finding): void => {
    blocked = "";
    change({ id: finding.id, state: finding.state, unit: null });
    const work = workOf(finding);
    if (work !== null) parts.lanes.open(work);
  };

  const mayStart = async (): Promise<boolean> => {
    const { workUnit, knobs } = conversation.state;
    if (knobs.mode !== "autopilot" || conversation.speaker()?.agent !== orchestrator) return false;
    const plan = workUnit === null ? null : await workspace.readWorkUnit({ slug: workUnit });
    const mayBegin = mayStartAlone({
      state: conversation.state,
      isBusy: isAtWork() || parts.planning.stage() !== null || begun?.state === "started",
      bound: bounds.heldBy(rootId) ?? ledger.reached(rootId)?.why ?? null,
      hasOpenTasks:
        parts.turns.now().openTodos > 0 || (plan?.ok === true && plan.tasks.some(({ done }) => !done)),
    });
    // `opencode run` ends with the first turn.
    return mayBegin && (await conversation.canAsk()) === true;
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
      await holds.write({ id: next.id, was: finding.state, state: next.state });
      change(null);
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
      if (isAtWork()) return { why: "GAIA is at work; begin it when her turn has ended." };
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
        schedule(tidy);
        return;
      }
      schedule(settle);
      watch();
    },
    delegationFinished({ outcome }) {
      const { agent: by = "", outside = [] } = outcome?.envelope ?? {};
      // Cut only after it is redacted: half a secret is not known as one.
      const found = outside
        .filter(({ what }) => what.trim() !== "")
        .slice(0, MAX_REPORTED)
        .map(({ id = "", type, scope = "", where = "", what }) =>
          rowOf(redactDeep({ id, type, scope, where, what, by }, services.redact)),
        );
      if (found.length === 0 || !capture.enabled) return;
      wait([...waiting, ...found].slice(-MAX_WAITING));
      schedule(report);
    },
    heard(event) {
      if (event.type === "command") schedule(report);
      if (event.type === "work-unit-changed" && begun !== null && begun.unit === null) {
        change({ ...begun, unit: event.workUnit });
        schedule(tidy);
      }
      if (event.type !== "blocked") return;
      blocked = withNext(event.reason, event.nextStep);
      schedule(settle);
    },
    userSpoke(how) {
      if (how !== "answer") blocked = "";
      // What the user asks for next, once there was an end to it, is other work.
      const isOver = parts.lanes.now() === null || UNTOUCHED.has(begun?.state ?? "");
      if (how === "message" && begun !== null && begun.unit === null && isOver) change(null);
    },
    snapshot() {
      const kept = waiting.slice(-MAX_KEPT);
      return kept.length === 0 && begun === null ? undefined : { waiting: kept, begun };
    },
    restore(saved) {
      const { waiting: kept, begun: at } = recordOf(saved);
      const { id, state, unit } = recordOf(at);
      const [name, cell] = [textOf(id), textOf(state)];
      begun =
        name === undefined || cell === undefined
          ? null
          : { id: name, state: cell, unit: textOf(unit) ?? null };
      waiting = listOf(kept).slice(-MAX_KEPT).map(readReport);
      waiting = waiting.filter(({ what }) => what !== "");
      schedule(report);
      if (begun !== null) schedule(tidy);
    },
    tidy: async () => attempt(tidy),
    flush: async () => queue(async () => undefined),
    dispose() {
      cancelLook();
    },
  };
}

function readReport(saved: unknown): NewFinding {
  const text = (name: keyof NewFinding): string => textOf(recordOf(saved)[name]) ?? "";
  const [id, type, scope, where] = [text("id"), text("type"), text("scope"), text("where")];
  return { id, type, scope, where, what: text("what"), by: text("by") };
}

/** What is true when autopilot could begin from a finding. */
export interface StartFacts {
  readonly state: Pick<CollaborationState, "knobs" | "pause" | "pending">;
  /** A turn of GAIA's runs, or anyone works for her; a command holds the conversation; a finding was begun. */
  readonly isBusy: boolean;
  /** The unit has tasks that are not ticked, or GAIA's own list has todos. */
  readonly hasOpenTasks: boolean;
  /** Why nothing more may be begun or spent before the user's word; null while it may. */
  readonly bound: string | null;
}

/** Whether autopilot may begin work by itself now. Everything that is a person's comes first. */
export function mayStartAlone({ state, isBusy, hasOpenTasks, bound }: StartFacts): boolean {
  const { knobs, pause, pending } = state;
  const isAlone = knobs.mode === "autopilot" && knobs.interaction !== "pair";
  return isAlone && pause === null && pending.length === 0 && !isBusy && !hasOpenTasks && bound === null;
}

/** Ends of work by which nothing of a finding was touched. */
const STOPPED = "claimed: you stopped it";
const NOTHING = "claimed: nothing was changed";
const UNTOUCHED: ReadonlySet<string> = new Set([STOPPED, NOTHING]);

export interface FindingFacts {
  /** Why the work ended BLOCKED, with the next step; empty where it did not. */
  readonly blocked: string;
  readonly isAtWork: boolean;
  readonly state: Pick<CollaborationState, "pause" | "pending">;
  /** What the host has seen of the change; null for no change. */
  readonly standing: LaneStanding | null;
  /** How the work unit ended that the finding became: a state; empty while it is under way, null where it became none. */
  readonly unit: string | null;
}

/** The state of a finding as the host knows it, never as a model says it; null while someone works or waits for the user. */
export function findingStanding(facts: FindingFacts): string | null {
  const { blocked, isAtWork, state, standing, unit } = facts;
  // Whatever else goes on: its end is the end of the work.
  if (unit !== null && unit !== "") return unit;
  if (blocked !== "") return `blocked: ${blocked}`;
  if (state.pause?.reason === "abort") return STOPPED;
  if (unit !== null) return null;
  if (isAtWork || state.pause !== null || state.pending.length > 0) return null;
  if (standing?.kind === "claimed") return `claimed: ${standing.why}`;
  if (standing !== null) return `done: ${renderStanding(standing)}`;
  return NOTHING;
}
