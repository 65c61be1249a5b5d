import { isEnded, type Task } from "../../delegation/task.ts";
import { forPerson } from "../../lib/for-person.ts";
import { renderDuration } from "../../lib/duration.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import { isRefusal } from "../../lib/refusal.ts";
import { shortCount } from "../../lib/short-count.ts";
import type { JudgedClaim } from "../../checks/evidence/claims.ts";
import { describeError } from "../../lib/error.ts";
import { addFact, addFiles, EMPTY_BATCH, type Batch } from "../collaboration/batch.ts";
import { openObjections } from "../collaboration/verdicts.ts";
import type { ConversationCore } from "../core.ts";
import { whyNot } from "../delegations/end-line.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { LeftForUser } from "../left-for-user/left-for-user.ts";
import type { Part } from "../part.ts";
import type { RefusedCalls } from "../tool-calls/refused-calls.ts";
import type { ConversationServices } from "../services.ts";
import { decideVerdict, HELD, renderEndVerdict, stoppedBy, type EndFacts } from "./verdict.ts";
import type { Turns } from "./turns.ts";
import type { OneShotEnd } from "../../host/port.ts";

export type EndReport = ReturnType<typeof createEndReport>;

/**
 * Ends every piece of work with one line on how it ended: in the conversation, or where `opencode run` ends, there also as an
 * object for `--format json` and by the exit code.
 */
export function createEndReport(
  conversation: ConversationCore,
  { host, clock, redact, orchestrator, bounds, specialistOf }: ConversationServices,
  parts: {
    readonly lanes: Lanes;
    readonly leftForUser: LeftForUser;
    readonly refusedCalls: Pick<RefusedCalls, "standing">;
    readonly turns: Pick<Turns, "failure" | "now">;
    readonly evidence: Pick<Evidence, "standing" | "news">;
  },
) {
  const isOneShot = host.oneShot !== null;
  let work: PieceOfWork = { ...NO_WORK, began: clock.now() };
  let claims: readonly JudgedClaim[] = [];

  const tell = (signal: NodeJS.Signals | null): OneShotEnd | null => {
    if (conversation.speaker()?.agent !== orchestrator) return null;
    const { rootId, state } = conversation;
    const { run, edits, began } = work;
    const all = conversation.tasks().filter(({ queuedAt }) => queuedAt >= began);
    const tasks = all.filter(isEnded);
    const newest = tasks.toSorted((one, other) => (other.endedAt ?? 0) - (one.endedAt ?? 0))[0];
    const left = isOneShot ? parts.leftForUser.all : [];
    // Where it was refused because nobody was there, that says it all.
    const isLeft = newest?.outcome?.denied !== undefined && left.length > 0;
    const failed = newest !== undefined && gaveNothing(newest) && !isLeft;
    const last = newest === undefined ? null : { failed, why: `${newest.agent}: ${whyNot(newest)}` };
    const failure = parts.turns.failure();
    const said = failure.startsWith(HELD) ? failure.slice(HELD.length).replace(/\.$/, "") : "";
    // A loop that is ended while its requests are held may say nothing of it.
    const isStopped = !parts.turns.now().isAnswered && state.pause === null;
    const held = said || (isStopped ? bounds.heldBy(rootId) : null) || "";
    const facts = {
      no: isOneShot ? null : parts.turns.now().no,
      shown: parts.lanes.now()?.standing ?? null,
      failure,
      held,
      run,
      last,
      objections: openObjections(state.verdicts, null),
      left,
      standing: parts.refusedCalls.standing,
      atWork: all.filter((task) => task.background && !isEnded(task)).map(nameOf),
      claims,
      edits,
      pause: state.pause,
    };
    const verdict = signal === null ? decideVerdict(facts) : stoppedBy(signal);
    const { outcome, why, exitCode, proof } = verdict;
    const tokens = tasks.reduce((sum, { tokens: { input, output } }) => sum + input + output, work.tokens);
    const cost = tasks.reduce((sum, task) => sum + task.cost, work.cost);
    const unit = state.workUnit;
    const lane = parts.lanes.describe();
    const ms = Math.round(clock.now() - began);
    const head = [
      `GAIA: ${renderEndVerdict(verdict)}`,
      ...(unit === null ? [] : [unit]),
      ...changesOf(work.batch),
      `${tasks.length} ${tasks.length === 1 ? "delegation" : "delegations"}`,
      renderDuration(ms),
      `${shortCount(tokens)} tokens`,
      `$${cost.toFixed(2)}`,
    ].join(" · ");
    const atWork = all.filter((task) => !isEnded(task)).map((task) => `At work: ${nameOf(task)}`);
    const lines = [
      head,
      ...left.map((each) => `Left for you: ${each}`),
      ...(signal === null
        ? []
        : [...atWork, `Go on: opencode run --session ${rootId} --agent ${orchestrator} "go on"`]),
    ];
    // What was only said needs no summary.
    const isTalk = outcome === "done" && tasks.length === 0 && run === null;
    return {
      session: rootId,
      exitCode,
      text: isTalk ? "" : redact(lines.join("\n")),
      facts: {
        outcome,
        exit_code: exitCode,
        why: redact(why),
        proof,
        unit,
        lane,
        left: left.map(redact),
        delegations: tasks.length,
        duration_ms: ms,
        tokens,
        cost,
      },
    };
  };
  const conclude = async (): Promise<void> => {
    // An end that is told twice is one.
    work = { ...work, isOpen: false };
    const { began } = work;
    const unit = conversation.state.workUnit;
    claims = await parts.evidence.standing(unit);
    const text = work.began === began ? (tell(null)?.text ?? "") : "";
    if (text === "") return;
    conversation.outbox.note([text, ...parts.evidence.news(unit, claims)].join("\n"));
    await conversation.outbox.flush();
  };

  return {
    /** @param result as the tool gave it */
    ended(tool: string, args: unknown, result: object): void {
      if (tool !== "plan_gaia" || recordOf(args)["op"] !== "run") return;
      const { status, why } = recordOf(result);
      const said = isRefusal(result) ? result.reason : (textOf(why) ?? "");
      const run = {
        status: isRefusal(result) ? "user" : (textOf(status) ?? ""),
        why: said === "" ? "" : forPerson(said),
      };
      work = { ...work, run, isOpen: work.isOpen || run.status !== "finished" };
    },
    /** A plan's work has come to its end, and its report says how. @param given as the host judged its claims */
    judged(given: readonly JudgedClaim[]): void {
      claims = given;
      work = { ...work, isOpen: false };
    },
    concluded() {
      if (isOneShot || !work.isOpen) return;
      conclude().catch((error: unknown) => {
        host.logger.log("debug", "end-report", describeError(error));
      });
    },
    delegationFinished({ agent }, changed) {
      const specialist = specialistOf(agent);
      if (specialist?.mutates !== true || specialist.role === "historian") return;
      claims = [];
      const edits = work.edits === "changed" || changed ? "changed" : "unchanged";
      work = { ...work, edits, isOpen: true };
    },
    heard(event) {
      if (event.type === "tool-finished") work = { ...work, batch: addFact(work.batch, event.fact) };
      if (event.type === "files-changed") work = { ...work, batch: addFiles(work.batch, event.files) };
    },
    observe(event, isRoot) {
      if (!isRoot || event.type !== "message.finished") return;
      const { input, output } = event.tokens;
      work = { ...work, tokens: work.tokens + input + output, cost: work.cost + event.cost };
    },
    delegationStarted(task) {
      // With live visibility it is told already.
      if (conversation.state.knobs.visibility !== "live") host.oneShot?.print(redact(`● ${nameOf(task)}`));
    },
    userSpoke() {
      if (!work.isOpen && !isOneShot) work = { ...NO_WORK, began: clock.now() };
      host.oneShot?.atEnd(tell);
    },
  } satisfies Part & Record<string, unknown>;
}

/** What the user asked for, until its end is told. */
interface PieceOfWork {
  /** By the clock. */
  readonly began: number;
  readonly run: EndFacts["run"];
  readonly edits: EndFacts["edits"];
  readonly batch: Batch;
  /** What GAIA herself has used for it. */
  readonly tokens: number;
  readonly cost: number;
  /** Something was done whose end nobody has been told. */
  readonly isOpen: boolean;
}

const NO_WORK = { run: null, edits: "none", batch: EMPTY_BATCH, tokens: 0, cost: 0, isOpen: false } as const;

/** Whether a delegation came to nothing: it failed, or was ended before it handed anything over. */
function gaveNothing({ outcome }: Task): boolean {
  return outcome?.status === "failed" || (outcome?.status === "partial" && outcome.envelope === null);
}

const MAX_FILES = 3;

/** `a.txt +1 −1`, each of a few files, else their number. */
function changesOf({ files, added, removed, omittedFiles }: Batch): string[] {
  const own = files.filter(({ path }) => !path.startsWith(".gaia/"));
  const count = own.length + omittedFiles;
  if (count > MAX_FILES) return [`${count} files +${added} −${removed}`];
  return own.map((file) => `${file.path} +${file.added} −${file.removed}`);
}

/** Who works on what. */
function nameOf({ agent, title = "" }: Pick<Task, "agent" | "title">): string {
  return title === "" ? agent : `${agent} › ${title}`;
}
