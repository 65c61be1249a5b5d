import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { toOpenCodeTool } from "../../src/host/opencode/tools.ts";
import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { silentLogger } from "../../src/lib/logger.ts";
import { createEndCall, listTools } from "../../src/tools/registry.ts";
import { idOfLearning } from "../../src/workspace/documents/learning.ts";
import { compose, ROOT, type Composition } from "../support/composition.ts";
import { sessionOf } from "../support/fake-host.ts";
import { planCalls } from "../support/plan-calls.ts";

const OTHER = "ses_other";
const LEARNINGS = "# Learnings\n\n- **pattern** buckets leak slowly — 2026-01-02\n";
/** What the tool may weigh beyond its plain form, in bytes, once it can note things. */
const MOST = 420;

interface Scene {
  readonly composition: Composition;
  readonly sent: string;
  /** Calls it as OpenCode does. @returns what the model reads */
  recall(args: object, sessionID?: string): Promise<JsonRecord>;
  file(path: string): Promise<string>;
}

async function open(capture: object = { remember: true }, options: object = {}): Promise<Scene> {
  const composition = await compose({ capture, ...options });
  const { runtime, host } = composition;
  const { directory } = host;
  await mkdir(join(directory, ".gaia"), { recursive: true });
  await writeFile(join(directory, ".gaia/learnings.md"), LEARNINGS);
  host.stored.set(OTHER, sessionOf(OTHER));
  runtime.sessions.observe({ type: "session.created", session: sessionOf(OTHER) });
  runtime.sessions.spoke(OTHER, "gaia", "a/one");
  const found = listTools(runtime).find(({ name }) => name === "recall_gaia");
  if (found === undefined) throw new Error("no recall");
  const tool = toOpenCodeTool(found, silentLogger, createEndCall(runtime));
  const schema = z.toJSONSchema(z.object(found.args), { io: "input" });
  return {
    composition,
    sent: JSON.stringify({ description: found.description, parameters: schema }),
    async recall(args, sessionID = ROOT) {
      const { signal: abort } = new AbortController();
      const context = { sessionID, messageID: "msg_1", callID: "call_1", agent: "gaia", abort };
      const output = await tool.execute(args as never, context as never);
      return recordOf(JSON.parse(typeof output === "string" ? output : output.output));
    },
    file: async (path) => readFile(join(directory, ".gaia", path), "utf8"),
  };
}
const textsOf = (result: JsonRecord): unknown[] =>
  (Array.isArray(result["results"]) ? result["results"] : []).map((each) => recordOf(each)["text"]);

describe("what is asked for by its id", () => {
  it("is told whole: a learning by its own, anything else by where it stands", async () => {
    const { recall } = await open();
    const { results } = await recall({ query: "leak" });
    const id = idOfLearning("buckets leak slowly");
    expect(results).toMatchObject([{ id, kind: "pattern", at: ".gaia/learnings.md:3" }]);
    for (const name of [id, ".gaia/learnings.md:3"])
      expect(await recall({ id: name })).toMatchObject({
        ok: true,
        results: [{ text: "buckets leak slowly" }],
      });
    for (const args of [{ id: "00000000" }, { id: "../config.jsonc:1" }])
      expect(await recall(args)).toMatchObject({ ok: false });
    expect(await recall({})).toEqual({ ok: true, results: [], hint: "Pass query or id." });
  });
});

describe("what is noted", () => {
  it("for now is found and read again by its own conversation, and by no other", async () => {
    const { recall } = await open();
    const noted = await recall({ op: "remember", content: "The staging token is blue", tags: ["#staging"] });
    expect(noted).toMatchObject({ ok: true, layer: "working", importance: 0.4 });
    const { id } = noted;
    expect(textsOf(await recall({ query: "token blue" }))).toEqual(["The staging token is blue #staging"]);
    expect(await recall({ id })).toMatchObject({ results: [{ kind: "note", layer: "working", by: "gaia" }] });
    expect(textsOf(await recall({ query: "token blue" }, OTHER))).toEqual([]);
    expect(await recall({ id }, OTHER)).toMatchObject({ ok: false });
    expect(textsOf(await recall({ query: "token blue", kinds: ["log"] }))).toEqual([]);
  });

  it("with a unit outlives the process, for the same conversation alone", async () => {
    const { composition, recall, file } = await open();
    const content = "The staging token is blue";
    expect(await recall({ op: "remember", content, layer: "session" })).toMatchObject({
      ok: false,
      error: "This conversation is about no work unit.",
    });
    await planCalls(composition).plan("create_work_unit", { slug: "one", title: "One" });
    const { id } = await recall({ op: "remember", content });
    expect(await recall({ op: "promote", id })).toMatchObject({ ok: true, layer: "session" });
    expect(await file("one/memory.md")).toContain(
      `\`${String(id)}\` The staging token is blue — noted by gaia in ${ROOT}`,
    );
    const { parts } = await composition.conversation();
    const again = await (await parts.memories.open())?.find("token blue");
    expect(again?.map(({ note }) => note.text)).toEqual([content]);
    await planCalls(composition).plan("set_active", { slug: "one" }, OTHER);
    expect(textsOf(await recall({ query: "token blue" }, OTHER))).toEqual([]);
  });

  it("for the project is only proposed: one line as a learning, more as knowledge", async () => {
    const { recall, file } = await open();
    const { id } = await recall({ op: "remember", content: "constraint: tokens are blue", tags: ["db"] });
    expect(await recall({ op: "promote", id, layer: "project" })).toMatchObject({
      ok: true,
      layer: "project",
    });
    expect(JSON.parse(await file(".local/proposals.json"))).toMatchObject({
      proposals: [{ id, kind: "constraint", text: "tokens are blue #db" }],
    });
    expect(await file("learnings.md")).toBe(LEARNINGS);
    const long = `Tokens are blue.\n\n${"Since ever. ".repeat(30)}`;
    const known = await recall({ op: "remember", content: long, layer: "project" });
    expect(known).toMatchObject({ ok: true, hint: "Proposed: the user decides." });
    expect(await file(`knowledge/${String(known["id"])}.md`)).toContain("status: proposed");
    for (const session of [ROOT, OTHER])
      expect(
        JSON.stringify(await recall({ query: "since ever tokens", kinds: ["learning"] }, session)),
      ).not.toContain("Since ever");
    expect(await recall({ id: known["id"] })).toMatchObject({ ok: false });
  });

  it("is written nowhere while GAIA is locked", async () => {
    const { composition, recall, file } = await open({ remember: true }, { mode: "locked" });
    const { id } = await recall({ op: "remember", content: "tokens are blue" });
    (await composition.conversation()).dispatch({ type: "work-unit-changed", workUnit: "one" });
    for (const layer of ["session", "project"])
      expect(await recall({ op: "promote", id, layer })).toMatchObject({ ok: false });
    await expect(file(".local/proposals.json")).rejects.toThrow("ENOENT");
  });

  it.each([
    ["nothing", { op: "remember" }],
    ["too much", { op: "remember", content: "x".repeat(1_001) }],
    ["what is not there", { op: "promote", id: "12345678" }],
    ["a layer that is none", { op: "remember", content: "x", layer: "team" }],
  ])("is refused: %s", async (_what, args) => {
    const { recall } = await open();
    expect(JSON.stringify(await recall(args))).toMatch(/"ok":false/);
  });

  it("holds commands that ran, without anybody noting them", async () => {
    const { composition, recall } = await open();
    (await composition.conversation()).dispatch({
      type: "tool-finished",
      fact: {
        sessionId: ROOT,
        tool: "bash",
        mutating: false,
        failed: false,
        command: { command: "make site", exitCode: 2, output: "error: no pages" },
      },
    });
    expect(textsOf(await recall({ query: "make site" }))).toEqual(["`make site` → exit 2: error: no pages"]);
  });
});

describe("while nothing is to be remembered", () => {
  it.each([{}, { remember: false }, { enabled: false, remember: true }])(
    "is not there: %j",
    async (capture) => {
      const { recall, sent, file } = await open(capture);
      expect(sent).not.toMatch(/remember|promote|layer/);
      expect(
        await recall({ op: "remember", content: "tokens are blue", layer: "project", query: "x" }),
      ).toMatchObject({
        ok: expect.any(Boolean) as never,
      });
      await expect(file(".local/proposals.json")).rejects.toThrow("ENOENT");
    },
  );

  it("costs little where it is on", async () => {
    const [on, off] = [await open(), await open({})];
    expect(on.sent.length - off.sent.length).toBeLessThanOrEqual(MOST);
    expect(on.sent.length - off.sent.length).toBeGreaterThan(0);
  });
});
