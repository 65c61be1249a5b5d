import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { readArguments } from "../../src/lib/tool-arguments.ts";
import { createCalls } from "../../src/host/opencode/calls.ts";
import { runTool } from "../../src/host/opencode/tools.ts";
import type { ToolDefinition } from "../../src/host/tool.ts";
import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { silentLogger, refuse } from "../../src/lib/error.ts";
import { TOOL_NAMES } from "../../src/tools/announced.ts";
import { createEndCall, listTools } from "../../src/tools/registry.ts";
import { compose, FOREIGN, NATIVE, ROOT, type Composition } from "../support/composition.ts";
import { turn } from "../support/fake-host.ts";
import { sampleOf } from "../support/sample.ts";

/** Why a call came to nothing, whichever way its tool says that. */
const wordsOf = ({ error, message }: JsonRecord): string => String(error ?? message);

/** Each request of GAIA's carries it. */
const MAX_DESCRIPTION = 240;
/** What OpenCode cuts a result to. */
const MAX_RESULT = 50 * 1024;
const HUGE = "word ".repeat(20_000);
/** One of them stands for nothing that any argument may be. */
const WRONG = [{ odd: true }, 7, "odd"];

const { runtime } = await compose();

describe.each(TOOL_NAMES)("the tool %s", (name) => {
  const toolOf = (composition: Pick<Composition, "runtime">): ToolDefinition => {
    const found = listTools(composition.runtime).find((tool) => tool.name === name);
    if (found === undefined) throw new Error(`${name} is in no list`);
    return found;
  };
  const { description, args, renderRefusal } = toolOf({ runtime });
  const schema = recordOf(z.toJSONSchema(z.object(args), { io: "input" }));

  /** Calls with every value of the choice that must be made, as there are other rules for each. */
  const calls = (text = "x", optional = false): JsonRecord[] => {
    const sample = recordOf(sampleOf(schema, text, optional));
    const required = (schema["required"] ?? []) as string[];
    const choice = required.find((key) => Array.isArray(choicesOf(schema, key)));
    if (choice === undefined) return [sample];
    return choicesOf(schema, choice)?.map((value) => ({ ...sample, [choice]: value })) ?? [];
  };

  /** Calls it as OpenCode does. @returns what the model reads */
  const call = async (
    composition: Composition,
    given: JsonRecord,
    { sessionID = ROOT, abort = new AbortController().signal } = {},
  ): Promise<JsonRecord> => {
    const ids = { sessionID, messageID: "msg_1", callID: "call_1", agent: "gaia" };
    const context = { ...ids, abort, ask: async () => Promise.reject(new Error("rejected")) };
    const execution = { raw: given, context: context as never, call: createCalls().begin(ids) };
    const end = createEndCall(composition.runtime);
    const { output: text } = await runTool(toolOf(composition), execution, end, silentLogger);
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_RESULT);
    return recordOf(JSON.parse(text));
  };

  it("has a name and a description that a model can tell from others', in few words", () => {
    expect(name).toMatch(/^[a-z]+_[a-z]+$/);
    expect(description).toMatch(/^[A-Z].*\.$/);
    expect(description.length).toBeLessThanOrEqual(MAX_DESCRIPTION);
  });

  it("describes its arguments where OpenCode looks for it", () => {
    const metadata = z.registry<{ description: string }>();
    describeByProperty(z.object(args), metadata);
    expect(z.toJSONSchema(z.object(args), { io: "input", metadata })).toEqual(schema);
  });

  it("says of each of its arguments that a value of another type is wrong", async () => {
    const composition = await compose();
    for (const key of Object.keys(args)) {
      const isRead = (value: unknown) => readArguments(z.partial(z.object(args)), { [key]: value }).ok;
      const wrong = WRONG.find((value) => !isRead(value));
      const result = await call(composition, { ...calls()[0], [key]: wrong });
      expect(wordsOf(result)).toMatch(new RegExp(`^Wrong arguments\\. .*\\b${key}(?:\\.\\w+)?: `));
    }
    expect(composition.host.prompts).toEqual([]);
  });

  it("takes an optional argument that is empty, null, blank or a placeholder as absent", () => {
    const shape = z.object(args);
    for (const given of calls())
      for (const key of Object.keys(args).filter((each) => args[each]?._zod.optin === "optional"))
        for (const nothing of [null, "", " ", "none", "null", [], {}])
          expect(readArguments(shape, { ...given, [key]: nothing }), key).toEqual(
            readArguments(shape, given),
          );
  });

  it("names an argument that it does not know, and those that it takes", async () => {
    const composition = await compose();
    for (const given of calls()) {
      expect(wordsOf(await call(composition, { ...given, odd_one: "x" }))).toContain(
        `odd_one: Unknown argument: expected one of ${Object.keys(args).join(", ")}. Call`,
      );
    }
    expect(composition.host.prompts).toEqual([]);
  });

  it("names every argument that is missing", async () => {
    const words = wordsOf(await call(await compose(), {}));
    for (const key of (schema["required"] ?? []) as string[]) expect(words).toContain(`${key}: `);
    expect(words.startsWith("Wrong arguments")).toBe(schema["required"] !== undefined);
  });

  it.each([
    ["GAIA's session", ROOT],
    ["another agent's session", NATIVE],
    ["a session that the plugin has not met", FOREIGN],
    ["a session that there is not", "ses_gone"],
  ])("answers in %s", async (_where, sessionID) => {
    const composition = await compose();
    composition.host.script(turn('{"ok":true,"data":{},"errors":[]}'));
    for (const given of calls()) expect(broken(await call(composition, given, { sessionID }))).toBeNull();
  });

  it("answers to huge texts in all arguments", async () => {
    const composition = await compose();
    composition.host.script(turn(HUGE));
    for (const given of calls(HUGE, true)) expect(broken(await call(composition, given))).toBeNull();
  });

  it("answers when its call was stopped before it began", async () => {
    const composition = await compose();
    composition.host.script(async () => new Promise(() => undefined));
    const abort = AbortSignal.abort();
    for (const given of calls()) expect(broken(await call(composition, given, { abort }))).toBeNull();
  });

  it("answers when the host does not tell of the session", async () => {
    const composition = await compose();
    composition.host.sessions.get = async () => Promise.reject(new Error("OpenCode is gone"));
    for (const given of calls()) {
      expect(await call(composition, given, { sessionID: FOREIGN })).not.toEqual({});
    }
  });

  it("refuses in words for the model, with what it needs beside them", () => {
    const shown = recordOf(renderRefusal(refuse("No.", "Ask.", { report: 1 })));
    expect(shown["ok"] === false || shown["status"] === "failed").toBe(true);
    expect(JSON.stringify(shown)).toMatch(/No\..*Ask\./);
    expect(shown).toMatchObject({ report: 1 });
  });
});

/** OpenCode has a zod of its own, which knows nothing of what ours was told: it goes by a property of each schema. */
function describeByProperty(
  schema: z.core.$ZodType & { readonly description?: unknown },
  metadata: z.core.$ZodRegistry<{ description: string }>,
): void {
  if (typeof schema.description === "string") metadata.add(schema, { description: schema.description });
  const { shape, innerType, element } = schema._zod.def as {
    shape?: z.core.$ZodShape;
    innerType?: z.core.$ZodType;
    element?: z.core.$ZodType;
  };
  for (const inner of [...Object.values(shape ?? {}), innerType, element])
    if (inner !== undefined) describeByProperty(inner, metadata);
}

/** What the tool threw; null for a result of its own. */
function broken({ error }: JsonRecord): string | null {
  return typeof error === "string" && error.includes("failed inside the plugin") ? error : null;
}

function choicesOf(schema: JsonRecord, key: string): unknown[] | null {
  const { enum: values } = recordOf(recordOf(schema["properties"])[key]);
  return Array.isArray(values) ? values : null;
}
