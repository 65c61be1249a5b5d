import { expect, it, vi } from "vitest";
import { createOpenCodeHost } from "../../src/host/opencode/adapter.ts";
import { toOpenCodeHooks } from "../../src/host/opencode/hooks.ts";
import { createFakeClock } from "../support/fake-clock.ts";

const MODELS = [{ question: "Accept all?" }];
const OURS = [{ question: "What should she remember?" }];

/** A question of a model's that is about to be asked in other words. */
function ask() {
  const clock = createFakeClock();
  const client = { _client: {} };
  const host = createOpenCodeHost({ client, directory: "/p", worktree: "/p" } as never, clock);
  const hooks = toOpenCodeHooks(
    {
      "host-event": async () => undefined,
      "before-tool": async ({ askInstead }) => {
        await askInstead(OURS);
      },
    },
    host,
  );
  const args: { questions: object } = { questions: MODELS };
  const asked = vi.fn<() => void>();
  const call = { tool: "question", sessionID: "s", callID: "c" };
  hooks["tool.execute.before"]?.(call, { args }).then(asked, asked);
  /** OpenCode tells how far a call is. */
  const tell = async (status: string, callID = "c"): Promise<void> => {
    const part = { id: "p", type: "tool", sessionID: "s", messageID: "m", tool: "question", callID };
    await hooks.event?.({
      event: {
        type: "message.part.updated",
        properties: { part: { ...part, state: { status, input: {} } } },
      },
    } as never);
    await clock.advance(0);
  };
  return { args, asked, tell };
}

it("is put in a model's place once OpenCode has written down what the model asked, which models go on to read", async () => {
  const { args, asked, tell } = ask();
  await tell("pending");
  await tell("running", "another");
  expect(args.questions).toBe(MODELS);
  await tell("running");
  expect(args.questions).toBe(OURS);
  expect(asked).toHaveBeenCalledOnce();
});
