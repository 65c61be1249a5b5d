import { isEnded, type Task } from "../../delegation/task.ts";
import type { OneShotEnd } from "../../host/one-shot.ts";
import { forPerson } from "../../lib/for-person.ts";
import { renderDuration } from "../../lib/duration.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import { isRefusal } from "../../lib/refusal.ts";
import { shortCount } from "../../lib/short-count.ts";
import type { JudgedClaim } from "../../checks/evidence/claims.ts";
import { openObjections } from "../collaboration/verdicts.ts";
import type { ConversationCore } from "../core.ts";
import { whyNot } from "../delegations/end-line.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { LeftForUser } from "../left-for-user/left-for-user.ts";
import type { Part } from "../part.ts";
import type { RefusedCalls } from "../tool-calls/refused-calls.ts";
import type { ConversationServices } from "../services.ts";
import { decideVerdict, HELD, renderVerdict, stoppedBy, type EndFacts } from "./verdict.ts";
import type { Turns } from "./turns.ts";

/** Tells the one who started `opencode run` how it ended: in words, as an object for `--format json`, and by the exit code. */
export interface EndReport extends Part {
  /** @param result as the tool gave it */
  ended(tool: string, args: unknown, result: object): void;
  /** A plan's work has come to its end. @param claims as the host judged them */
  judged(claims: readonly JudgedClaim[]): void;
}

export function createEndReport(
  conversation: ConversationCore,
  { host, clock, redact, orchestrator, bounds, specialistOf }: ConversationServices,
  parts: {
    readonly lanes: Lanes;
    readonly leftForUser: LeftForUser;
    readonly refusedCalls: Pick<RefusedCalls, "standing">;
    readonly turns: Pick<Turns, "failure" | "now">;
  },
): EndReport {
  const began = clock.now();
  let run: EndFacts["run"] = null;
  let claims: readonly JudgedClaim[] = [];
  let edits: EndFacts["edits"] = "none";
  const own = { tokens: 0, cost: 0 };

  const tell = (signal: NodeJS.Signals | null): OneShotEnd | null => {
    if (conversation.speaker()?.agent !== orchestrator) return null;
    const { rootId, state } = conversation;
    const all = conversation.tasks();
    const tasks = all.filter(isEnded);
    const newest = tasks.toSorted((one, other) => (other.endedAt ?? 0) - (one.endedAt ?? 0))[0];
    const left = parts.leftForUser.all;
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
      unproven: parts.lanes.whyFailed(),
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
    const tokens = tasks.reduce((sum, { tokens: { input, output } }) => sum + input + output, own.tokens);
    const cost = tasks.reduce((sum, task) => sum + task.cost, own.cost);
    const unit = state.workUnit;
    const lane = parts.lanes.describe();
    const isShown = (parts.lanes.now()?.standing ?? null) !== null;
    const ms = Math.round(clock.now() - began);
    const head = [
      `GAIA: ${renderVerdict(verdict)}`,
      ...(unit === null ? [] : [unit]),
      `${tasks.length} ${tasks.length === 1 ? "delegation" : "delegations"}`,
      renderDuration(ms),
      `${shortCount(tokens)} tokens`,
      `$${cost.toFixed(2)}`,
    ].join(" · ");
    const atWork = all.filter((task) => !isEnded(task)).map((task) => `At work: ${nameOf(task)}`);
    const lines = [
      head,
      ...(isShown ? [`Shown: ${lane}`] : []),
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

  return {
    ended(tool, args, result) {
      if (tool !== "plan_gaia" || recordOf(args)["op"] !== "run") return;
      const { status, why } = recordOf(result);
      const said = isRefusal(result) ? result.reason : (textOf(why) ?? "");
      run = {
        status: isRefusal(result) ? "user" : (textOf(status) ?? ""),
        why: said === "" ? "" : forPerson(said),
      };
    },
    judged(given) {
      claims = given;
    },
    delegationFinished({ agent }, changed) {
      const specialist = specialistOf(agent);
      if (specialist?.mutates !== true || specialist.role === "historian") return;
      claims = [];
      if (edits !== "changed") edits = changed ? "changed" : "unchanged";
    },
    observe(event, isRoot) {
      if (!isRoot || event.type !== "message.finished") return;
      own.tokens += event.tokens.input + event.tokens.output;
      own.cost += event.cost;
    },
    delegationStarted(task) {
      // With live visibility it is told already.
      if (conversation.state.knobs.visibility !== "live") host.oneShot?.print(redact(`● ${nameOf(task)}`));
    },
    userSpoke() {
      host.oneShot?.atEnd(tell);
    },
  };
}

/** Whether a delegation came to nothing: it failed, or was ended before it handed anything over. */
function gaveNothing({ outcome }: Task): boolean {
  return outcome?.status === "failed" || (outcome?.status === "partial" && outcome.envelope === null);
}

/** Who works on what. */
function nameOf({ agent, title = "" }: Pick<Task, "agent" | "title">): string {
  return title === "" ? agent : `${agent} › ${title}`;
}
