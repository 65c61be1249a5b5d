import { limitedUntil, type Task } from "../../delegation/task.ts";
import { clockTime, renderDuration, shortCount } from "../../lib/figures.ts";
import { excerpt, firstSentence } from "../../lib/text.ts";
import { toUser } from "../../lib/for-person.ts";
import { recordOf, textOf } from "../../lib/json.ts";

const MAX_WHAT = 70;
const MAX_ERROR = 120;
/** With the models that failed behind the first. */
const MAX_LINE = 200;

export type EndMark = "✓" | "◐" | "✗";

export interface EndLine {
  readonly mark: EndMark;
  readonly line: string;
  /** The user ended it, and need not be told aloud. */
  readonly isStopped: boolean;
}

/** `✓ agent › Map the form · 3 s · 4.3k tokens · $0.02`; what did not go well says why in its first words. Pure. */
export function renderEnd(task: Task, now: number, refuted = ""): EndLine {
  const { agent, title = "", tokens, cost, outcome, startedAt, queuedAt, endedAt } = task;
  const why = whyNot(task) || refuted;
  const isPartial = outcome?.status === "partial";
  const mark = isPartial || outcome?.isShort === true ? "◐" : why === "" ? "✓" : "✗";
  const parts = [
    `${mark} ${agent}${title === "" ? "" : ` › ${excerpt(title, MAX_WHAT)}`}`,
    renderDuration((endedAt ?? now) - (startedAt ?? queuedAt)),
    `${shortCount(tokens.input + tokens.output)} tokens`,
    `$${cost > 0 && cost < 0.01 ? cost.toFixed(4) : cost.toFixed(2)}`,
    excerpt(why || toUser(outcome?.denied ?? ""), MAX_LINE),
  ];
  return { mark, line: parts.filter(Boolean).join(" · "), isStopped: outcome?.status === "cancelled" };
}

/** The first thing that went wrong, for a person; empty where nothing did. */
export function whyNot({ outcome, attempts }: Pick<Task, "outcome" | "attempts">): string {
  if (outcome === null) return "";
  const { status, message, envelope, parseError, isShort } = outcome;
  const said = toUser(firstSentence(message).replace(/^It was ended: /, ""));
  if (status === "cancelled") return said;
  if (status === "failed") {
    return failedOn(attempts, said);
  }
  const { verdict, reason } = recordOf(envelope?.outcome);
  const isAgainst = verdict === "REJECT" || verdict === "BLOCKED";
  if (isAgainst) return [verdict, textOf(reason) ?? ""].filter(Boolean).join(": ");
  if (envelope?.ok === false) return envelope.errors[0] ?? "it says that it was not done";
  if (status === "completed") return isShort === true ? said : "";
  return said || (parseError === null ? "" : "its answer does not fit its contract");
}

/** What the agent's own model failed with, which is what can be put right, and which others failed behind it. */
function failedOn(attempts: Task["attempts"], said: string): string {
  const failed = attempts.filter(({ failure }) => failure !== null);
  const until = limitedUntil(attempts);
  const named = until === null ? failed[0] : failed.find((each) => each.until === until);
  const others = new Set(failed.flatMap(({ model }) => (model === named?.model ? [] : (model ?? []))));
  const too = others.size === 0 ? "" : `; ${[...others].join(" and ")} failed too`;
  const limited = until === null ? "" : `limited until ${clockTime(until)}: `;
  return `${limited}${excerpt(named?.message || said, MAX_ERROR)}${too}`;
}
