import { agentName } from "../../agents/registry.ts";
import { isDocumentationOnly } from "../../checks/documentation.ts";
import { isEnded, type Task } from "../../delegation/task.ts";
import type { Specialist } from "../../delegation/specialist.ts";
import { bounded } from "../../lib/bounded.ts";
import { describeError } from "../../lib/error.ts";
import { changedProject, type ToolFact } from "../collaboration/batch.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import {
  adviseLane,
  inferLane,
  type LaneName,
  type LaneStanding,
  type LookAt,
  needsProof,
  newLane,
  proveLane,
  quoted,
  readSavedLane,
  renderStanding,
  type WorkLane,
} from "./lane.ts";

export type Lanes = ReturnType<typeof createLanes>;

/** A result waits no longer for its proof, in milliseconds. */
const MAX_SETTLE_MS = 330_000;

export function createLanes(conversation: ConversationCore, services: ConversationServices) {
  const { roleOf, specialistOf, prover, workspace, vcs, host, clock } = services;
  let lane: WorkLane | null = null;
  /** Calls of tasks that work in worktrees, and how those sessions are settled. */
  const apart = new Set<string>();
  const landing = new Map<string, () => void>();
  const settling = new Map<string, Promise<string | null>>();
  /** The commands that calls under way named, which are judged each by their own; what is red was seen failing before. */
  const named = new Map<string, Pick<WorkLane, "verify" | "red">>();
  /** How those ended that worked side by side. */
  let beside: LaneStanding[] = [];
  let stop = new AbortController();

  const change = (next: WorkLane): void => {
    if (next === lane) return;
    lane = next;
    conversation.learn({ lane: describe() });
    conversation.keep();
  };
  const describe = (): string | null => {
    if (lane === null) return null;
    const { name, hasCause, red, standing } = lane;
    const steps = [hasCause ? "cause found" : "", red === null ? "" : `red: ${quoted(red)}`];
    return [name, ...steps, standing === null ? "" : renderStanding(standing)].filter(Boolean).join(" · ");
  };
  const start = (name: LaneName, isSaid: boolean): WorkLane => {
    // What is no more than said is told, whatever the work is called next.
    if (lane?.standing?.kind === "claimed")
      conversation.outbox.note(`${lane.name}: ${renderStanding(lane.standing)}`);
    const next = newLane(name, isSaid);
    named.clear();
    beside = [];
    change(next);
    return next;
  };
  const say = (name: LaneName): void => {
    if (lane === null || lane.isOver || lane.name !== name) start(name, true);
    else if (!lane.isSaid) change({ ...lane, isSaid: true });
  };

  const look: LookAt = async (command) => {
    const { mode } = conversation.state.knobs;
    return prover.look(conversation.state.workUnit, command, {
      isLocked: mode === "locked",
      isByPerson: false,
      signal: stop.signal,
    });
  };
  /** A tester's work is the test that fails, as long as there is no fix. */
  const redOf = async (): Promise<string | null> => {
    if (lane === null) return null;
    const { verify } = lane;
    const isRed = verify !== null && (await look(verify)).end === "failed";
    if (isRed) change({ ...lane, red: verify });
    return isRed
      ? `red, as it should be before the fix: ${quoted(verify)}`
      : "no test was seen failing; name it as `verify`, for without one the fix counts as claimed";
  };
  const proofOf = async (call: string): Promise<string | null> => {
    if (lane === null) return null;
    const standing = await proveLane({ ...lane, ...named.get(call) }, look);
    named.delete(call);
    if (standing !== null) beside.push(standing);
    const worst = (kind: LaneStanding["kind"]) => beside.find((each) => each.kind === kind);
    change({ ...lane, standing: worst("failed") ?? worst("claimed") ?? standing });
    if (named.size === 0) beside = [];
    return standing === null ? null : renderStanding(standing);
  };
  const settle = (task: Task, job: Promise<string | null>): void => {
    const line = bounded(job, MAX_SETTLE_MS, clock, "the proof").catch((error: unknown) => {
      host.logger.log("warn", "lanes", describeError(error));
      return null;
    });
    settling.set(task.sessionId, line);
    if (task.background)
      void line.then((text) => text !== null && conversation.tell(`${task.agent}: ${text}`));
  };

  const noteChange = (paths: readonly string[]): void => {
    if (lane === null || lane.isOver) return;
    const { standing } = lane;
    const stale: LaneStanding = { kind: "claimed", why: "files were changed since it passed" };
    change({
      ...lane,
      changesCode: lane.changesCode || !isDocumentationOnly(paths),
      standing: standing !== null && "by" in standing ? stale : standing,
    });
  };
  const noteFact = (fact: ToolFact): void => {
    const { command, files = [] } = fact;
    // Version control tells what a command has changed; without it, each may have.
    const isBlind = files.length === 0 && (command === undefined || vcs.kind === "none");
    if (changedProject(fact) && (files.length > 0 || isBlind)) noteChange(files.map(({ path }) => path));
  };

  return {
    /** For a person, in a few words; null where nothing is known. */
    describe,
    /** The work under way; null for none, and where it is over. */
    now: (): WorkLane | null => (lane?.isOver === true ? null : lane),
    /** GAIA or a command says what kind of work this is. */
    say,
    /** Other work of this kind begins, whatever was done before. */
    open: (name: LaneName): void => void start(name, true),
    /** A delegation begins. @returns why it does not fit the kind of work, in one line; null where it does */
    async begin(
      specialist: Specialist,
      {
        said,
        resume,
        call,
        verify,
        isApart,
      }: {
        readonly said: LaneName | undefined;
        readonly resume: string | null;
        readonly call: string;
        /** The command that is to show what it does: the host runs it now, and again at its end. */
        readonly verify?: string | undefined;
        /** It works in a worktree: what it does can be proven once that stands in the project's tree. */
        readonly isApart?: boolean;
      },
    ): Promise<string | null> {
      if (isApart === true) apart.add(call);
      const { name: agent, mutates } = specialist;
      const { workUnit } = conversation.state;
      const plan = mutates && workUnit !== null ? await workspace.planStanding({ slug: workUnit }) : null;
      const hasPlan = plan?.ok === true && plan.tasks.length > 0;
      const work = { agent, role: specialist.role, mutates, resume, hasPlan };
      const inferred = inferLane(work, workUnit);
      if (said !== undefined) say(said);
      else if (inferred !== null && (lane === null || lane.isOver)) start(inferred, false);
      if (lane === null || lane.isOver) return null;
      // Of a test that is to be written only its end says something.
      const isTest = lane.name === "bug" && specialist.role === "tester";
      const isNew = mutates && verify !== undefined && verify !== lane.verify;
      if (isNew && needsProof(lane, workUnit)) {
        const isRed = !isTest && verify !== lane.red && (await look(verify)).end === "failed";
        // What another shows who is at work is not this one's to show.
        const red = isRed ? verify : named.size > 0 ? null : lane.red;
        if (!isTest) named.set(call, { verify, red });
        change({ ...lane, verify, red });
      }
      const advice = adviseLane(lane, work, agentName);
      if (mutates && lane.editor === null)
        change({ ...lane, editor: { agent, call, session: resume ?? "" } });
      return advice;
    },
    /** It did not begin after all. */
    forget(call: string): void {
      apart.delete(call);
      named.delete(call);
      if (lane?.editor?.call === call) change({ ...lane, editor: null });
    },
    /** What is done in a worktree by a call, which is about to end, stands in the project's tree, or does not come there. */
    landed(call: string, session: string, isThere: boolean): void {
      apart.delete(call);
      if (isThere) landing.get(session)?.();
      else named.delete(call);
      landing.delete(session);
    },
    /** Where the work stands by what a specialist's task has done, in one line; null for nothing to tell. */
    async settled(session: string): Promise<string | null> {
      const line = settling.get(session) ?? null;
      settling.delete(session);
      return line;
    },
    /** Whether a test that fails is what a bug needs now. */
    wantsRed: (): boolean => lane?.name === "bug" && !lane.isOver && lane.standing === null,
    delegationStarted({ callId, sessionId: session }) {
      if (lane?.editor?.call === callId) change({ ...lane, editor: { ...lane.editor, session } });
    },
    delegationFinished(task, changed) {
      const isApart = apart.delete(task.callId);
      if (lane === null || lane.isOver || !isEnded(task)) return void named.delete(task.callId);
      const role = roleOf(task.agent);
      if (role === "recon") {
        if (lane.name === "bug" && task.outcome?.envelope?.ok === true) change({ ...lane, hasCause: true });
        return;
      }
      if (specialistOf(task.agent)?.mutates !== true) return;
      if (lane.name === "bug" && role === "tester" && lane.standing === null) settle(task, redOf());
      else if (changed && needsProof(lane, conversation.state.workUnit)) {
        // As long as nobody has looked, and after a crash.
        change({ ...lane, standing: { kind: "claimed", why: "it was not looked at" } });
        const prove = (): void => settle(task, proofOf(task.callId));
        if (isApart) landing.set(task.sessionId, prove);
        else prove();
      } else named.delete(task.callId);
    },
    heard(event) {
      if (event.type === "tool-finished") noteFact(event.fact);
      if (event.type === "files-changed") noteChange(event.files.map(({ path }) => path));
      if (event.type === "work-unit-changed" && event.workUnit !== null) {
        const isSmall = lane === null || lane.isOver || lane.name === "quick-fix" || lane.name === "trivial";
        if (isSmall) start("feature", false);
      }
      if (event.type !== "checks-ran" || !event.checks.passed || lane === null || lane.standing === null)
        return;
      const { kind } = lane.standing;
      const isShown = kind === "proven" || kind === "failed" || (lane.name === "bug" && lane.red === null);
      if (!isShown) change({ ...lane, standing: { kind: "passes", by: "the project's checks" } });
    },
    userSpoke(how) {
      if (how !== "message" || lane === null) return;
      const { name, standing } = lane;
      const isLook = name === "trivial" || name === "review" || name === "verify";
      const isDone = (name === "feature" || name === "refactor") && conversation.state.workUnit === null;
      if (standing !== null || isLook || isDone) change({ ...lane, isOver: true });
    },
    observe(event, isRoot) {
      if (isRoot && event.type === "session.error" && event.failure.reason === "aborted") {
        stop.abort();
        stop = new AbortController();
      }
    },
    snapshot: () => lane ?? undefined,
    restore(saved) {
      lane = readSavedLane(saved);
      conversation.learn({ lane: describe() });
    },
    dispose() {
      stop.abort();
    },
  } satisfies Part & Record<string, unknown>;
}
