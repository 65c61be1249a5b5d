import { constants } from "node:os";
import { excerpt } from "../../lib/excerpt.ts";

/** How work ended that nobody was there to answer for, gravest first; each is an exit code. */
export const EXIT_CODES = { failed: 1, blocked: 2, refused: 3, done: 0 } as const;

/** What is known when the process ends; nothing of it is a model's word. */
export interface EndFacts {
  /** GAIA's own last turn ended with an error. */
  readonly failure: string;
  /** A bound or a budget kept her from asking her model for more; empty where none did. */
  readonly held: string;
  /** The last `plan_gaia run`; null where there was none. */
  readonly run: { readonly status: string; readonly why: string } | null;
  /** How the last delegation ended; null where there was none. */
  readonly last: { readonly failed: boolean; readonly why: string } | null;
  /** Why the work is not done, where the host saw its proof fail; empty where it did not. */
  readonly unproven: string;
  readonly pause: { readonly reason: string; readonly detail: string } | null;
  /** Reviewers' objections that stand. */
  readonly objections: readonly string[];
  /** What kept the work from going on, where nothing has since; null where something has. */
  readonly standing: string | null;
  /** What was not done, because nobody was there to be asked. */
  readonly left: readonly string[];
}

export interface Outcome {
  readonly outcome: keyof typeof EXIT_CODES | "stopped";
  /** Why it is not done; empty where it is. */
  readonly why: string;
  readonly exitCode: number;
}

/** How the error begins with which a request of ours is held: what comes behind it is why. */
export const HELD = "Stopped: ";

const MAX_WHY = 240;

/** How work ended that a signal ended in the middle (Ctrl+C, a machine's time-out), with the exit code that shells give it. Pure. */
export function stoppedBy(signal: NodeJS.Signals): Outcome {
  return { outcome: "stopped", why: signal, exitCode: 128 + constants.signals[signal] };
}

/** How work ended that came to an end. Pure. */
export function decideOutcome({
  failure,
  held,
  run,
  last,
  unproven,
  pause,
  objections,
  left,
  standing,
}: EndFacts): Outcome {
  const end = (outcome: keyof typeof EXIT_CODES, why: string): Outcome => ({
    outcome,
    why: excerpt(why, MAX_WHY),
    exitCode: EXIT_CODES[outcome],
  });
  if (held !== "") return end("blocked", held);
  if (failure !== "") return end("failed", failure);
  if (run?.status === "decision") return end("failed", run.why);
  // What a run was told of its specialists it has dealt with.
  if (run === null && last?.failed === true) return end("failed", last.why);
  if (unproven !== "") return end("failed", unproven);
  if (pause !== null) return end("blocked", `${pause.reason}: ${pause.detail}`.replace(/: $/, ""));
  if (objections.length > 0) return end("blocked", objections.join("; "));
  if (left.length > 0) return end("refused", "nobody was there to be asked");
  if (standing !== null && run?.status !== "finished") return end("blocked", standing);
  if (run !== null && run.status !== "finished") return end("blocked", run.why);
  return end("done", "");
}
