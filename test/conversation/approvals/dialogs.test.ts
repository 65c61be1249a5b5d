import { beforeEach, describe, expect, it } from "vitest";
import type { ApprovalRequest } from "../../../src/conversation/collaboration/approval-kinds.ts";
import { askApproval } from "../../../src/conversation/approvals/ask-approval.ts";
import { createDialogs, type Dialogs } from "../../../src/conversation/approvals/dialogs.ts";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import type { Conversations } from "../../../src/conversation/conversations.ts";
import type { HostEvent, ToolCall } from "../../../src/host/port.ts";
import type { RunningCall } from "../../../src/conversation/tool-calls/tool-fact.ts";
import type { SandboxDecision } from "../../../src/sandbox/decide.ts";
import { examined } from "../../support/examination.ts";
import type { FakeClock } from "../../support/fake-clock.ts";
import { type FakeHost, keyed } from "../../support/fake-host.ts";
import { runningCall } from "../../support/running-call.ts";
import { createTestServices, openConversation } from "../../support/services.ts";

const GATE: ApprovalRequest = { kind: "wave", workUnit: "unit", wave: "w1" };
let host: FakeHost;
let clock: FakeClock;
let conversations: Conversations;
let dialogs: Dialogs;
let conversation: Conversation;
let answers: unknown[];
let decision: SandboxDecision;
/** Running commands by their calls. */
const commands = new Map<string, RunningCall>();

type Asked = Extract<HostEvent, { type: "permission.asked" }>;
const asked = (requestId: string, rest: Partial<Asked> = {}): Asked => ({
  type: "permission.asked",
  sessionId: "root",
  requestId,
  permission: "edit",
  kind: "other",
  patterns: [],
  always: [],
  metadata: {},
  callId: null,
  ...rest,
});
const replied = (requestId: string, reply = "once"): HostEvent & { type: "permission.replied" } => ({
  type: "permission.replied",
  sessionId: "root",
  requestId,
  reply,
});
/** A plugin tool's call whose dialog ends as `answer` says, after `meanwhile` has happened. */
const toolCall = (
  answer: Awaited<ReturnType<ToolCall["ask"]>>,
  meanwhile: () => void = () => undefined,
): ToolCall => ({
  sessionId: "root",
  messageId: "m",
  callId: keyed("call"),
  agent: "gaia",
  abort: new AbortController().signal,
  ask: async () => {
    meanwhile();
    return answer;
  },
});

const approve = async (...dialog: Parameters<typeof toolCall>): ReturnType<typeof askApproval> =>
  askApproval(conversation, dialogs, GATE, toolCall(...dialog));
const settled = async (): Promise<void> => {
  await clock.advance(0);
  await clock.advance(0);
};

beforeEach(async () => {
  const services = createTestServices();
  ({ host, clock } = services);
  answers = [];
  decision = { kind: "ask" };
  commands.clear();
  host.answerPermission = async (requestId, answer) => {
    answers.push([requestId, answer]);
  };
  ({ conversation, conversations } = await openConversation(services));
  dialogs = createDialogs({
    ...services,
    conversations,
    call: (id) => (id === "edit" ? runningCall("edit", {}) : commands.get(id)),
  });
});

describe("an approval", () => {
  it.each(["before it comes up", "while it is open"])(
    "of a call that is stopped %s is taken away, and its late yes counts for nothing",
    async (when) => {
      const control = new AbortController();
      const plan: ApprovalRequest = { kind: "plan", workUnit: "unit" };
      const request = asked("per", { callId: keyed("call"), permission: "gaia_approval: plan" });
      const call = toolCall({ approved: true }, () => {
        if (when === "before it comes up") control.abort();
        dialogs.observe(request);
      });
      const ask: ToolCall["ask"] = async (wanted) => {
        const answer = await call.ask(wanted);
        await expect.poll(() => conversation.state.pending.length).toBe(1);
        control.abort();
        await expect.poll(() => answers).toEqual([["per", { refusal: expect.any(String) }]]);
        dialogs.observe(replied("per"));
        return answer;
      };
      const approval = await askApproval(conversation, dialogs, plan, {
        ...call,
        abort: control.signal,
        ask,
      });
      expect(approval).toMatchObject({ kind: "refused", reason: expect.stringContaining("stopped") });
      expect(approval).not.toHaveProperty("denied");
    },
  );

  it("is given by the dialog's own answer, and by nothing else", async () => {
    const approval = approve({ approved: true }, () => {
      dialogs.observe(asked("p1", { callId: keyed("call"), permission: "gaia_approval: wave w1" }));
      dialogs.observe(replied("p1"));
    });
    expect(await approval).toEqual({ kind: "granted", by: "user" });
    expect(conversation.state.wave).toMatchObject({ id: "w1", approved: true });
    expect(answers).toEqual([]);
  });

  it.each<[string, () => void]>([
    ["when OpenCode asked nobody", () => undefined],
    [
      "by an answer to another request",
      () => {
        dialogs.observe(asked("p2", { callId: keyed("another call") }));
        dialogs.observe(replied("p2"));
        dialogs.observe(replied("p1"));
      },
    ],
  ])("is not given %s", async (_when, meanwhile) => {
    const approval = approve({ approved: true }, meanwhile);
    await clock.advance(2_000);
    expect(await approval).toMatchObject({ kind: "refused", reason: expect.stringContaining("No human") });
    expect(conversation.state.wave).toBeNull();
  });

  it("does not count when the user set the mode while the dialog was open", async () => {
    const approval = approve({ approved: true }, () => {
      dialogs.observe(asked("p1", { callId: keyed("call") }));
      const meanwhile = async (): Promise<void> => {
        await clock.advance(0);
        conversation.dispatch({ type: "command", change: { knob: "mode", value: "supervised" } });
        dialogs.observe(replied("p1"));
      };
      void meanwhile();
    });
    expect(await approval).toMatchObject({ kind: "refused", reason: expect.stringContaining("too late") });
    expect(conversation.state.wave?.approved ?? false).toBe(false);
  });
});

describe("other requests", () => {
  it("are left to the user in supervised mode", async () => {
    dialogs.observe(asked("p1"));
    await settled();
    expect(answers).toEqual([]);
  });

  it("are answered in autopilot, and refused with words while a check-in waits", async () => {
    conversation.dispatch({ type: "command", change: { knob: "mode", value: "autopilot" } });
    dialogs.observe(asked("p0"));
    dialogs.observe(asked("p1", { callId: keyed("edit") }));
    await settled();
    conversation.dispatch({ type: "aborted" });
    dialogs.observe(asked("p2", { callId: keyed("edit") }));
    await settled();
    // Of a request without a call nothing can be told, so it is the user's.
    expect(answers).toEqual([
      ["p1", { once: true }],
      ["p2", { refusal: expect.stringContaining("the user stopped this run") }],
    ]);
  });

  it("end an approved wave when the user says no before the plugin could say yes", async () => {
    conversation.dispatch({ type: "command", change: { knob: "mode", value: "autopilot" } });
    dialogs.observe(asked("p1"));
    dialogs.observe(replied("p1", "reject"));
    await settled();
    expect(conversation.state.rejection).toMatchObject({ answer: "rejected" });
  });

  it("are rejected by nobody where nobody is there to be asked", async () => {
    conversation.canAsk = async () => false;
    dialogs.observe(asked("p1"));
    dialogs.observe(replied("p1", "reject"));
    await settled();
    expect(conversation.state).toMatchObject({ rejection: null, pending: [] });
  });

  it("are not shown after a no, and left for the user until they speak", async () => {
    dialogs.observe(asked("p1", { callId: keyed("edit") }));
    await expect.poll(() => conversation.state.pending.length).toBe(1);
    dialogs.observe(replied("p1", "reject"));
    await expect.poll(() => conversation.parts.turns.now().no).toContain("you said no");
    dialogs.observe(asked("p2", { callId: keyed("edit") }));
    await expect.poll(() => answers).toHaveLength(1);
    expect(JSON.stringify(answers[0])).toMatch(/p2.*nothing is asked now: you said no/);
    expect(conversation.left).toHaveLength(1);
    conversation.userSpoke("message");
    dialogs.observe(asked("p3", { callId: keyed("edit") }));
    await expect.poll(() => conversation.state.pending.length).toBe(1);
    expect(answers).toHaveLength(1);
  });

  it("of sessions that are not GAIA's are left alone", async () => {
    dialogs.observe(asked("p1", { sessionId: "elsewhere" }));
    await settled();
    expect(conversation.state.pending).toEqual([]);
    expect(answers).toEqual([]);
  });
});

describe("a specialist's request, where no client shows it", () => {
  type Given = Awaited<ReturnType<ToolCall["ask"]>>;
  let raised: string[];
  let give: (answer: Given) => void;
  const inChild = { sessionId: "child", callId: keyed("edit") };

  /** The dialog of the root session is shown unless a rule answers it. */
  const ask = async (isShown = true): Promise<void> => {
    const answer = new Promise<Given>((resolve) => {
      give = resolve;
    });
    host.askInSession = (_sessionId, { permission }) => {
      raised.push(permission);
      if (isShown) dialogs.observe(asked("root-p", { permission }));
      return answer;
    };
    dialogs.observe(asked("child-p", inChild));
    await expect.poll(() => raised).toHaveLength(1);
  };

  beforeEach(async () => {
    raised = [];
    const { of } = conversations;
    conversations.of = async (sessionId) => {
      const found = await of("root");
      return found && sessionId === "child"
        ? { ...found, session: { ...found.session, specialist: "hephaestus" } }
        : of(sessionId);
    };
    Object.assign(host, { client: "editor" });
    host.looks.set("child", { busy: true, requests: ["child-p"] });
  });

  it("has the answer that a person gave in the root session, which means nothing there", async () => {
    await ask();
    dialogs.observe(replied("root-p"));
    give({ approved: true });
    await expect.poll(() => answers).toEqual([["child-p", { once: true }]]);
    dialogs.observe({ ...replied("child-p"), sessionId: "child" });
    await expect.poll(() => conversation.state.pending).toEqual([]);
    expect(raised).toEqual([expect.stringContaining("hephaestus asks for")]);
  });

  it.each([
    ["no words", null, ""],
    ["their words", "smaller steps", "smaller steps"],
  ])("has a person's no with %s", async (_name, feedback, refusal) => {
    await ask();
    dialogs.observe(replied("root-p", "reject"));
    give({ approved: false, feedback });
    await expect.poll(() => answers).toEqual([["child-p", { refusal }]]);
    expect(dialogs.deniedBy(keyed("edit"))).toBeNull();
  });

  it.each([true, false])("has no answer of a person's where a rule said %s", async (approved) => {
    await ask(false);
    give({ approved, ...(approved ? {} : { feedback: null }) } as Given);
    await clock.advance(0);
    await clock.advance(2_000);
    await expect
      .poll(() => answers)
      .toEqual([["child-p", { refusal: expect.stringContaining("no client shows") }]]);
    expect(dialogs.deniedBy(keyed("edit"))).toBe("plugin");
    dialogs.observe({ ...replied("child-p", "reject"), sessionId: "child" });
    await clock.advance(0);
    expect(conversation.state.rejection).toBeNull();
    expect(conversation.left).toHaveLength(1);
  });
});

describe("a command", () => {
  const runs = (callId: string, command: string, parts: readonly string[] = [command]): void => {
    const call = runningCall("bash", { command });
    commands.set(callId, {
      ...call,
      callId: keyed(callId),
      sandbox: decision,
      examination: examined("unknown", { commands: parts }),
    });
  };
  const ask = (callId: string, always: readonly string[] = []): void =>
    dialogs.observe(asked(`p-${callId}`, { callId: keyed(callId), kind: "command", always }));

  it("that nobody was asked about has nobody's yes", async () => {
    runs("c1", "> notes.txt", []);
    expect(await dialogs.allowedBy("c1")).toBeNull();
    expect(await dialogs.allowedBy("unknown")).toBeNull();
  });

  it.each([
    ["once", "human"],
    ["reject", null],
  ])("has a person's word at once: %s", async (reply, expected) => {
    runs("c1", "npm i");
    ask("c1");
    dialogs.observe(replied("p-c1", reply));
    expect(await dialogs.allowedBy("c1")).toBe(expected);
  });

  it("has the plugin's yes, which is none of a person's, where its sandbox runs it unasked", async () => {
    decision = { kind: "run", profile: null };
    runs("c1", "npm i");
    ask("c1");
    await settled();
    expect(answers).toEqual([["p-c1", { once: true }]]);
    dialogs.observe(replied("p-c1"));
    expect(await dialogs.allowedBy("c1")).toBe("plugin");
  });

  it("passes for good where a person said always to all it consists of", async () => {
    runs("c1", "npm run fmt");
    ask("c1", ["npm run fmt *"]);
    dialogs.observe(replied("p-c1", "always"));
    runs("c2", "npm run fmt");
    runs("c3", "npm run fmt; node x.mjs", ["npm run fmt", "node x.mjs"]);
    runs("c4", "npm run fmt > a", []);
    runs("c5", "npm run build");
    expect(await dialogs.allowedBy("c2")).toBe("human");
    for (const callId of ["c3", "c4", "c5"]) expect(await dialogs.allowedBy(callId)).toBeNull();
  });
});
