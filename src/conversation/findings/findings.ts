import { failureForPerson } from "../../lib/for-person.ts";
import { readFindingType, type FindingType } from "../../config/findings.ts";
import { isEnded } from "../../delegation/task.ts";
import { describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import { withNext } from "../../lib/sentence.ts";
import { stateOf, workOf, type Finding, type FindingState } from "../../record/documents/finding.ts";
import type { ConversationCore } from "../core.ts";
import type { EvidencePart } from "../evidence/evidence.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { Part } from "../part.ts";
import type { Planning } from "../planning/stage.ts";
import type { Turns } from "../turns/turns.ts";
import type { Runs } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";
import { whyNotStart } from "./decide-start.ts";
import { createHolds, type Begun } from "./holds.ts";
import { renderBegin, renderFinding } from "./render.ts";
import { createReports } from "./reports.ts";
import { findingStanding, UNTOUCHED } from "./standing.ts";
import { endOfUnit } from "./unit-end.ts";

/** How often an idle autopilot looks for what CI has reported, in milliseconds; and how many times, an hour, without a turn. */
const LOOK_MS = 5_000;
const MAX_LOOKS = 720;
const MAX_STATE = 200;
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
  const reports = createReports(conversation, services);
  const holds = createHolds(conversation, services, parts.evidence);
  let begun: Begun | null = null;
  let blocked = "";
  let looks = 0;
  let cancelLook: () => void = () => undefined;
  let jobs: Promise<void> = Promise.resolve();

  /** One after the other. What goes wrong is logged, and tried again with the next. */
  const queue = async <T>(job: () => Promise<T>): Promise<T> => {
    const done = jobs.then(job);
    jobs = done.then(
      () => undefined,
      (error: unknown) => {
        host.logger.log("warn", "findings", describeError(error), { rootId });
      },
    );
    return done;
  };
  const schedule = (job: () => Promise<void>): void => {
    queue(job).catch(() => undefined); // It is logged there.
  };
  const isLocked = (): boolean => conversation.state.knobs.mode === "locked";
  const isAtWork = (): boolean =>
    conversation.busy || parts.runs.isUnderWay() || conversation.tasks().some((task) => !isEnded(task));

  const change = (next: Begun | null): void => {
    begun = next;
    conversation.keep();
  };
  const show = async (): Promise<void> => {
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
    await show();
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
    await show();
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
    const why = whyNotStart({
      state: conversation.state,
      isAtWork: isAtWork(),
      isHeld: parts.planning.stage() !== null,
      bound: bounds.heldBy(rootId) ?? ledger.reached(rootId)?.why ?? null,
      isStarted: begun?.state === "started",
      hasOpenTasks:
        parts.turns.now().openTodos > 0 || (plan?.ok === true && plan.tasks.some(({ done }) => !done)),
    });
    // `opencode run` ends with the first turn.
    return why === null && (await conversation.canAsk()) === true;
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
      const envelope = outcome?.envelope ?? null;
      if (envelope !== null && capture.enabled && reports.take(envelope)) schedule(reports.write);
    },
    heard(event) {
      if (event.type === "command") schedule(reports.write);
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
      const isOver = parts.lanes.now() === null || UNTOUCHED.includes(begun?.state ?? "");
      if (how === "message" && begun !== null && begun.unit === null && isOver) change(null);
    },
    snapshot() {
      const waiting = reports.kept();
      return waiting === undefined && begun === null ? undefined : { waiting, begun };
    },
    restore(saved) {
      const { waiting, begun: at } = recordOf(saved);
      const { id, state, unit } = recordOf(at);
      const [name, cell] = [textOf(id), textOf(state)];
      begun =
        name === undefined || cell === undefined
          ? null
          : { id: name, state: cell, unit: textOf(unit) ?? null };
      reports.restore(waiting);
      schedule(reports.write);
      if (begun !== null) schedule(tidy);
    },
    tidy: async () => queue(tidy).catch(() => undefined), // It is logged there.
    flush: async () => jobs,
    dispose() {
      cancelLook();
    },
  };
}
