import { getEventListeners } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { recordOf, textOf, type JsonRecord } from "../../../src/lib/json.ts";
import { resultIn, type Session } from "../opencode/world.ts";
import type { Schedule } from "../schedule.ts";
import { createBooks, type Books } from "./books.ts";
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

/**
 * Sees what a person at the screen, the model and the project see, and holds it against what is promised. It knows nothing
 * of the plugin's state.
 */
export interface Oracle {
  readonly violations: string[];
  readonly books: Books;
  readonly gates: Gates;
  /** Something begins that has to end. @returns to be called at its end */
  begins(what: string): () => void;
  threw(where: string, error: unknown): void;
  called(call: SeenCall): void;
  returned(callId: string, output: string): void;
  failed(callId: string, words: string): void;
  /** Whether someone still listens for the end of a call that is over. */
  listens(callId: string, signal: AbortSignal): void;
  answered(callId: string, reply: Reply, by: "user" | "plugin"): void;
  changed(change: { session: Session; agent: string; callId: string; path: string }): void;
  committed(commit: { session: Session; agent: string; callId: string; command: string }): void;
  requested(session: Session): void;
  said(session: Session, text: string): void;
  /** A message has come into a session. */
  sent(session: Session, by: "user" | "plugin", text: string, isNote: boolean): void;
  toasted(text: string): void;
  deleted(session: Session): void;
  /** The process is gone, and what it was doing with it. */
  restarted(): void;
  /** Nothing goes on any more. */
  ended(): void;
}

export function createOracle(schedule: Schedule, directory: string): Oracle {
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
    begins(what) {
      count += 1;
      const id = count;
      open.set(id, what);
      return () => void open.delete(id);
    },
    threw(where, error) {
      report(`${where} threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    },
    called(call) {
      calls.set(call.callId, call);
      loops.called(call);
      gates.called(call);
      verdicts.called(call);
      claims.called(call);
    },
    returned(callId, output) {
      const call = calls.get(callId);
      if (call === undefined) return;
      const result = resultIn(output);
      if (["delegate_gaia", "collect_results", "plan_gaia"].includes(call.tool)) {
        for (const problem of unhelpful(result)) report(`${call.tool} ${problem}: ${output.slice(0, 400)}`);
      }
      books.returned(call, result);
      if (call.tool === "question") {
        loops.answered(call.session);
        verdicts.userSpoke();
      }
      gates.returned(call, result);
      verdicts.returned(call, result);
      claims.returned(call, result);
    },
    failed(callId, words) {
      const call = calls.get(callId);
      if (call === undefined) return;
      if (words.trim() === "") report(`${call.tool} failed without a word`);
      gates.failed(call);
    },
    listens(callId, signal) {
      const left = getEventListeners(signal, "abort").length;
      if (left > 0) report(`${calls.get(callId)?.tool ?? "a call"} is over and ${left} listen for its abort`);
    },
    answered(callId, reply, by) {
      gates.answered(callId, reply, by);
      if (by !== "user" || reply === "reject") return;
      verdicts.approved(callId);
      claims.approved(callId, reply === "always");
    },
    changed(change) {
      gates.changed(change);
      verdicts.changed();
    },
    committed(commit) {
      gates.committed(commit);
    },
    requested(session) {
      if (isTold(session)) report(`${session.id} is told what nobody accepted`);
      loops.requested(session);
      gates.requested(session);
      requests += 1;
      if (requests === MAX_REQUESTS) report(`more than ${MAX_REQUESTS} requests to models`);
    },
    said: () => undefined,
    sent(session, by, text, isNote) {
      gates.sent(session, by, isNote);
      loops.sent(session, by, isNote);
      if (by === "user") verdicts.userSpoke();
      if (by !== "plugin" || isNote || session.parentId !== null) return;
      books.woken(session, text);
      verdicts.woken(session, text);
    },
    toasted: gates.toasted,
    deleted: books.deleted,
    restarted() {
      open = new Map();
      books.restarted();
      gates.restarted();
      verdicts.restarted();
    },
    ended() {
      for (const what of open.values()) report(`never ended: ${what}`);
      books.ended();
    },
  };
}

/** What a result lacks for anyone who reads it to know how to go on. */
function unhelpful(result: JsonRecord): string[] {
  const results = Array.isArray(result["results"]) ? (result["results"] as unknown[]).map(recordOf) : [];
  const problems = [result, ...results].flatMap((each) => {
    const isBad = ["failed", "partial"].includes(textOf(each["status"]) ?? "") || each["ok"] === false;
    if (!isBad || "report" in each) return [];
    const words = [each["message"], each["error"], each["hint"]]
      .map((value) => textOf(value) ?? "")
      .join(" ");
    return words.trim().split(/\s+/).length >= 3 ? [] : ["went wrong and does not say how to go on"];
  });
  return [...new Set(problems)];
}
