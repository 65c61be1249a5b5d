import { isEnded, type Task } from "../../delegation/task.ts";
import type { OneShotEnd } from "../../host/port.ts";
import { forPerson, toUser } from "../../lib/for-person.ts";
import { renderDuration, shortCount } from "../../lib/figures.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import { isRefusal } from "../../lib/refusal.ts";
import { type JudgedClaim, renderTallied, tally } from "../../checks/evidence/claims.ts";
import { describeError } from "../../lib/error.ts";
import { addFact, addFiles, EMPTY_BATCH, type Batch } from "../collaboration/batch.ts";
import {
  openObjections,
  renderVerdict as renderReview,
  type StandingVerdict,
} from "../collaboration/verdicts.ts";
import type { ConversationCore } from "../core.ts";
import { whyNot } from "../delegations/end-line.ts";
import type { Checks } from "../checks/checks.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { LeftForUser } from "../left-for-user/left-for-user.ts";
import type { Part } from "../part.ts";
import { createRefusedCalls } from "../tool-calls/refused-calls.ts";
import type { ConversationServices } from "../services.ts";
import type { Turns } from "./turns.ts";
import { constants } from "node:os";
import { excerpt } from "../../lib/excerpt.ts";
import { NOT_REVIEWED } from "../../plan/review/outcome.ts";
import { renderStanding, type LaneStanding } from "../lanes/lane.ts";

export type EndReport = ReturnType<typeof createEndReport>;

/** Ends every piece of work with one line on how it ended; where `opencode run` ends, also as an object and by the exit code. */
export function createEndReport(
  conversation: ConversationCore,
  { host, clock, redact, orchestrator, bounds, specialistOf }: ConversationServices,
  parts: {
    readonly lanes: Lanes;
    readonly leftForUser: LeftForUser;
    readonly turns: Pick<Turns, "failure" | "now">;
    readonly checks: Pick<Checks, "claims" | "news">;
  },
) {
  const refused = createRefusedCalls(conversation.show, redact);
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
      standing: refused.standing(),
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
    claims = await parts.checks.claims(unit);
    const text = work.began === began ? (tell(null)?.text ?? "") : "";
    if (text === "") return;
    conversation.outbox.note([text, ...parts.checks.news(unit, claims)].join("\n"));
    await conversation.outbox.flush();
  };

  return {
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
      refused.forget();
      if (!work.isOpen && !isOneShot) work = { ...NO_WORK, began: clock.now() };
      host.oneShot?.atEnd(tell);
    },
  } satisfies Part & Record<string, unknown>;
}

interface PieceOfWork {
  readonly began: number;
  readonly run: EndFacts["run"];
  readonly edits: EndFacts["edits"];
  readonly batch: Batch;
  readonly tokens: number;
  readonly cost: number;
  /** Something was done whose end nobody has been told. */
  readonly isOpen: boolean;
}

const NO_WORK = { run: null, edits: "none", batch: EMPTY_BATCH, tokens: 0, cost: 0, isOpen: false } as const;

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

function nameOf({ agent, title = "" }: Pick<Task, "agent" | "title">): string {
  return title === "" ? agent : `${agent} › ${title}`;
}

/** How work ended, gravest first; each has the exit code of `opencode run`. */
export const EXIT_CODES = {
  stopped: 1,
  failed: 1,
  "nothing changed": 1,
  blocked: 2,
  [NOT_REVIEWED]: 2,
  refused: 3,
  done: 0,
} as const;

export interface EndFacts {
  readonly no: string | null;
  readonly failure: string;
  /** A bound or a budget kept it from asking its model for more; empty where none did. */
  readonly held: string;
  readonly run: { readonly status: string; readonly why: string } | null;
  readonly last: { readonly failed: boolean; readonly why: string } | null;
  /** What the host saw of work outside of a plan; null where nobody named a proof. */
  readonly shown: LaneStanding | null;
  readonly pause: { readonly reason: string; readonly detail: string } | null;
  /** Reviews that hold the work up: objections, and those that came to no verdict. */
  readonly objections: readonly StandingVerdict[];
  /** What kept the work from going on, where nothing has since; null where something has. */
  readonly standing: string | null;
  readonly left: readonly string[];
  readonly atWork: readonly string[];
  readonly claims: readonly Pick<JudgedClaim, "id" | "standing">[];
  /** Whether editors were at work, and whether any file changed by it. */
  readonly edits: "none" | "unchanged" | "changed";
}

interface EndVerdict {
  readonly outcome: keyof typeof EXIT_CODES;
  readonly why: string;
  /** What the host proved of work that is done: `2 proven, 1 passes`, ``proven by `npm test` ``, or `unproven`; empty where there was nothing to prove. */
  readonly proof: string;
  readonly exitCode: number;
}

/** How the error begins with which a request of ours is held: what comes behind it is why. */
export const HELD = "Stopped: ";

const MAX_WHY = 240;

/** The verdict on work that a signal ended (Ctrl+C, a machine's time-out), with the exit code that shells give it. Pure. */
function stoppedBy(signal: NodeJS.Signals): EndVerdict {
  return { outcome: "stopped", why: signal, proof: "", exitCode: 128 + constants.signals[signal] };
}

/** The verdict on work that came to an end (SPEC 11); of what is not given nothing speaks against it. Pure. */
export function decideVerdict({
  no = null,
  failure = "",
  held = "",
  run = null,
  last = null,
  shown = null,
  pause = null,
  objections = [],
  left = [],
  standing = null,
  atWork = [],
  claims = [],
  edits = "none",
}: Partial<EndFacts>): EndVerdict {
  const end = (outcome: keyof typeof EXIT_CODES, why: string, proof = ""): EndVerdict => {
    return { outcome, why: excerpt(why, MAX_WHY), proof, exitCode: EXIT_CODES[outcome] };
  };
  const named = (of: JudgedClaim["standing"]): string =>
    claims.flatMap(({ id, standing: each }) => (each === of ? id : [])).join(", ");
  if (no !== null) return end("stopped", no);
  if (held !== "") return end("blocked", held);
  if (failure !== "") return end("failed", failure);
  if (run?.status === "decision") return end("failed", run.why);
  // What a run was told of its specialists it has dealt with.
  if (run === null && last?.failed === true) return end("failed", last.why);
  if (shown?.kind === "failed") return end("failed", shown.why);
  if (named("failed") !== "") return end("failed", `checks fail: ${named("failed")}`);
  if (pause !== null) return end("blocked", `${pause.reason}: ${pause.detail}`.replace(/: $/, ""));
  if (objections.some(({ verdict }) => verdict !== null))
    return end("blocked", objections.map(renderReview).join("; "));
  if (objections.length > 0)
    return end(
      NOT_REVIEWED,
      objections.map(({ reviewer, reason }) => `${reviewer}: ${toUser(reason)}`).join("; "),
    );
  if (left.length > 0) return end("refused", "nobody was there to be asked");
  if (standing !== null && run?.status !== "finished") return end("blocked", standing);
  if (run !== null && run.status !== "finished") return end("blocked", run.why);
  if (atWork.length > 0) return end("blocked", `still at work: ${atWork.join(", ")}`);
  if (named("open") !== "") return end("blocked", `not done: ${named("open")}`);
  const counts = tally(claims);
  const isProven = counts.proven > 0 || shown?.kind === "proven";
  // "Done" needs a change or a proof.
  if (edits === "unchanged" && !isProven) return end("nothing changed", "no file is other than before");
  if (claims.length === 0 && edits === "none") return end("done", "");
  if (counts.proven + counts.passes > 0) return end("done", "", renderTallied(counts));
  return end("done", "", claims.length > 0 || shown === null ? "unproven" : renderStanding(shown));
}

/** `done: 2 proven, 0 claimed`, `failed: checks fail: task 1`. */
export function renderEndVerdict({ outcome, why, proof }: EndVerdict): string {
  const rest = why || proof;
  return rest === "" ? outcome : `${outcome}: ${rest}`;
}
