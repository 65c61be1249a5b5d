import { describe, expect, it, vi } from "vitest";
import type { Host } from "../../src/host/port.ts";
import type { UserMessage } from "../../src/host/hook-events.ts";
import { composeHooks } from "../../src/hooks/compose.ts";
import { compose, FOREIGN, ROOT } from "../support/composition.ts";
import { sessionOf } from "../support/fake-host.ts";

/** A message of the user's, with what the hooks made of it. */
function messageIn(sessionId: string, agent: string, text: string) {
  const [appendForModel, useModel] = [vi.fn<(line: string) => void>(), vi.fn<(model: string) => void>()];
  const said = { text, files: [] };
  const others = { useAgent() {}, reword() {}, showInstead() {} };
  const message = { sessionId, agent, model: "other/two", said, appendForModel, useModel, ...others };
  return { message: message as UserMessage, appendForModel, useModel };
}

describe("while OpenCode does not answer", () => {
  it("a command is not carried out in silence, and is when it is typed again", async () => {
    const { runtime, hooks, host } = await compose();
    const handlers = composeHooks(hooks, host.logger);
    const { get } = host.sessions;
    const type = async (agent: string) => {
      const sent = messageIn(FOREIGN, agent, "/locked");
      const command = { name: "locked", sessionId: FOREIGN, argumentText: "", send() {} };
      await handlers["command-typed"]?.(command);
      await handlers["user-message"]?.(sent.message);
      return sent.appendForModel.mock.calls.join("\n");
    };
    host.stored.set(FOREIGN, sessionOf(FOREIGN, { metadata: { gaia: { root: true } } }));
    host.sessions.get = async () => Promise.reject(new Error("no answer"));
    expect(await type("gaia")).toContain("/locked was not carried out");
    expect(host.toasts).toContainEqual(expect.stringContaining("Type it again"));
    host.sessions.get = get;
    expect(await type("gaia")).toContain("/locked is done");
    expect((await runtime.conversations.of(FOREIGN))?.conversation.state.knobs.mode).toBe("locked");
  });

  it.each<[string, Partial<Host>, readonly string[]]>([
    ["stays", { models: async () => ({ available: new Set<string>(), facts: [], fallback: "a/one" }) }, []],
    ["is replaced where it is known to be gone", {}, ["a/one"]],
  ])("the model that the user chose %s", async (_how, given, expected) => {
    const { hooks, host } = await compose({ agents: { gaia: { model: "a/one" } } }, given);
    const sent = messageIn(ROOT, "gaia", "Hello");
    await composeHooks(hooks, host.logger)["user-message"]?.(sent.message);
    expect(sent.useModel.mock.calls.flat()).toEqual(expected);
  });
});
