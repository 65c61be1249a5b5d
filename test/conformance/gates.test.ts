import { describe, expect, it } from "vitest";
import { isChange } from "../../src/conversation/collaboration/decide-call.ts";
import type { Conversation } from "../../src/conversation/conversation.ts";
import {
  type CallFacts,
  firstRefusal,
  type Gate,
  GATES,
  describeCall,
} from "../../src/conversation/tool-calls/gates.ts";
import type { IncomingCall } from "../../src/host/hook-events.ts";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { refuse } from "../../src/lib/error.ts";
import { compose, NATIVE } from "../support/composition.ts";
import { examined } from "../support/examination.ts";
import { NO_FILE_CALLS } from "../support/incoming-call.ts";
import { createTestServices, openConversation } from "../support/services.ts";
import { COMMAND, EDIT, ODD_CALLS, payloadOf, QUESTION } from "./payloads.ts";

const callOf = (given: Partial<IncomingCall> = {}): IncomingCall => {
  const base = { sessionId: "root", agent: "gaia", text: "x", tool: "bash", effect: COMMAND };
  return { ...payloadOf("before-tool", base).payload, ...given };
};

async function factsFor(
  call: IncomingCall,
  given: Partial<CallFacts> = {},
): Promise<CallFacts & { conversation: Conversation; denials: unknown[] }> {
  const services = createTestServices();
  const { conversation } = await openConversation(services);
  const denials: unknown[] = [];
  return {
    conversation,
    session: { rootId: "root", specialist: null, workUnit: null, waveId: null, isGuest: false },
    agent: "gaia",
    role: null,
    isReader: true,
    isOurs: true,
    host: services.host,
    bounds: services.bounds,
    files: NO_FILE_CALLS,
    async judged() {
      const described = describeCall(call, "gaia", "reader", examined("project"), null);
      const { callId, sessionId, effect, target } = call;
      const changes = isChange(described);
      return {
        ...described,
        callId,
        sessionId,
        effect,
        target,
        changes,
        mutating: changes && !described.isRecord,
        place: services.host,
        isApart: false,
        before: null,
        sandbox: effect.kind === "command" ? { kind: "run", profile: null } : null,
      };
    },
    denied: (...denial) => void denials.push(denial),
    denials,
    ...given,
  };
}

const FAILING: CallFacts = new Proxy({} as CallFacts, {
  get() {
    throw new Error("nothing is known");
  },
});
const at = (name: string): number => GATES.findIndex((gate) => gate.name === name);
const gate = (name: string, answer: string | null, asked: string[] = []): Gate => ({
  name,
  why: "for the test",
  decide() {
    asked.push(name);
    return answer;
  },
});

describe("the gates of a tool call", () => {
  it("stand in this order", () => {
    const order = "stopped worktree file-tool native-edit record-boundary unit-branch policy talk question";
    expect(GATES.map(({ name }) => name).join(" ")).toBe(order);
  });

  it("judge a call only once it is moved and worked out, and register a question only once it will be asked", async () => {
    for (const name of ["stopped", "worktree", "file-tool", "native-edit", "record-boundary"]) {
      const call = callOf({ effect: EDIT, tool: "edit" });
      const facts = await factsFor(call, { judged: async () => Promise.reject(new Error("too early")) });
      expect(await GATES[at(name)]?.decide(call, facts)).toBeNull();
    }
    expect(at("question")).toBe(GATES.length - 1);
  });

  it("refuse at the first objection, and ask no further", async () => {
    const asked: string[] = [];
    const list = [gate("a", null, asked), gate("b", "Refused: b.", asked), gate("c", "Refused: c.", asked)];
    expect(await firstRefusal(list, callOf(), FAILING)).toBe("Refused: b.");
    expect(asked).toEqual(["a", "b"]);
  });

  it("are asked in no session that is not GAIA's", async () => {
    const { runtime } = await compose();
    const call = callOf({ sessionId: NATIVE, effect: QUESTION, tool: "question" });
    const files = { ...NO_FILE_CALLS, tools: new Proxy([], { get: () => expect.unreachable() }) };
    expect(await runtime.supervision.calls.refuse(call, files)).toBeNull();
    expect(runtime.supervision.calls.get(call.callId)).toBeUndefined();
  });
});

describe.each(GATES.map((each) => [each.name, each] as const))("the gate %s", (name, each) => {
  it("is named once, and says why it stands there", () => {
    expect(GATES.filter((other) => other.name === name)).toHaveLength(1);
    expect(each.why).toMatch(/^\S.{20,}[^.]$/);
  });

  it("refuses where it cannot decide", async () => {
    const refusal = await firstRefusal([each], callOf(), FAILING);
    expect(refusal).toBe(`Refused: the gate ${name} could not decide (nothing is known).`);
  });

  it("takes odd calls", async () => {
    for (const [what, odd] of Object.entries(ODD_CALLS)) {
      const call = callOf(odd);
      const refusal = await firstRefusal([each], call, await factsFor(call));
      expect(refusal ?? "", what).not.toContain("could not decide");
    }
  });
});

it.each([
  ["edit", true],
  ["apply_patch", true],
  ["bash", false],
  ["read", false],
  ["context7_docs", false],
])("the gate policy: holds an agent that only reads to that at %s: %s", async (tool, isRefused) => {
  const args = { filePath: "a.ts", command: "touch a", patchText: "" };
  const call = callOf({ tool, args, effect: readToolCall(tool, args) });
  const facts = await factsFor(call);
  const refusal = await GATES[at("policy")]?.decide(call, facts);
  expect([(refusal ?? "").includes("only reads"), facts.denials.length]).toEqual([
    isRefused,
    isRefused ? 1 : 0,
  ]);
});

it.each([
  ["src/a.ts", "refused"],
  ["../a.ts", "refused"],
  [".gaia/log.md", "let"],
])("the gate record-boundary: the historian's edit of %s is %s", async (path, expected) => {
  const effect = { kind: "edit", isPatch: false, edits: [{ path, before: null, after: "" }] } as const;
  const call = callOf({ tool: "write", effect });
  const facts = await factsFor(call, { role: "historian", agent: "demeter" });
  const refusal = await GATES[at("record-boundary")]?.decide(call, facts);
  expect(refusal === null ? "let" : "refused").toBe(expected);
});

it("the gate file-tool refuses in the tool's words", async () => {
  const call = callOf({ tool: "try_gaia", args: {} });
  const prepare = async () => refuse("The anchor is old.", "Read again.");
  const tools = [{ name: "try_gaia", description: "", args: {}, prepare }];
  const files = { tools, redact: (text: string) => text, isAnchored: () => false };
  const facts = await factsFor(call, { files });
  expect(await firstRefusal(GATES, call, facts)).toBe("Refused: The anchor is old. Read again.");
});
