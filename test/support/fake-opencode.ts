import type { PluginInput } from "@opencode-ai/plugin";
import plugin from "../../src/index.ts";
import { recordOf, textOf, type JsonRecord } from "../../src/lib/json.ts";

type Call = { url: string; path?: Record<string, string>; body?: unknown };

/** OpenCode as its plugins see it, in memory: it calls the hooks of the plugin's real entry that a test has it call, and answers what they ask. */
export async function loadInFakeOpenCode(directory: string, options: JsonRecord = {}) {
  const toasts: string[] = [];
  const answers: Record<string, (call: Call) => unknown> = {
    "get /session/{sessionID}": ({ path }) => ({ id: path?.["sessionID"], title: "", metadata: {} }),
    "get /session/{sessionID}/message": () => [],
    "get /config/providers": () => ({ providers: [{ id: "a", models: { one: {} } }], default: {} }),
    "post /tui/show-toast": ({ body }) => toasts.push(textOf(recordOf(body)["message"]) ?? ""),
  };
  const answering = (method: string) => async (call: Call) => ({
    data: answers[`${method} ${call.url}`]?.(call) ?? null,
  });
  const client = { _client: { get: answering("get"), post: answering("post"), patch: answering("patch") } };
  const hooks = await plugin.server(
    { client, directory, worktree: directory } as unknown as PluginInput,
    options,
  );
  await hooks.config?.({});
  let messages = 0;
  const event = async (type: string, properties: JsonRecord): Promise<void> =>
    hooks.event?.({ event: { type, properties } as never });
  return {
    hooks,
    toasts,
    event,
    /** Sends a message of the user's. @returns what the plugin adds to it for the model */
    async say(sessionId: string, text: string, agent = "gaia"): Promise<string> {
      messages += 1;
      const id = `msg_${messages}`;
      const model = { providerID: "a", modelID: "one" };
      const parts = [{ id: `prt_${messages}`, type: "text", text }];
      const message = { id, sessionID: sessionId, role: "user", agent, model };
      await hooks["chat.message"]?.({ sessionID: sessionId }, { message, parts } as never);
      const [, ...added] = parts.map((part) => part.text);
      return added.join("\n");
    },
    /** The model ends its turn. */
    async answer(sessionID: string): Promise<void> {
      const id = `msg_${messages}a`;
      const part = { id: `prt_${messages}a`, sessionID, messageID: id, type: "text", text: "So it is." };
      await event("message.part.updated", { part: { ...part, time: { start: 1, end: 2 } } });
      const time = { created: 1, completed: 2 };
      await event("message.updated", { info: { id, sessionID, role: "assistant", finish: "stop", time } });
    },
    /** The system prompt of a request. */
    async system(sessionId: string, prompt: string): Promise<readonly string[]> {
      const system = [prompt];
      const input = { sessionID: sessionId, model: {} };
      await hooks["experimental.chat.system.transform"]?.(input as never, { system });
      return system.slice(1);
    },
  };
}
