import type { Conversation } from "../../conversation/conversation.ts";
import { runIdOf } from "../../conversation/runs/runs.ts";
import { HEARD } from "../../conversation/turns/turns.ts";
import type { ToolCall } from "../../host/port.ts";
import { deferred } from "../../lib/deferred.ts";
import type { RunReport } from "./run.ts";

const STARTED =
  "Tell the user in one line and end your turn, or go on with what has nothing to do with it: its report comes by itself.";

/** Null where one is under way. Once the user writes it goes on in the background, unless `mayRest` is false; with `rests` from the beginning. */
export function beginRun(
  { parts: { runs, delivery, turns } }: Conversation,
  call: ToolCall,
  unit: string,
  { mayRest, rests }: { readonly mayRest: boolean; readonly rests: boolean },
) {
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
    /** The report, or that it goes on in the background. @param work never rejects @param open numbers of the tasks open at its beginning */
    async returns(work: Promise<RunReport>, open: readonly number[]): Promise<object> {
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
