import { setTimeout as sleep } from "node:timers/promises";
import { messagesOf, type RecordedRequest } from "../../../src/scripted-model/request.ts";
import type { Turn } from "../../../src/scripted-model/turn.ts";
import { inCacheOrder } from "../cache-order.ts";
import type { Exchange } from "./measure.ts";

/**
 * How long the first answer of a child is held, in milliseconds: what was begun beside it is under way by then, and is not
 * taken for something that waited for its end. Less than the queue lets others wait for a first answer.
 */
const HOLD_MS = 2_400;
/** The same for its later answers, in milliseconds: what waited for the beginning of the first is sent by then. */
const LATER_MS = 250;

/** Notes what a scripted model answers, and when, so that it can be measured with a model that takes its time. */
export function createRecording() {
  const answers = new Map<RecordedRequest, { bytes: number; at: number }>();
  const known = new Set<string>();
  return {
    /** The same answers, recorded. */
    watch:
      (answer: (request: RecordedRequest) => Turn) =>
      async (request: RecordedRequest): Promise<Turn> => {
        const isFirst = !known.has(request.sessionId);
        known.add(request.sessionId);
        const turn = answer(request);
        if (parentOf(request) !== "") await sleep(isFirst ? HOLD_MS : LATER_MS);
        answers.set(request, { bytes: bytesOf(turn), at: Date.now() });
        return turn;
      },
    /** What was recorded of these requests. @param requests in the order in which they came */
    exchanges: (requests: readonly RecordedRequest[]): Exchange[] =>
      requests.map((request) => ({
        session: request.sessionId,
        parent: parentOf(request),
        begins: messagesOf(request.body).at(-1)?.["role"] === "user",
        sentAt: request.at,
        answeredAt: answers.get(request)?.at ?? Infinity,
        model: String(request.body["model"]),
        prompt: inCacheOrder(request),
        bytes: Buffer.byteLength(request.raw),
        answerBytes: answers.get(request)?.bytes ?? 0,
      })),
  };
}

/** The session that another one was begun from; empty for none. */
export function parentOf(request: RecordedRequest): string {
  return request.headers["x-parent-session-id"] ?? "";
}

function bytesOf({ text = "", reasoning = "", calls = [] }: Turn): number {
  const written = calls.map(({ name, args, raw }) => name + (raw ?? JSON.stringify(args)));
  return Buffer.byteLength([reasoning, text, ...written].join(""));
}
