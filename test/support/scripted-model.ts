import { setTimeout as sleep } from "node:timers/promises";
import { recordOf, textOf } from "../../src/lib/json.ts";
import { isRepairPrompt } from "../../src/contracts/evaluate.ts";
import { contentText, messagesOf, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { startScriptedModel as start } from "../../src/scripted-model/server.ts";
import type { Turn } from "../../src/scripted-model/turn.ts";

export function lastText(request: RecordedRequest, role: "user" | "tool" | "system"): string {
  return contentText(messagesOf(request.body).findLast((message) => message["role"] === role)?.["content"]);
}

/** The scripted model, with what tests ask of it. */
export type ScriptedModel = Awaited<ReturnType<typeof startScriptedModel>>;

/** Starts the server on a free port. */
export async function startScriptedModel() {
  const model = await start();
  return {
    ...model,
    /** Waits for an agent's n-th request, counted from 1. @throws after `ms` */
    async request(agent: string, n = 1, ms = 60_000): Promise<RecordedRequest> {
      const end = Date.now() + ms;
      for (;;) {
        const found = model.requestsOf(agent)[n - 1];
        if (found !== undefined) return found;
        if (Date.now() >= end) break;
        await sleep(5);
      }
      const came = model.requests.map((request) => request.agent).join(", ") || "none";
      throw new Error(`Waited ${ms} ms for request ${n} of ${agent}; came: ${came}.`);
    },
    /** The most requests of these agents that were open at the same time. */
    mostAtOnce: (...agents: string[]): number =>
      mostAtOnce(model.requests.filter(({ agent }) => agents.includes(agent))),
  };
}

/** The names of the tools that the model is offered, sorted. */
export function toolNames(request: RecordedRequest): string[] {
  const tools = Array.isArray(request.body["tools"]) ? request.body["tools"] : [];
  return tools.map((tool) => textOf(recordOf(recordOf(tool)["function"])["name"]) ?? "").toSorted();
}

/** Calls of several turns in one. */
export function callAll(...turns: readonly Turn[]): Turn {
  return { calls: turns.flatMap((turn) => turn.calls ?? []) };
}

/** The provider answers with an HTTP error. */
export function httpError(
  status: number,
  message = "scripted error",
  headers: Record<string, string> = {},
): Turn {
  return { status, message, headers };
}

function mostAtOnce(requests: readonly RecordedRequest[]): number {
  const edges = requests.flatMap(({ at, endedAt }) => [
    { time: at, change: 1 },
    { time: endedAt ?? Infinity, change: -1 },
  ]);
  let open = 0;
  let most = 0;
  for (const { change } of edges.toSorted((a, b) => a.time - b.time || a.change - b.change)) {
    open += change;
    most = Math.max(most, open);
  }
  return most;
}

/** The agents that were asked to repair their contract, one for each time. */
export function repairsIn(requests: readonly RecordedRequest[]): string[] {
  return requests.flatMap((request) => (isRepairPrompt(lastText(request, "user")) ? request.agent : []));
}
