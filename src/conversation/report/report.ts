import type { JudgedClaim } from "../../checks/evidence/claims.ts";
import { isEnded, type Task } from "../../delegation/task.ts";
import type { OneShotEnd } from "../../host/port.ts";
import { type Amount, NO_AMOUNT, renderDelta, renderSpent, tokensOf } from "../../lib/figures.ts";
import { bounded } from "../../lib/async.ts";
import { describeError, isRefusal, logFailure } from "../../lib/error.ts";
import { forPerson } from "../../lib/for-person.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import { redactDeep } from "../../lib/redaction.ts";
import { SCOPES } from "../../spending/totals.ts";
import { addFact, addFiles, EMPTY_BATCH, type Batch } from "../collaboration/batch.ts";
import { openObjections } from "../collaboration/verdicts.ts";
import type { ConversationCore } from "../core.ts";
import { whyNot } from "../delegations/end-line.ts";
import type { Checks } from "../checks/checks.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { createRefusedCalls } from "../tool-calls/refused-calls.ts";
import type { Turns } from "../turns/turns.ts";
import { renderFinalReport } from "./render.ts";
import { noteBegin, readUnitFacts, type UnitSources } from "./unit-facts.ts";
import { decideVerdict, HELD, renderEndVerdict, stoppedBy, type EndFacts } from "./verdict.ts";

/** Work is not held up longer for its report, in milliseconds. */
const LIMIT_MS = 15_000;

/** How work ends, from what the host knows: each piece with one line, a unit with its report, `opencode run` by its exit code. */
export function createReport(
  conversation: ConversationCore,
  services: ConversationServices,
  parts: UnitSources & {
    readonly checks: Pick<Checks, "claims" | "shown" | "news">;
    readonly lanes: Lanes;
    readonly turns: Pick<Turns, "failure" | "now">;
  },
) {
  const { host, clock, redact, ledger, orchestrator, bounds, specialistOf } = services;
  const { rootId } = conversation;
  const refused = createRefusedCalls(conversation.show, redact);
  const isOneShot = host.oneShot !== null;
  const spent = (): Amount => ledger.totals.of(SCOPES.conversation(rootId));
  const beginWork = (): PieceOfWork => ({ ...NO_WORK, began: clock.now(), before: spent() });
  let work = beginWork();
  let claims: readonly JudgedClaim[] = [];
  const told = new Set<string>();
  const begun = new Set<string>();

  const factsOf = (all: readonly Task[]): EndFacts => {
    const { state } = conversation;
    const { turns } = parts;
    const [newest] = all.filter(isEnded).toSorted((one, other) => (other.endedAt ?? 0) - (one.endedAt ?? 0));
    const left = isOneShot ? conversation.left : [];
    // Where it was refused because nobody was there, that says it all.
    const isLeft = newest?.outcome?.denied !== undefined && left.length > 0;
    const isFailed = newest !== undefined && gaveNothing(newest) && !isLeft;
    const failure = turns.failure();
    const said = failure.startsWith(HELD) ? failure.slice(HELD.length).replace(/\.$/, "") : "";
    // A loop that is ended while its requests are held may say nothing of it.
    const isStopped = !turns.now().isAnswered && state.pause === null;
    return {
      no: isOneShot ? null : turns.now().no,
      shown: parts.lanes.now()?.standing ?? null,
      failure,
      held: said || (isStopped ? bounds.heldBy(rootId) : null) || "",
      run: work.run,
      lastFailure: isFailed ? `${newest.agent}: ${whyNot(newest)}` : "",
      objections: openObjections(state.verdicts, null),
      left,
      standing: refused.standing(),
      atWork: all.filter((task) => task.background && !isEnded(task)).map(nameOf),
      claims,
      edits: work.edits,
      pause: state.pause,
    };
  };
  const endOf = (signal: NodeJS.Signals | null): OneShotEnd | null => {
    if (conversation.speaker()?.agent !== orchestrator) return null;
    const all = conversation.tasks().filter(({ queuedAt }) => queuedAt >= work.began);
    const tasks = all.filter(isEnded);
    const facts = factsOf(all);
    const verdict = signal === null ? decideVerdict(facts) : stoppedBy(signal);
    const { outcome, why, exitCode, proof } = verdict;
    const [{ input, output, cost }, { before }] = [spent(), work];
    const since = { input: input - before.input, output: output - before.output, cost: cost - before.cost };
    const unit = conversation.state.workUnit;
    const ms = Math.round(clock.now() - work.began);
    const head = [
      `GAIA: ${renderEndVerdict(verdict)}`,
      ...(unit === null ? [] : [unit]),
      ...changesOf(work.batch),
      renderSpent(tasks.length, ms, since),
    ].join(" · ");
    const atWork = all.filter((task) => !isEnded(task)).map((task) => `At work: ${nameOf(task)}`);
    const goOn = `Go on: opencode run --session ${rootId} --agent ${orchestrator} "go on"`;
    const lines = [
      head,
      ...facts.left.map((each) => `Left for you: ${each}`),
      ...(signal === null ? [] : [...atWork, goOn]),
    ];
    // What was only said needs no summary.
    const isTalk = outcome === "done" && tasks.length === 0 && work.run === null;
    const text = isTalk ? "" : redact(lines.join("\n"));
    const how = { outcome, exit_code: exitCode, why, proof, left: facts.left };
    const where = { unit, lane: parts.lanes.describe(), delegations: tasks.length };
    const took = { duration_ms: ms, tokens: tokensOf(since), cost: since.cost };
    return { session: rootId, exitCode, text, facts: redactDeep({ ...how, ...where, ...took }, redact) };
  };
  const conclude = async (): Promise<void> => {
    // An end that is told twice is one.
    work = { ...work, isOpen: false };
    const { began } = work;
    const unit = conversation.state.workUnit;
    claims = await parts.checks.claims(unit);
    const text = work.began === began ? (endOf(null)?.text ?? "") : "";
    if (text === "") return;
    conversation.outbox.note([text, ...parts.checks.news(unit, claims)].join("\n"));
    await conversation.outbox.flush();
  };

  const reportOf = async (unit: string): Promise<string> => {
    const facts = await readUnitFacts(conversation, services, parts, unit);
    parts.checks.shown(unit, facts.claims);
    ({ claims } = facts);
    work = { ...work, isOpen: false };
    return renderFinalReport(facts);
  };

  return {
    /** The work on a unit has come to its end; told once, until more is done. Never rejects. */
    async tell(unit: string): Promise<void> {
      if (told.has(unit)) return;
      told.add(unit);
      try {
        conversation.outbox.note(redact(await bounded(reportOf(unit), LIMIT_MS, clock, "the final report")));
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
      const { status, why } = recordOf(result);
      const said = isRefusal(result) ? result.reason : (textOf(why) ?? "");
      const run = {
        status: isRefusal(result) ? "user" : (textOf(status) ?? ""),
        why: said === "" ? "" : forPerson(said),
      };
      work = { ...work, run, isOpen: work.isOpen || run.status !== "finished" };
    },
    concluded() {
      if (!isOneShot && work.isOpen) attempt(conclude());
    },
    delegationFinished(task, changed) {
      told.clear();
      const specialist = specialistOf(task.agent);
      if (specialist?.mutates !== true || specialist.role === "historian") return;
      claims = [];
      const edits = work.edits === "changed" || changed ? "changed" : "unchanged";
      work = { ...work, edits, isOpen: true };
    },
    heard(event) {
      if (event.type === "tool-finished") work = { ...work, batch: addFact(work.batch, event.fact) };
      if (event.type === "files-changed") work = { ...work, batch: addFiles(work.batch, event.files) };
      if (event.type !== "work-unit-changed") return;
      const { workUnit } = event;
      // A later unit may have the name of one that is closed.
      if (workUnit === null) return begun.clear();
      if (!begun.has(workUnit)) attempt(noteBegin(services, workUnit));
      begun.add(workUnit);
    },
    delegationStarted(task) {
      // With live visibility it is told already.
      if (conversation.state.knobs.visibility !== "live") host.oneShot?.print(redact(`● ${nameOf(task)}`));
    },
    userSpoke() {
      refused.forget();
      if (!work.isOpen && !isOneShot) work = beginWork();
      host.oneShot?.atEnd(endOf);
    },
  } satisfies Part & Record<string, unknown>;

  function attempt(job: Promise<void>): void {
    job.catch(logFailure(host.logger, "debug", "report"));
  }
}

type PieceOfWork = Readonly<typeof NO_WORK>;

const NO_WORK = {
  began: 0,
  run: null as EndFacts["run"],
  edits: "none" as EndFacts["edits"],
  batch: EMPTY_BATCH,
  /** What the conversation had spent before it. */
  before: NO_AMOUNT,
  /** Something was done whose end nobody has been told. */
  isOpen: false,
};

function gaveNothing({ outcome }: Task): boolean {
  return outcome?.status === "failed" || (outcome?.status === "partial" && outcome.envelope === null);
}

const MAX_FILES = 3;

/** `a.txt +1 −1`, each of a few files, else their number. */
function changesOf({ files, added, removed, omittedFiles }: Batch): string[] {
  const own = files.filter(({ path }) => !path.startsWith(".gaia/"));
  const count = own.length + omittedFiles;
  if (count > MAX_FILES) return [`${count} files +${added} −${removed}`];
  return own.map(renderDelta);
}

function nameOf({ agent, title = "" }: Pick<Task, "agent" | "title">): string {
  return title === "" ? agent : `${agent} › ${title}`;
}
