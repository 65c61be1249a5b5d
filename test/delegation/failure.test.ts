import { describe, expect, it } from "vitest";
import { nextCandidate, resolveCandidates } from "../../src/delegation/models.ts";
import { classifyFailure, type FailureClass } from "../../src/delegation/failure.ts";
import type { FailureReason } from "../../src/host/port.ts";

it.each<[FailureReason, string, number | undefined, FailureClass]>([
  ["auth", "no key", undefined, "auth"],
  ["other", "Invalid API key", 401, "auth"],
  ["other", "The model `x` does not exist", 404, "not-found"],
  ["other", "insufficient credits", 402, "quota"],
  ["other", "slow down", 429, "quota"],
  ["other", "Overloaded", 529, "overload"],
  ["other", "Service unavailable", 503, "overload"],
  ["other", "oops", 500, "server"],
  ["other", "upstream", 504, "timeout"],
  ["other", "bad gateway", 502, "server"],
  ["context-overflow", "maximum context length is 128000 tokens", 400, "context-overflow"],
  ["other", "your request was flagged, invalid api key, quota, timeout", 400, "refused"],
  ["other", "Unable to connect. Is the computer able to access the url?", undefined, "unknown"],
  ["aborted", "aborted", undefined, "aborted"],
  ["other", "unauthorized", undefined, "unknown"],
])("a failure's class: %s, %s, %s is %s", (reason, message, statusCode, expected) => {
  const status = statusCode === undefined ? {} : { statusCode };
  expect(classifyFailure({ reason, message, promptSaved: true, ...status })).toBe(expected);
});

describe("the models of a task", () => {
  const catalog = { available: new Set(["a/one", "b/one", "s/main"]), facts: [], fallback: "s/main" };

  it("are the agent's own that exist, then the session's, each once, cooling providers last", () => {
    const cooling = (provider: string): boolean => provider === "a";
    expect(resolveCandidates({ models: ["gone/x", "a/one", "b/one"] }, catalog, "s/main", cooling)).toEqual({
      models: ["b/one", "s/main", "a/one"],
      inherited: false,
    });
    expect(resolveCandidates({ models: ["gone/x"] }, catalog, null, cooling)).toEqual({
      models: ["s/main"],
      inherited: true,
    });
  });

  it("leave the choice to OpenCode when nothing is known", () => {
    const nothing = { available: new Set<string>(), facts: [], fallback: null };
    expect(resolveCandidates({ models: ["a/one"] }, nothing, null, () => false).models).toEqual([null]);
  });

  const tried = (...failures: FailureClass[]) =>
    failures.map((failure, index) => ({ model: ["a/one", "b/one", "s/main"][index] ?? null, failure }));
  it.each<[string, ReturnType<typeof tried>, string | undefined]>([
    ["the first, before any", [], "a/one"],
    ["the next, after a provider's failure", tried("quota"), "b/one"],
    ["the next, after what nobody can place", tried("unknown", "refused"), "s/main"],
    ["none, after two models refused it", tried("refused", "refused"), undefined],
    ["none, after an answer that was cut at its length", tried("content"), undefined],
    ["none, after a stop", tried("aborted"), undefined],
    ["none, after the last", tried("auth", "auth", "auth"), undefined],
    ["none, after the second silence", tried("stalled", "stalled"), undefined],
    ["the last once more, after its first silence", tried("auth", "auth", "stalled"), "s/main"],
  ])("are tried in order: %s", (_name, attempts, expected) =>
    expect(nextCandidate({ models: ["a/one", "b/one", "s/main"], inherited: false }, attempts)).toBe(
      expected,
    ),
  );
});
