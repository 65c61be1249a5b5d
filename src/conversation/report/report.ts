import { isEnded, type Task } from "../../delegation/task.ts";
import type { OneShotEnd } from "../../host/port.ts";
import { type Amount, renderSpent, tokensOf, withoutAmount } from "../../lib/figures.ts";
import { bounded } from "../../lib/async.ts";
import { describeError, isRefusal, logFailure } from "../../lib/error.ts";
import { forPerson } from "../../lib/for-person.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import { redactDeep } from "../../lib/redaction.ts";
import { SCOPES } from "../../spending/totals.ts";
import { addFact, addFiles } from "../collaboration/batch.ts";
import { openObjections } from "../collaboration/verdicts.ts";
import type { ConversationCore } from "../core.ts";
import type { Delegations } from "../delegations/delegations.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { Part } from "../part.ts";
import type { Runs } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";
import { createRefusedCalls } from "../tool-calls/refused-calls.ts";
import type { Turns } from "../turns/turns.ts";
import {
  beginWork,
  isOfRun,
  renderChanges,
  taskName,
  noteEnd,
  ownFiles,
  type PieceOfWork,
  renderFailures,
} from "./piece-of-work.ts";
import { leftOf, renderFinalReport } from "./render.ts";
import { type Left, noteBegin, readLeft, readUnitFacts, type UnitSources } from "./unit-facts.ts";
import { decideVerdict, HELD, NOT_DONE, renderEndVerdict, stoppedBy, type EndFacts } from "./verdict.ts";

/** Work is not held up longer for its report, in milliseconds. */
const LIMIT_MS = 15_000;

/** How work ends, from what the host knows: each piece with one line, a unit with its report, `opencode run` by its exit code. */
export function createReport(
  conversation: ConversationCore,
  services: ConversationServices,
  parts: UnitSources & {
    readonly lanes: Lanes;
    readonly turns: Pick<Turns, "failure" | "now" | "openTasks">;
    readonly delegations: Pick<Delegations, "wasCollected">;
    readonly runs: Pick<Runs, "background">;
  },
) {
  const { host, clock, redact, ledger, orchestrator, bounds, specialistOf } = services;
  const { rootId } = conversation;
  const refused = createRefusedCalls(conversation.show, redact);
  const isOneShot = host.oneShot !== null;
  const spent = (): Amount => ledger.totals.of(SCOPES.conversation(rootId));
  const begin = (): PieceOfWork => {
    parts.ownWork.beginPiece();
    return beginWork(clock.now(), conversation.state.workUnit, spent());
  };
  let work = begin();
  /** What is open, as it was read at the end of the turn. */
  let left: Left | null = null;
  const told = new Set<string>();
  const begun = new Set<string>();

  const ownTasks = (): Task[] => conversation.tasks().filter(({ queuedAt }) => queuedAt >= work.began);
  /** What is under way, and background work whose end GAIA was not given: where nobody waits for it, it is lost. */
  const atWork = (): string[] => {
    const tasks = ownTasks().filter((task) => task.background || !isEnded(task));
    const plans = [...parts.runs.background()].map(([id, { unit }]) => ({
      id,
      agent: `the plan of ${unit}`,
    }));
    return [...tasks, ...plans].filter(({ id }) => !parts.delegations.wasCollected(id)).map(taskName);
  };
  /** Why a run left it to GAIA: what the host saw fail, where it did; the run's own words are for the model that reads them. */
  const whyStopped = ({ status, why }: NonNullable<EndFacts["run"]>): string => {
    const failed = left?.claims.flatMap((each) => (each.isRefuted ? `${each.id}: ${each.why}` : []));
    const seen = renderFailures(work.failures.filter(isOfRun));
    return status === "decision" ? seen || failed?.join("; ") || why : why;
  };
  const endFacts = (): EndFacts => {
    const { state } = conversation;
    const { turns } = parts;
    const unasked = isOneShot && conversation.isUnasked() ? conversation.left : [];
    const failures = work.failures.filter(
      (each) =>
        !isOfRun(each) &&
        // Where it was refused because nobody was there, that says it all.
        (each.task.outcome?.denied === undefined || unasked.length === 0),
    );
    const failure = turns.failure();
    const said = failure.startsWith(HELD) ? failure.slice(HELD.length) : "";
    // A loop that is ended while its requests are held may say nothing of it.
    const isStopped = !turns.now().isAnswered && state.pause === null;
    return {
      no: isOneShot ? null : turns.now().no,
      shown: parts.lanes.now()?.standing ?? null,
      failure,
      held: said || (isStopped ? bounds.heldBy(rootId) : null) || "",
      run: work.run && { ...work.run, why: whyStopped(work.run) },
      failures: renderFailures(failures),
      objections: openObjections(state.verdicts, null),
      left: unasked,
      standing: refused.standing(),
      atWork: atWork(),
      claims: left?.claims ?? [],
      edits: work.edits,
      pause: state.pause,
    };
  };
  const endOf = (signal: NodeJS.Signals | null): OneShotEnd | null => {
    if (conversation.speaker()?.agent !== orchestrator) return null;
    const tasks = ownTasks().filter(isEnded);
    const facts = endFacts();
    const verdict = signal === null ? decideVerdict(facts) : stoppedBy(signal);
    const { outcome, why, exitCode, proof } = verdict;
    const since = withoutAmount(spent(), work.before);
    const unit = conversation.state.workUnit;
    const ms = Math.round(clock.now() - work.began);
    const isNamed = why.startsWith(NOT_DONE);
    const claims = left?.claims.filter(({ standing }) => !isNamed || standing !== "open") ?? [];
    const open = left === null ? conversation.left : leftOf({ ...left, claims });
    const head = [
      `GAIA: ${renderEndVerdict(verdict)}`,
      ...(unit === null ? [] : [unit]),
      ...renderChanges(work.batch),
      renderSpent(tasks.length, ms, since),
    ].join(" · ");
    const goOn = `Go on: opencode run --session ${rootId} --agent ${orchestrator} "go on"`;
    const lines = [
      ...(open.length === 0 || work.isReported ? [] : [`Left for you: ${open.join("; ")}`]),
      head,
      ...(signal === null ? [] : [...facts.atWork.map((each) => `At work: ${each}`), goOn]),
    ];
    // What was only said needs no summary.
    const isTalk = outcome === "done" && tasks.length === 0 && work.run === null;
    const text = isTalk ? "" : redact(lines.join("\n"));
    const how = { outcome, exit_code: exitCode, why, proof, left: open };
    const where = { unit, lane: parts.lanes.describe(), delegations: tasks.length };
    const took = { duration_ms: ms, tokens: tokensOf(since), cost: since.cost };
    return { session: rootId, exitCode, text, facts: redactDeep({ ...how, ...where, ...took }, redact) };
  };

  const readOpen = async (isOpen: boolean): Promise<boolean> => {
    const { workUnit: unit } = conversation.state;
    const isUnderWay = (await parts.turns.openTasks(unit === work.unit)) > 0;
    const isWork = isOpen || isUnderWay || work.run !== null || work.edits !== "none";
    const claims = isWork ? await parts.checks.claims(unit) : [];
    const lines = await parts.ownWork.linesOfPiece();
    work = { ...work, batch: addFiles(work.batch, lines) };
    const paths = ownFiles(work.batch).map(({ path }) => path);
    left = await readLeft(conversation, services, parts, { unit, claims, paths, tasks: ownTasks() });
    return isUnderWay;
  };
  /** Reads what is open, as far as it can. @returns whether a plan is under way */
  const look = async (isOpen: boolean): Promise<boolean> => {
    const read = bounded(readOpen(isOpen), LIMIT_MS, clock, "what is open");
    return (await read.catch(logFailure(host.logger, "warn", "report"))) === true;
  };
  const conclude = async (): Promise<void> => {
    const { isOpen, isTold, began } = work;
    // An end that is told twice is one.
    if (isTold) return;
    work = { ...work, isOpen: false, isTold: true };
    const isStopped = parts.turns.now().no !== null && bounds.heldBy(rootId) === null;
    const isUnderWay = await look(isOpen);
    const isDue = isOpen || isStopped || isUnderWay || refused.standing() !== null;
    if (!isDue || work.began !== began || conversation.isTakenBack) return;
    const text = endOf(null)?.text ?? "";
    if (text === "") return;
    conversation.outbox.note(text);
    await conversation.outbox.flush();
  };

  const reportOf = async (unit: string): Promise<string> => {
    const facts = await readUnitFacts(conversation, services, parts, unit);
    left = facts;
    work = { ...work, isOpen: false, isTold: false, isReported: true };
    return renderFinalReport(facts);
  };

  return {
    /** The work on a unit has come to its end; told once, until more is done. Never rejects. */
    async tell(unit: string): Promise<void> {
      if (told.has(unit)) return;
      told.add(unit);
      try {
        const text = redact(await bounded(reportOf(unit), LIMIT_MS, clock, "the final report"));
        conversation.outbox.note(text);
        if (host.client !== "terminal")
          conversation.tell(`The user may not see this report: tell them all of it.\n${text}`);
      } catch (error) {
        host.logger.log("warn", "report", describeError(error), { unit });
      }
    },
    refused(tool: string, args: unknown, error: string): void {
      refused.ended(tool, args, { ok: false, error });
    },
    ended(tool: string, args: unknown, result: object): void {
      refused.ended(tool, args, result);
      if (tool !== "plan_gaia" || recordOf(args)["op"] !== "run") return;
      const { status: how, why } = recordOf(result);
      const said = isRefusal(result) ? result.reason : (textOf(why) ?? "");
      const status = isRefusal(result) ? "user" : (textOf(how) ?? "");
      const run = { status, why: said === "" ? "" : forPerson(said) };
      const isOver = status === "finished" || (work.isTold && parts.turns.now().no !== null);
      if (isOver) work = { ...work, run, failures: [] };
      else work = { ...work, run, isOpen: true, isTold: false, isReported: false };
    },
    concluded() {
      if (!isOneShot) void conclude().catch(logFailure(host.logger, "warn", "report"));
    },
    async flush() {
      // What is told at the end of the process cannot be read then.
      if (isOneShot) await look(work.isOpen);
    },
    delegationFinished(task, changed) {
      told.clear();
      const specialist = specialistOf(task.agent);
      if (specialist !== undefined) work = noteEnd(work, task, specialist, changed);
    },
    heard(event) {
      if (event.type === "tool-finished") work = { ...work, batch: addFact(work.batch, event.fact) };
      if (event.type === "files-changed") work = { ...work, batch: addFiles(work.batch, event.files) };
      if (event.type !== "work-unit-changed") return;
      const { workUnit } = event;
      // A later unit may have the name of one that is closed.
      if (workUnit === null) return begun.clear();
      if (!begun.has(workUnit))
        void noteBegin(services, workUnit).catch(logFailure(host.logger, "debug", "report"));
      begun.add(workUnit);
    },
    delegationStarted(task) {
      // With live visibility it is told already.
      if (conversation.state.knobs.visibility !== "live") host.oneShot?.print(redact(`● ${taskName(task)}`));
    },
    userSpoke() {
      refused.forget();
      left = null;
      if (!work.isOpen && !isOneShot) work = begin();
      host.oneShot?.atEnd(endOf);
    },
  } satisfies Part & Record<string, unknown>;
}
