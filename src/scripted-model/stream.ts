import type { ServerResponse } from "node:http";
import type { Turn } from "./turn.ts";

/** Small enough that a client sees a stream, as from a real provider. */
const CHUNK_CHARACTERS = 400;

/** Writes one turn as an OpenAI chat completion stream, troubles included. Leaves the response open where asked to. */
export function streamTurn(response: ServerResponse, model: string, turn: Turn, id: string): void {
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
    response.end(JSON.stringify({ error: { message: turn.message, type: "scripted", code: turn.status } }));
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const send = (delta: object, finish: string | null = null): void => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    response.write(`data: ${JSON.stringify({ id, object: "chat.completion.chunk", model, choices })}\n\n`);
  };
  send({ role: "assistant", content: "" });
  const text = turn.text ?? "";
  for (let from = 0; from < text.length; from += CHUNK_CHARACTERS) {
    send({ content: text.slice(from, from + CHUNK_CHARACTERS) });
  }
  if (turn.trouble === "stall") return;
  for (const [index, { name, args }] of (turn.calls ?? []).entries()) {
    const json = JSON.stringify(args);
    const sent = turn.trouble === "half-call" ? json.slice(0, json.length / 2) : json;
    const head = { index, id: `${id}_${index}`, type: "function" };
    send({ tool_calls: [{ ...head, function: { name, arguments: sent } }] });
  }
  if (turn.trouble === "half-call") return;
  send({}, (turn.calls ?? []).length > 0 ? "tool_calls" : "stop");
  const { input = 1_000, output = 100, cached = 0 } = turn.usage ?? {};
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
  };
  response.write(
    `data: ${JSON.stringify({ id, object: "chat.completion.chunk", model, choices: [], usage })}\n\n`,
  );
  response.end("data: [DONE]\n\n");
}
