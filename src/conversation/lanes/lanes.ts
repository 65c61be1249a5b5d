import { nameOf } from "../../agents/registry.ts";
import { isDocumentationOnly } from "../../checks/documentation.ts";
import { keyOf } from "../../checks/evidence/evidence.ts";
import { checksOf } from "../../contracts/fields.ts";
import { isEnded, type Task } from "../../delegation/task.ts";
import type { Specialist } from "../../delegation/specialist.ts";
import { bounded } from "../../lib/bounded.ts";
import { describeError } from "../../lib/error.ts";
import { recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import { changedProject, type ToolFact } from "../collaboration/batch.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { adviseLane, inferLane, needsProof } from "./decide-lane.ts";
import { newLane, renderStanding, restoreLane, type Lane, type LaneName, type Standing } from "./lane.ts";
import { findRed, isFailing, type LookAt, proveLane, quoted } from "./prove-lane.ts";

/** The kind of work that a conversation is at, and whether what it requires was done. */
export interface Lanes extends Part {
  /** For a person, in a few words; null where nothing is known. */
  describe(): string | null;
  /** The work under way; null for none, and where it is over. */
  now(): Lane | null;
  /** GAIA or a command says what kind of work this is. */
  say(name: LaneName): void;
  /** Other work of this kind begins, whatever was done before. */
  open(name: LaneName): void;
  /** A delegation begins. @returns why it does not fit the kind of work, in one line; null where it does */
  begin(
    specialist: Specialist,
    work: {
      readonly said: LaneName | undefined;
      readonly resume: string | null;
      readonly call: string;
      /** It works in a worktree: what it does can be proven once that stands in the project's tree. */
      readonly isApart?: boolean;
    },
  ): Promise<string | null>;
  /** It did not begin after all. */
  forget(call: string): void;
  /** What is done in a worktree by a call, which is about to end, stands in the project's tree. */
  landed(call: string, session: string): void;
  /** Where the work stands by what a specialist's task has done, in one line; null for nothing to tell. */
  settled(session: string): Promise<string | null>;
  /** Whether a test that fails is what a bug needs now. */
  wantsRed(): boolean;
}

/** What names a place in the code. */
const PLACE = /[\w/-]+\.[a-z]\w{0,7}\b/i;
/** A result waits no longer for its proof, in milliseconds. */
const MAX_SETTLE_MS = 330_000;
/** By these a shell says that it could not run a command. */
const NOT_RUN = new Set([126, 127]);

export function createLanes(
  conversation: Pick<ConversationCore, "state" | "keep" | "learn" | "tell" | "outbox" | "busy">,
  services: Pick<
    ConversationServices,
    "roleOf" | "specialistOf" | "prover" | "verifier" | "workspace" | "vcs" | "host" | "clock"
  >,
): Lanes {
  const { roleOf, specialistOf, prover, verifier, workspace, vcs, host, clock } = services;
  let lane: Lane | null = null;
  let told = "";
  /** How commands ended since the last change, as the host saw it. */
  let seen = new Map<string, "passed" | "failed">();
  /** Calls of tasks that work in worktrees, and how those sessions are settled. */
  const apart = new Set<string>();
  const landing = new Map<string, () => void>();
  /** Sessions that work there: what they see of commands is true of their own files alone. */
  const away = new Set<string>();
  const settling = new Map<string, Promise<string | null>>();
  let stop = new AbortController();

  const change = (next: Lane): void => {
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
  /** What is no more than said is told, whatever the work is called next. */
  const tellUser = (): void => {
    if (lane === null || lane.standing === null) return;
    const text = `${lane.name}: ${renderStanding(lane.standing)}`;
    if (text === told) return;
    told = text;
    conversation.outbox.note(text);
  };
  const start = (name: LaneName, isSaid: boolean): Lane => {
    if (lane?.standing?.kind === "claimed") tellUser();
    const next = newLane(name, isSaid);
    told = "";
    change(next);
    return next;
  };
  const say = (name: LaneName): void => {
    if (lane === null || lane.isOver || lane.name !== name) start(name, true);
    else if (!lane.isSaid) change({ ...lane, isSaid: true });
  };

  const look: LookAt = async (command) => {
    const { mode } = conversation.state.knobs;
    return prover.look(conversation.state.workUnit, command, seen.get(plain(command)) ?? null, {
      isLocked: mode === "locked",
      isByPerson: false,
      signal: stop.signal,
    });
  };
  const redOf = async (data: JsonRecord): Promise<string> => {
    const unit = conversation.state.workUnit;
    const { baseline } = await verifier.ledger.of(unit);
    const before = new Set(baseline?.red.map(({ key }) => key));
    const listed = checksOf(data).filter(isFailing);
    const checks = (await verifier.commands()).filter((command) => !before.has(keyOf(command)));
    const failed = [...seen].flatMap(([command, end]) => (end === "failed" ? [command] : []));
    const red = await findRed([...listed.map(({ command }) => command), ...failed, ...checks], look);
    if (red !== null && lane?.name === "bug") change({ ...lane, red });
    return red === null
      ? "no test was seen failing; without one the fix counts as claimed"
      : `red, as it should be before the fix: ${quoted(red)}`;
  };
  const proofOf = async (data: JsonRecord): Promise<string | null> => {
    if (lane === null) return null;
    const standing = await proveLane(lane, data, look);
    change({ ...lane, standing });
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
    seen = new Map();
    if (lane === null || lane.isOver) return;
    const { standing } = lane;
    const stale: Standing = { kind: "claimed", why: "files were changed since it passed" };
    change({
      ...lane,
      changesCode: lane.changesCode || !isDocumentationOnly(paths),
      standing: standing === null || standing.kind === "claimed" ? standing : stale,
    });
  };
  const noteFact = (fact: ToolFact): void => {
    const { command, files = [] } = fact;
    // Version control tells what a command has changed; without it, each may have.
    const isBlind = files.length === 0 && (command === undefined || vcs.kind === "none");
    if (changedProject(fact) && (files.length > 0 || isBlind)) noteChange(files.map(({ path }) => path));
    const code = command?.exitCode ?? null;
    if (command === undefined || code === null || NOT_RUN.has(code) || away.has(fact.sessionId)) return;
    seen.set(plain(command.command), code === 0 ? "passed" : "failed");
  };

  return {
    describe,
    now: () => (lane?.isOver === true ? null : lane),
    say,
    open: (name) => void start(name, true),
    async begin(specialist, { said, resume, call, isApart }) {
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
      const advice = adviseLane(lane, work, nameOf);
      if (mutates && lane.editor === null)
        change({ ...lane, editor: { agent, call, session: resume ?? "" } });
      return advice;
    },
    forget(call) {
      apart.delete(call);
      if (lane?.editor?.call === call) change({ ...lane, editor: null });
    },
    landed(call, session) {
      apart.delete(call);
      landing.get(session)?.();
      landing.delete(session);
    },
    async settled(session) {
      const line = settling.get(session) ?? null;
      settling.delete(session);
      return line;
    },
    wantsRed: () => lane?.name === "bug" && !lane.isOver && lane.standing === null,
    delegationStarted({ callId, sessionId: session }) {
      if (apart.has(callId)) away.add(session);
      else away.delete(session);
      if (lane?.editor?.call === callId) change({ ...lane, editor: { ...lane.editor, session } });
    },
    delegationFinished(task, changed) {
      const isApart = apart.delete(task.callId);
      if (lane === null || lane.isOver || !isEnded(task)) return;
      const role = roleOf(task.agent);
      const envelope = task.outcome?.envelope ?? null;
      const data = recordOf(envelope?.data);
      if (role === "recon") {
        const words = [data["answer"], data["repo_map"]].map((text) => textOf(text) ?? "").join(" ");
        if (lane.name === "bug" && envelope?.ok === true && PLACE.test(words))
          change({ ...lane, hasCause: true });
        return;
      }
      if (specialistOf(task.agent)?.mutates !== true) return;
      if (lane.name === "bug" && role === "tester" && lane.standing === null) settle(task, redOf(data));
      else if (changed && needsProof(lane, conversation.state.workUnit)) {
        // As long as nobody has looked, and after a crash.
        change({ ...lane, standing: { kind: "claimed", why: "it was not looked at" } });
        const prove = (): void => settle(task, proofOf(data));
        if (isApart) landing.set(task.sessionId, prove);
        else prove();
      }
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
      const isShown = lane.standing.kind === "proven" || (lane.name === "bug" && lane.red === null);
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
      if (isRoot && event.type === "session.error" && event.failure.name === "MessageAbortedError") {
        stop.abort();
        stop = new AbortController();
      }
      if (!isRoot || event.type !== "session.status" || event.status !== "idle") return;
      tellUser();
      void conversation.outbox.flush();
    },
    snapshot: () => lane ?? undefined,
    restore(saved) {
      lane = restoreLane(saved);
      conversation.learn({ lane: describe() });
      told = lane?.standing == null ? "" : `${lane.name}: ${renderStanding(lane.standing)}`;
    },
    dispose() {
      stop.abort();
    },
  };
}

/** The same command, however it is spaced, and whether or not its errors go to its output. */
function plain(command: string): string {
  return command
    .replace(/\s*2>&1\s*$/, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}
