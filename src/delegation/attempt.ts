import type { Host, HostTurn, PromptRequest } from "../host/port.ts";
import { bounded, type Clock, deferred } from "../lib/async.ts";
import { describeError } from "../lib/error.ts";
import { classifyFailure, type FailureClass } from "./failure.ts";

export interface Interruption {
  readonly failure: FailureClass;
  readonly message: string;
  /** When the provider says that it answers again, in milliseconds since the epoch. */
  readonly until?: number | undefined;
}

export type AttemptResult =
  | { ok: true; turn: HostTurn }
  | ({ ok: false; promptSaved: boolean } & Interruption);

/** How long an aborted prompt may take to come back; after that the child is left behind. */
const ABORT_LIMIT_MS = 5_000;

export type RunningAttempt = ReturnType<typeof startAttempt>;

/**
 * Sends one prompt to a child and waits for the end of its loop or for an interruption, whichever is first. An
 * interrupted child is aborted before the result is given, so that the next attempt finds the session idle.
 */
export function startAttempt(host: Host, clock: Clock, request: PromptRequest) {
  const { promise: ended, resolve: end } = deferred<Interruption | AttemptResult>();
  const prompt = host.sessions.prompt(request);
  const run = async (): Promise<AttemptResult> => {
    const first = await Promise.race([prompt.then(readTurn), ended]);
    if ("ok" in first) return first;
    await endChild(host, clock, request.sessionId, prompt);
    return { ok: false, ...first, promptSaved: true };
  };
  return {
    result: run(),
    interrupt: (reason: Interruption) => {
      end(reason);
    },
    /** Ends it with the turn that stands in the session, because the prompt's own answer was lost. */
    finish(turn: HostTurn) {
      end(readTurn(turn));
    },
  };
}

function readTurn(turn: HostTurn): AttemptResult {
  if (turn.failure === null) return { ok: true, turn };
  const { message, promptSaved } = turn.failure;
  return { ok: false, failure: classifyFailure(turn.failure), message, promptSaved };
}

async function endChild(
  host: Host,
  clock: Clock,
  sessionId: string,
  prompt: Promise<HostTurn>,
): Promise<void> {
  try {
    await bounded(host.sessions.abort(sessionId), ABORT_LIMIT_MS, clock, "aborting the child");
    await bounded(prompt, ABORT_LIMIT_MS, clock, "the aborted child");
  } catch (error) {
    host.logger.log("warn", "attempt", `A child did not stop cleanly: ${describeError(error)}`, {
      sessionId,
    });
  }
}
