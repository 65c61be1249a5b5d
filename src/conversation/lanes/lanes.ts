import { isDocumentationOnly } from "../../checks/completion.ts";
import { isEnded, type Task } from "../../delegation/task.ts";
import type { Specialist } from "../../delegation/specialist.ts";
import { bounded } from "../../lib/async.ts";
import { logFailure } from "../../lib/error.ts";
import { changedProject, type ToolFact } from "../collaboration/batch.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import {
  isRedTest,
  type LaneName,
  type LaneStanding,
  type LookAt,
  needsProof,
  newLane,
  type Proof,
  proveLane,
  quoted,
  renderStanding,
  withProof,
  type WorkLane,
} from "./lane.ts";

export type Lanes = ReturnType<typeof createLanes>;

const UNCHANGED = "nothing changed: no file is other than before";
/** How long a result waits for its proof, in milliseconds. */
const MAX_SETTLE_MS = 330_000;

/** The kind of work under way, and the proof that it is done where no plan has one. */
export function createLanes(conversation: ConversationCore, services: ConversationServices) {
  const { roleOf, specialistOf, planEvidence, vcs, host, clock } = services;
  const lane = conversation.remember<WorkLane | null>("lanes", null);
  /** The proof that each running delegation named, by call: it counts from the end of that delegation. */
  const named = new Map<string, Proof>();
  const settling = new Map<string, Promise<string | null>>();
  let stop = new AbortController();

  const change = (next: Partial<WorkLane>): void => {
    if (lane.now !== null) lane.now = { ...lane.now, ...next };
  };
  const describe = (): string | null => {
    if (lane.now === null) return null;
    const { name, proofs, standing } = lane.now;
    const all = standing?.kind === "failed" ? [] : [...proofs, ...named.values()];
    const red = new Set(all.flatMap(({ isRed, command }) => (isRed ? `red: ${quoted(command)}` : [])));
    return [name, ...red, standing === null ? "" : renderStanding(standing)].filter(Boolean).join(" · ");
  };
  const start = (name: LaneName): void => {
    // The user hears of unproven work before other work begins.
    if (lane.now?.standing?.kind === "claimed")
      conversation.outbox.note(`${lane.now.name}: ${renderStanding(lane.now.standing)}`);
    named.clear();
    lane.now = newLane(name);
  };
  /** GAIA or a command says what kind of work this is. */
  const say = (name: LaneName): void => {
    if (lane.now?.name !== name) start(name);
  };

  const look: LookAt = async (command) =>
    planEvidence.look(conversation.state.workUnit, command, {
      isLocked: conversation.state.knobs.mode === "locked",
      isByPerson: false,
      signal: stop.signal,
    });
  const sawFail = (command: string): void =>
    change({ proofs: withProof(lane.now?.proofs ?? [], { command, isRed: true }) });
  const redOf = async (): Promise<string> => {
    const command = lane.now?.proofs.at(-1)?.command;
    if (command === undefined || (await look(command)).end !== "failed")
      return "no test was seen failing; name it as `verify`, for without one the fix counts as claimed";
    sawFail(command);
    return `red, as it should be before the fix: ${quoted(command)}`;
  };
  const proofOf = async (): Promise<string | null> => {
    if (lane.now === null) return null;
    const standing = await proveLane(lane.now, look, sawFail);
    change({ standing });
    return standing && renderStanding(standing);
  };
  const settle = (task: Task, job: Promise<string | null>): void => {
    const ended = bounded(job, MAX_SETTLE_MS, clock, "the proof");
    const line = ended.catch(logFailure(host.logger, "warn", "lanes")).then((text) => text ?? null);
    settling.set(task.sessionId, line);
    if (task.background)
      void line.then((text) => text !== null && conversation.tell(`${task.agent}: ${text}`));
  };

  const noteChange = (paths: readonly string[]): void => {
    if (lane.now === null) return;
    const { standing } = lane.now;
    const stale: LaneStanding = { kind: "claimed", why: "files were changed since it passed" };
    change({
      changesCode: lane.now.changesCode || !isDocumentationOnly(paths),
      standing: standing !== null && "by" in standing ? stale : standing,
    });
  };
  const noteFact = (fact: ToolFact): void => {
    const { command, files = [] } = fact;
    // Without version control every command may have changed files.
    const isBlind = files.length === 0 && (command === undefined || vcs.kind === "none");
    if (changedProject(fact) && (files.length > 0 || isBlind)) noteChange(files.map(({ path }) => path));
  };

  return {
    /** For a person, in a few words; null where nothing is known. */
    describe,
    /** The work under way; null for none. */
    now: () => lane.now,
    say,
    /** Other work of this kind begins, whatever was done before. */
    open: start,
    /** A delegation is about to begin. */
    async begin(
      { role, mutates }: Pick<Specialist, "role" | "mutates">,
      {
        said,
        call,
        verify,
      }: {
        readonly said: LaneName | undefined;
        readonly call: string;
        /** The command that proves it: the host runs it now, and again at its end. */
        readonly verify?: string | undefined;
      },
    ): Promise<void> {
      const { workUnit } = conversation.state;
      if (said !== undefined) say(said);
      // Outside of a unit a change without a name is a quick fix.
      else if (lane.now === null && mutates && role !== "tester" && workUnit === null) start("quick-fix");
      const work = lane.now;
      if (work === null || !mutates || verify === undefined || !needsProof(work, workUnit)) return;
      // A test that is yet to be written has no result now.
      const isTest = work.name === "bug" && role === "tester";
      const wasRed = work.proofs.some(({ command, isRed }) => isRed && command === verify);
      const isRed = wasRed || (!isTest && (await look(verify)).end === "failed");
      named.set(call, { command: verify, isRed });
      // A command that was not seen failing shows nothing about the work that begins.
      change({ proofs: (lane.now ?? work).proofs.filter((each) => each.isRed) });
    },
    /** The delegation did not begin. */
    forget(call: string): void {
      named.delete(call);
      change({});
    },
    /** The standing of the work after a specialist's task, in one line; null for none. */
    async settled(session: string): Promise<string | null> {
      const line = settling.get(session) ?? null;
      settling.delete(session);
      return line;
    },
    /** Ends once the work of a specialist's task was looked at; undefined where it is not. */
    looked: (session: string): Promise<unknown> | undefined => settling.get(session),
    /** The proof that failed; empty where none did. */
    refuted: (): string => (lane.now?.standing?.kind === "failed" ? lane.now.standing.why : ""),
    /** Whether a test that fails is what a bug needs now. */
    wantsRed: (): boolean => lane.now !== null && isRedTest(lane.now, "tester"),
    /** Work from a worktree has landed by now, or never will. */
    delegationFinished(task, changed) {
      const proof = named.get(task.callId);
      if (isEnded(task)) named.delete(task.callId);
      if (lane.now === null || !isEnded(task)) return;
      if (proof !== undefined) change({ proofs: withProof(lane.now.proofs, proof) });
      if (specialistOf(task.agent)?.mutates !== true) return;
      if (isRedTest(lane.now, roleOf(task.agent))) return settle(task, redOf());
      if (!needsProof(lane.now, conversation.state.workUnit)) return;
      if (!changed && proof === undefined) return settle(task, Promise.resolve(UNCHANGED));
      // Until the host has run the proof, and after a crash.
      change({ standing: { kind: "claimed", why: "it was not looked at" } });
      settle(task, proofOf());
    },
    heard(event) {
      if (event.type === "tool-finished") noteFact(event.fact);
      if (event.type === "files-changed") noteChange(event.files.map(({ path }) => path));
      if (event.type === "work-unit-changed" && event.workUnit !== null) {
        const name = lane.now?.name ?? "trivial";
        if (name === "quick-fix" || name === "trivial") start("feature");
      }
      if (event.type !== "checks-ran" || !event.checks.passed || lane.now?.standing?.kind !== "claimed")
        return;
      // For a bug, passing checks alone are not enough.
      if (lane.now.name !== "bug" || lane.now.proofs.some(({ isRed }) => isRed))
        change({ standing: { kind: "passes", by: "the project's checks" } });
    },
    userSpoke(how) {
      if (how !== "message" || lane.now === null) return;
      const { name, standing } = lane.now;
      const isLook = name === "trivial" || name === "review" || name === "verify";
      const isDone = (name === "feature" || name === "refactor") && conversation.state.workUnit === null;
      if (standing !== null || isLook || isDone) lane.now = null;
    },
    observe(event, isRoot) {
      if (isRoot && event.type === "session.error" && event.failure.reason === "aborted") {
        stop.abort();
        stop = new AbortController();
      }
    },
    shown: () => ({ lane: describe() }),
    dispose() {
      stop.abort();
    },
  } satisfies Part & Record<string, unknown>;
}
