import type { Task } from "../../delegation/task.ts";
import { renderDelta, listed } from "../../lib/figures.ts";
import { excerpt, firstSentence } from "../../lib/text.ts";
import { conclusionOf, NOT_REVIEWED } from "../../plan/review/outcome.ts";
import type { Batch } from "../collaboration/batch.ts";

const MAX_FILES = 8;
const MAX_COMMANDS = 3;
const MAX_WORDS = 120;
/** All that one delegation has to say in the log. */
const MAX_LINE = 700;

export type FinishedWork = Pick<Task, "agent" | "title" | "outcome">;

/**
 * One delegation in a line of the log: who, what, how it ended, and what was measured of it. Nothing in it is taken from what
 * the specialist says of its own work but its verdict and a failure's reason.
 * @param batch its files and commands, as they ran
 */
export function describeWork(
  { agent, title = "", outcome }: FinishedWork,
  batch: Pick<Batch, "files" | "commands" | "omittedFiles">,
): string {
  const commands = batch.commands
    .slice(-MAX_COMMANDS)
    .map(
      ({ command, exitCode }) => `\`${excerpt(command, 80)}\`${exitCode === null ? "" : ` exit ${exitCode}`}`,
    );
  const parts = [
    `${agent}, ${stateOf(outcome)}${title === "" ? "" : `: ${excerpt(title, MAX_WORDS)}`}`,
    listed(batch.files.map(renderDelta), MAX_FILES, batch.omittedFiles),
    ...commands,
    verdictOf({ agent, outcome }),
    outcome === null ? "" : excerpt(firstSentence(outcome.message), MAX_WORDS),
  ];
  return excerpt(parts.filter(Boolean).join(" · "), MAX_LINE);
}

/** A specialist's verdict with its reason; empty where there is none. @param isReviewer whether one without a verdict was to give one */
export function verdictOf(
  { agent, outcome }: Pick<FinishedWork, "agent" | "outcome">,
  isReviewer = false,
): string {
  const concluded = outcome === null ? null : conclusionOf(agent, outcome.status, outcome.envelope);
  if (concluded === null) return isReviewer && outcome !== null ? NOT_REVIEWED : "";
  return excerpt([concluded.verdict, concluded.reason ?? ""].filter(Boolean).join(": "), MAX_WORDS);
}

function stateOf(outcome: FinishedWork["outcome"]): string {
  if (outcome === null) return "interrupted when OpenCode stopped";
  return outcome.status === "completed" && outcome.envelope?.ok === false ? "not done" : outcome.status;
}
