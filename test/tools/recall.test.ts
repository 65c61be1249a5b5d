import { acceptLearnings } from "../support/entries.ts";
import { describe, expect, it } from "vitest";
import { toOpenCodeTool } from "../../src/host/opencode/tools.ts";
import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { createEndCall, listTools } from "../../src/tools/registry.ts";
import { entryName } from "../../src/record/entries/entry.ts";
import { compose, ROOT } from "../support/composition.ts";

const LEARNING = "pattern: buckets leak slowly";

interface Scene {
  /** Calls it as OpenCode does. @returns what the model reads */
  recall(args: object): Promise<JsonRecord>;
}

async function open(): Promise<Scene> {
  const composition = await compose();
  const { runtime } = composition;
  await acceptLearnings(runtime.knowledge, LEARNING);
  const found = listTools(runtime).find(({ name }) => name === "recall_gaia");
  if (found === undefined) throw new Error("no recall");
  const tool = toOpenCodeTool(found, silentLogger, createEndCall(runtime));
  return {
    async recall(args) {
      const { signal: abort } = new AbortController();
      const context = { sessionID: ROOT, messageID: "msg_1", callID: "call_1", agent: "gaia", abort };
      const output = await tool.execute(args, context as never);
      return recordOf(JSON.parse(typeof output === "string" ? output : output.output));
    },
  };
}

describe("what is asked for by its id", () => {
  it("is told whole: a learning by its own, anything else by where it stands", async () => {
    const { recall } = await open();
    const { results } = await recall({ query: "leak" });
    const id = entryName("buckets leak slowly");
    expect(results).toMatchObject([{ id, kind: "pattern", at: `.gaia/knowledge/${id}.md:10` }]);
    for (const name of [id, `.gaia/knowledge/${id}.md:10`])
      expect(await recall({ id: name })).toMatchObject({
        ok: true,
        results: [{ text: "buckets leak slowly" }],
      });
    for (const args of [{ id: "00000000" }, { id: "../config.jsonc:1" }])
      expect(await recall(args)).toMatchObject({ ok: false });
    expect(await recall({})).toEqual({ ok: true, results: [], hint: "Pass query or id." });
  });
});
