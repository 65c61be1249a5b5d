import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { recordOf, textOf } from "../../src/lib/json.ts";
import { toolResults } from "../../src/scripted-model/request.ts";
import { call, say, type Turn } from "../../src/scripted-model/turn.ts";
import { callAll, httpError, type ScriptedModel, startScriptedModel } from "../support/project.ts";

let model: ScriptedModel;
beforeEach(async () => {
  model = await startScriptedModel();
});
afterEach(async () => model.close());

async function post(body: object | string, signal?: AbortSignal): Promise<Response> {
  return fetch(`${model.url}/chat/completions`, {
    method: "POST",
    headers: { "x-session-id": "ses_1" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}
const chat = (...more: object[]): object => ({
  model: "m",
  messages: [{ role: "system", content: "You are opencode." }, { role: "user", content: "Hi" }, ...more],
});

/** What comes of a turn: the text as it is, and the chunks of the stream. */
async function ask(turn?: Turn): Promise<{ text: string; chunks: Record<string, unknown>[] }> {
  if (turn !== undefined) model.script("native", turn);
  const text = await (await post(chat())).text();
  const lines = text.split("\n\n").filter((line) => line.startsWith("data: {"));
  return { text, chunks: lines.map((line) => recordOf(JSON.parse(line.slice(6)))) };
}
const deltas = (chunks: readonly Record<string, unknown>[]): Record<string, unknown>[] =>
  chunks.flatMap(({ choices }) => (choices as { delta: object }[]).map(({ delta }) => recordOf(delta)));

describe("the scripted model's answers", () => {
  it("stream reasoning and text in pieces, then the reason to stop and the usage", async () => {
    const usage = { input: 7, output: 3, cached: 2 };
    const { text, chunks } = await ask(say("x".repeat(900), { reasoning: "Hm", usage }));
    const said = deltas(chunks).map((delta) => textOf(delta["content"]) ?? "");
    expect(said.filter(Boolean).length).toBeGreaterThan(1);
    expect(said.join("")).toBe("x".repeat(900));
    expect(deltas(chunks)[1]).toEqual({ reasoning_content: "Hm" });
    expect(chunks.at(-1)).toMatchObject({
      usage: { prompt_tokens: 7, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 2 } },
    });
    expect(text).toMatch(/"finish_reason":"stop"[^]*data: \[DONE\]\n\n$/);
  });

  it("call several tools in one turn, each with an id of its own", async () => {
    const { chunks, text } = await ask(callAll(call("read", { filePath: "a" }), call("bash", {})));
    const calls = deltas(chunks).flatMap((delta) => (delta["tool_calls"] ?? []) as { id: string }[]);
    expect(calls).toMatchObject([
      { index: 0, function: { name: "read", arguments: '{"filePath":"a"}' } },
      { index: 1, function: { name: "bash" } },
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(text).toContain('"finish_reason":"tool_calls"');
  });

  it("have different ids where they are given side by side", async () => {
    model.always("native", { ...call("read", {}), delayMs: 30 });
    const [one, other] = await Promise.all([ask(), ask()]);
    expect(one.chunks[0]?.["id"]).not.toBe(other.chunks[0]?.["id"]);
  });

  it("fail as told: over HTTP, without a stream, before the first byte, within a call", async () => {
    model.script("native", httpError(429, "slow down", { "retry-after": "3" }));
    const refused = await post(chat());
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
    expect(await refused.text()).toContain("slow down");
    model.script("native", { trouble: "garbage" });
    expect(await (await post(chat())).text()).toContain("<html>");
    await expect(ask({ trouble: "reset" })).rejects.toThrow("fetch failed");
    const { text } = await ask({ ...call("read", { filePath: "/a/long/path" }), trouble: "cut" });
    expect(text).toContain('"name":"read"');
    expect(text).not.toMatch(/finish_reason":"|DONE|long\/path/);
  });

  it.each([
    ["before the first byte", { trouble: "hang" }, ""],
    ["after some text", { text: "So far", trouble: "stall" }, "So far"],
    ["in a tool call", { ...call("read", { filePath: "/a/long/path" }), trouble: "half-call" }, '"read"'],
  ] as const)("hang %s until the client gives up, which is noted", async (_where, turn, seen) => {
    model.script("native", turn);
    const abort = new AbortController();
    const read = async (): Promise<void> => {
      const response = await post(chat(), abort.signal);
      let text = "";
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString();
        if (seen !== "" && text.includes(seen)) abort.abort();
      }
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
  it("uses an agent's turns in order, then what it always says, and none for titles", async () => {
    model.script("native", say("one"), say("two"));
    model.script("gaia", say("other"));
    model.always("native", say("again"));
    const title = [{ role: "system", content: "You are a title generator. You output ONLY a title." }];
    expect((await post({ model: "m", messages: title })).status).toBe(200);
    const said: (string | undefined)[] = [];
    for (let turn = 0; turn < 4; turn += 1) said.push(/"content":"(\w+)"/.exec((await ask()).text)?.[1]);
    expect(said).toEqual(["one", "two", "again", "again"]);
    expect(model.requests).toHaveLength(4);
  });

  it("makes a turn from the request", async () => {
    model.script("native", async (request) => say(JSON.stringify(toolResults(request))));
    const results = ['{"session_id":"ses_9"}', "plain"].map((content) => ({ role: "tool", content }));
    const answer = await post(chat({ role: "assistant", content: "" }, ...results));
    const told = JSON.stringify(JSON.stringify([{ session_id: "ses_9" }, "plain"])).slice(1, -1);
    expect(await answer.text()).toContain(told);
  });

  it("refuses what no script answers, which it remembers, a script that fails, and what is no JSON", async () => {
    expect((await ask()).text).toContain('no turn 1 for agent \\"native\\"');
    expect(model.unscripted).toHaveLength(1);
    model.script("native", () => {
      throw new Error("no such session");
    });
    expect((await ask()).text).toContain("no such session");
    expect((await post("{oops")).status).toBe(400);
    expect(model.requests.at(-1)).toMatchObject({ raw: "{oops", agent: "native" });
  });
});
