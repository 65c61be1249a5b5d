import { getEventListeners } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { listOf, recordOf, textOf, type JsonRecord } from "../../../src/lib/json.ts";
import { resultIn, type Session } from "../opencode/world.ts";
import type { Schedule } from "../schedule.ts";
import { createBooks } from "./books.ts";
import { createClaims } from "./claims.ts";
import { isTold } from "./knowledge.ts";
import { createVerdicts } from "./verdicts.ts";
import { createRequestCount } from "./requests.ts";
import { createGates, type Gates, type Reply } from "./gates.ts";

/** More model requests than this in one schedule are a run that nobody stops. */
const MAX_REQUESTS = 1_500;

/** One tool call of a model's. */
export interface SeenCall {
  readonly session: Session;
  readonly agent: string;
  readonly callId: string;
  readonly tool: string;
  readonly args: JsonRecord;
}

export type Oracle = ReturnType<typeof createOracle>;

/**
 * Sees what a person at the screen, the model and the project see, and holds it against what is promised. It knows nothing
 * of the plugin's state.
 */
export function createOracle(schedule: Schedule, directory: string) {
  const violations: string[] = [];
  const report = (what: string): void => {
    if (!violations.includes(what)) violations.push(what);
  };
  const calls = new Map<string, SeenCall>();
  let open = new Map<number, string>();
  let count = 0;
  let requests = 0;
  const books = createBooks(report);
  const isMade = (): boolean => existsSync(join(directory, "made.ts"));
  const isDone = (): boolean => schedule.done !== "artifact" || isMade();
  const loops = createRequestCount(report);
  const gates = createGates(schedule, isDone, report);
  const verdicts = createVerdicts(schedule, report);
  const claims = createClaims(isMade, report);

  return {
    violations,
    books,
    gates,
    /** Something begins that has to end. @returns to be called at its end */
    begins(what: string): () => void {
      count += 1;
      const id = count;
      open.set(id, what);
      return () => void open.delete(id);
    },
    threw(where: string, error: unknown) {
      report(`${where} threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    },
    called(call: SeenCall) {
      calls.set(call.callId, call);
      for (const each of [loops, gates, verdicts, claims]) each.called(call);
    },
    returned(callId: string, output: string) {
      const call = calls.get(callId);
      if (call === undefined) return;
      const result = resultIn(output);
      if (["delegate_gaia", "collect_results", "plan_gaia"].includes(call.tool) && isUnhelpful(result))
        report(`${call.tool} went wrong and does not say how to go on: ${output.slice(0, 400)}`);
      if (call.tool === "question") {
        loops.spoken(call.session);
        verdicts.userSpoke();
      }
      for (const each of [books, gates, verdicts, claims]) each.returned(call, result);
    },
    failed(callId: string, words: string) {
      if (words.trim() === "") report(`${calls.get(callId)?.tool ?? "a call"} failed without a word`);
    },
    /** Whether someone still listens for the end of a call that is over. */
    listens(callId: string, signal: AbortSignal) {
      const left = getEventListeners(signal, "abort").length;
      if (left > 0) report(`${calls.get(callId)?.tool ?? "a call"} is over and ${left} listen for its abort`);
    },
    answered(callId: string, reply: Reply, by: "user" | "plugin") {
      const call = calls.get(callId);
      gates.answered(call, reply, by);
      if (by !== "user" || reply === "reject") return;
      verdicts.approved(call);
      claims.approved(call, reply === "always");
    },
    changed(change: Parameters<Gates["changed"]>[0]) {
      gates.changed(change);
      verdicts.changed();
    },
    requested(session: Session) {
      if (isTold(session)) report(`${session.id} is told what nobody accepted`);
      loops.requested(session);
      gates.requested(session);
      requests += 1;
      if (requests === MAX_REQUESTS) report(`more than ${MAX_REQUESTS} requests to models`);
    },
    /** A message has come into a session. */
    sent(session: Session, by: "user" | "plugin", text: string, isNote: boolean) {
      gates.sent(session, by, isNote);
      if (by === "user") verdicts.userSpoke();
      if (isNote || session.parentId !== null) return;
      if (by === "user") return loops.spoken(session);
      loops.begun(session);
      books.woken(session, text);
      verdicts.woken(session, text);
    },
    /** The process is gone, and what it was doing with it. */
    restarted() {
      open = new Map();
      books.doubt();
      gates.restarted();
      verdicts.restarted();
    },
    /** Nothing goes on any more. */
    ended() {
      for (const what of open.values()) report(`never ended: ${what}`);
      books.ended();
    },
  };
}

/** Whether something went wrong and whoever reads it does not know how to go on. */
function isUnhelpful(result: JsonRecord): boolean {
  const lacksWords = (each: JsonRecord): boolean => {
    const isBad = ["failed", "partial"].includes(textOf(each["status"]) ?? "") || each["ok"] === false;
    const words = [each["message"], each["error"], each["hint"]]
      .map((value) => textOf(value) ?? "")
      .join(" ");
    return isBad && !("report" in each) && words.trim().split(/\s+/).length < 3;
  };
  return [result, ...listOf(result["results"]).map(recordOf)].some(lacksWords);
}
