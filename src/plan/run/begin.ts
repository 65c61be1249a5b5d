import type { Conversation } from "../../conversation/conversation.ts";
import { runIdOf } from "../../conversation/runs/runs.ts";
import { HEARD } from "../../conversation/turns/turns.ts";
import type { ToolCall } from "../../host/port.ts";
import { deferred } from "../../lib/deferred.ts";
import type { RunReport } from "./run.ts";

const STARTED =
  "Tell the user in one line and end your turn, or go on with what has nothing to do with it: its report comes by itself.";

interface BegunRun {
  readonly control: AbortController;
  /**
   * What GAIA's call returns: the report, or that it goes on in the background, where its report is delivered at its end.
   * @param work the run, which never rejects @param open numbers of the tasks that were open as it began
   */
  returns(work: Promise<RunReport>, open: readonly number[]): Promise<object>;
}

/**
 * Begins a run of the conversation; null where one is under way. One that GAIA waits for goes on in the background once the user
 * writes, so that they are answered within seconds and not at its end.
 * @param mayRest whether GAIA's turn may end before the run @param rests whether it is to from the beginning
 */
export function beginRun(
  { parts: { runs, delivery, turns } }: Conversation,
  call: ToolCall,
  unit: string,
  { mayRest, rests }: { readonly mayRest: boolean; readonly rests: boolean },
): BegunRun | null {
  const control = new AbortController();
  const stop = (): void => control.abort();
  const id = runIdOf(unit);
  let isResting = false;
  const rest = (): void => {
    isResting = true;
    call.abort.removeEventListener("abort", stop);
    delivery.begin(id);
  };
  const { promise: heard, resolve: hear } = deferred();
  const letGo = (): void => {
    runs.rest();
    rest();
    hear();
  };
  const end = runs.begin({ unit, callId: call.callId, background: rests, control });
  if (end === null) return null;
  // A report of an earlier run that GAIA was not given is of no use any more.
  delivery.drop(id);
  if (rests) rest();
  else if (call.abort.aborted) stop();
  else call.abort.addEventListener("abort", stop, { once: true });
  const endWait = mayRest && !rests ? turns.waitFor(letGo) : (): void => undefined;
  return {
    control,
    async returns(work, open) {
      const ended = work.then((report) => {
        call.abort.removeEventListener("abort", stop);
        endWait();
        end();
        if (isResting) delivery.end(id, { task_id: id, ...report });
        return report;
      });
      const running = { ok: true, status: "running", task_id: id, unit };
      if (rests) return { ...running, open, next: STARTED };
      return Promise.race([ended, heard.then(() => ({ ...running, next: HEARD }))]);
    },
  };
}
