import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recordOf, textOf } from "../../src/lib/json.ts";
import { toolResults } from "../../src/scripted-model/request.ts";
import { call, say } from "../../src/scripted-model/turn.ts";
import { callAll, httpError, type ScriptedModel, startScriptedModel } from "../support/scripted-model.ts";

let model: ScriptedModel;
beforeEach(async () => {
  model = await startScriptedModel();
});
afterEach(async () => model.close());

const SYSTEM = { native: "You are opencode.", gaia: "You are GAIA, the orchestrator." };

async function post(body: object | string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${model.url}/chat/completions`, {
    method: "POST",
    headers: { "x-session-id": "ses_1" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

function chat(agent: keyof typeof SYSTEM, ...more: object[]): object {
  const messages = [{ role: "system", content: SYSTEM[agent] }, { role: "user", content: "Hi" }, ...more];
  return { model: "m", messages, tools: [{ function: { name: "read" } }, { function: { name: "bash" } }] };
}

async function ask(agent: keyof typeof SYSTEM): Promise<{ status: number; chunks: unknown[]; text: string }> {
  const response = await post(chat(agent));
  const text = await response.text();
  const lines = text.split("\n\n").filter((line) => line.startsWith("data: {"));
  return { status: response.status, text, chunks: lines.map((line) => JSON.parse(line.slice(6)) as unknown) };
}

function deltas(chunks: readonly unknown[]): Record<string, unknown>[] {
  return chunks
    .map(recordOf)
    .flatMap((chunk) => (chunk["choices"] as unknown[]).map((choice) => recordOf(recordOf(choice)["delta"])));
}

describe("the scripted model's answers", () => {
  it("streams text in pieces, then the reason to stop and the usage", async () => {
    model.script("native", say("x".repeat(900), { usage: { input: 7, output: 3, cached: 2 } }));
    const { text, chunks } = await ask("native");
    const said = deltas(chunks).map((delta) => textOf(delta["content"]) ?? "");
    expect(said.filter(Boolean).length).toBeGreaterThan(1);
    expect(said.join("")).toBe("x".repeat(900));
    expect(chunks.at(-1)).toMatchObject({
      usage: { prompt_tokens: 7, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 2 } },
    });
    expect(text).toMatch(/"finish_reason":"stop"[^]*data: \[DONE\]\n\n$/);
  });

  it("thinks aloud before it speaks", async () => {
    model.script("native", say("Yes", { reasoning: "Hm" }));
    expect(deltas((await ask("native")).chunks)).toMatchObject([
      { role: "assistant" },
      { reasoning_content: "Hm" },
      { content: "Yes" },
      {},
    ]);
  });

  it("calls several tools in one turn, each with an id of its own", async () => {
    model.script("native", callAll(call("read", { filePath: "a" }), call("bash", { command: "ls" })));
    const { chunks, text } = await ask("native");
    const calls = deltas(chunks).flatMap((delta) => (delta["tool_calls"] ?? []) as { id: string }[]);
    expect(calls).toMatchObject([
      { index: 0, function: { name: "read", arguments: '{"filePath":"a"}' } },
      { index: 1, function: { name: "bash", arguments: '{"command":"ls"}' } },
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(text).toContain('"finish_reason":"tool_calls"');
  });

  it("gives parallel answers different ids, delays or not", async () => {
    model.always("gaia", { ...call("read", {}), delayMs: 30 });
    const both = await Promise.all([ask("gaia"), ask("gaia")]);
    const ids = both.map(({ chunks }) => recordOf(chunks[0])["id"]);
    expect(ids[0]).not.toBe(ids[1]);
  });

  it("fails over HTTP as told, headers included", async () => {
    model.script("native", httpError(429, "slow down", { "retry-after": "3" }));
    const response = await post(chat("native"));
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("3");
    expect(await response.text()).toContain("slow down");
  });

  it("answers 200 with what is no stream", async () => {
    model.script("native", { trouble: "garbage" });
    const response = await post(chat("native"));
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("<html>");
  });

  it("breaks the connection before the first byte", async () => {
    model.script("native", { trouble: "reset" });
    await expect(post(chat("native"))).rejects.toThrow("fetch failed");
  });

  it("ends the stream in the middle of a tool call", async () => {
    model.script("native", {
      ...call("read", { filePath: "/a/long/path" }),
      text: "Reading",
      trouble: "cut",
    });
    const { text } = await ask("native");
    expect(text).toContain('"name":"read"');
    expect(text).not.toMatch(/finish_reason":"|DONE|long\/path/);
  });

  it.each([
    ["before the first byte", { trouble: "hang" }, ""],
    ["after some text", { text: "So far", trouble: "stall" }, "So far"],
    ["in a tool call", { ...call("read", { filePath: "/a/long/path" }), trouble: "half-call" }, '"read"'],
  ] as const)("hangs %s until the client gives up, and notes that it did", async (_where, turn, seen) => {
    model.script("native", turn);
    const abort = new AbortController();
    const read = async (): Promise<string> => {
      const response = await post(chat("native"), abort.signal);
      let text = "";
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (seen !== "" && text.includes(seen)) abort.abort();
      }
      return text;
    };
    const failure = read().then(() => "none", String);
    const request = await model.request("native");
    if (seen === "") abort.abort();
    expect(await failure).toContain("aborted");
    await expect.poll(() => request.endedAt).not.toBeNull();
    expect(request.aborted).toBe(true);
  });
});

describe("the scripted model's script", () => {
  it("uses an agent's turns in order, then what it always says", async () => {
    model.script("native", say("one"), say("two"));
    model.script("gaia", say("other"));
    model.always("native", say("again"));
    const texts = [];
    for (let turn = 0; turn < 4; turn += 1) texts.push((await ask("native")).text);
    expect(texts.map((text) => /"content":"(\w+)"/.exec(text)?.[1])).toEqual([
      "one",
      "two",
      "again",
      "again",
    ]);
  });

  it("makes a turn from the request", async () => {
    model.script("native", async (request) => say(JSON.stringify(toolResults(request))));
    const results = ['{"session_id":"ses_9"}', "plain"].map((content) => ({ role: "tool", content }));
    const answer = await post(chat("native", { role: "assistant", content: "" }, ...results));
    expect(await answer.text()).toContain(
      JSON.stringify(JSON.stringify([{ session_id: "ses_9" }, "plain"])).slice(1, -1),
    );
  });

  it("refuses what no script answers, names it, and remembers it", async () => {
    model.script("gaia", say("hello"));
    const response = await post(chat("native"));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('no turn 1 for agent \\"native\\"');
    expect(model.unscripted).toHaveLength(1);
  });

  it("says so when the script itself fails", async () => {
    model.script("native", () => {
      throw new Error("no such session");
    });
    const response = await post(chat("native"));
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("no such session");
  });

  it("answers title requests without using up a turn or being counted", async () => {
    model.script("native", say("the turn"));
    const title = [{ role: "system", content: "You are a title generator. You output ONLY a title." }];
    expect((await post({ model: "m", messages: title })).status).toBe(200);
    expect((await ask("native")).text).toContain("the turn");
    expect(model.requests).toHaveLength(1);
  });

  it("survives a body that is no JSON", async () => {
    expect((await post("{oops")).status).toBe(400);
    expect(model.requests[0]).toMatchObject({ raw: "{oops", agent: "native" });
  });
});
