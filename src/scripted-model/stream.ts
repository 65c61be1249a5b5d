import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Turn } from "./turn.ts";

/** Small enough that a client sees a stream, as from a real provider. */
const CHUNK_CHARACTERS = 400;

/** Writes one turn as an OpenAI chat completion stream, troubles included. */
export async function streamTurn(
  response: ServerResponse,
  model: string,
  turn: Turn,
  id: string,
): Promise<void> {
  if (turn.trouble === "hang") return;
  if (turn.trouble === "reset") {
    response.destroy();
    return;
  }
  if (turn.trouble === "garbage") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end("data: {this is no JSON\n\n<html>502</html>");
    return;
  }
  if (turn.status !== undefined) {
    response.writeHead(turn.status, { "content-type": "application/json", ...turn.headers });
    const { message, status: code } = turn;
    response.end(turn.body ?? JSON.stringify({ error: { message, type: "scripted", code } }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const chunk of chunksOf(turn)) {
    if (response.destroyed) return;
    response.write(`data: ${JSON.stringify({ id, object: "chat.completion.chunk", model, ...chunk })}\n\n`);
    if (turn.chunkDelayMs !== undefined) await sleep(turn.chunkDelayMs);
  }
  if (turn.trouble === undefined) response.end("data: [DONE]\n\n");
  else if (turn.trouble === "cut") response.end();
}

function* chunksOf(turn: Turn): Generator<object> {
  const calls = turn.calls ?? [];
  const half = turn.trouble === "half-call" || turn.trouble === "cut";
  yield choice({ role: "assistant", content: "" });
  for (const piece of pieces(turn.reasoning ?? "")) yield choice({ reasoning_content: piece });
  for (const piece of pieces(turn.text ?? "")) yield choice({ content: piece });
  if (turn.trouble === "stall") return;
  for (const [index, { name, args, raw }] of calls.entries()) {
    const json = raw ?? JSON.stringify(args);
    // Like providers that number the calls of each answer anew.
    const head = { index, id: `call_${index}`, type: "function" };
    const sent = half ? json.slice(0, json.length / 2) : json;
    yield choice({ tool_calls: [{ ...head, function: { name, arguments: sent } }] });
  }
  if (half) return;
  yield choice({}, calls.length > 0 ? "tool_calls" : "stop");
  yield { choices: [], usage: usageOf(turn) };
}

function choice(delta: object, finish: string | null = null): object {
  return { choices: [{ index: 0, delta, finish_reason: finish }] };
}

function pieces(text: string): string[] {
  const count = Math.ceil(text.length / CHUNK_CHARACTERS);
  return Array.from({ length: count }, (_, at) =>
    text.slice(at * CHUNK_CHARACTERS, (at + 1) * CHUNK_CHARACTERS),
  );
}

function usageOf({ usage = { input: 1_000, output: 100 } }: Turn): object {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
  };
}
