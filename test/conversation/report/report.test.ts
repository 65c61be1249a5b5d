import { beforeEach, describe, expect, it } from "vitest";
import {
  decideVerdict,
  EXIT_CODES,
  HELD,
  renderEndVerdict,
  type EndFacts,
} from "../../../src/conversation/report/verdict.ts";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { readCases } from "../../support/cases.ts";
import { createFakeHost, sessionOf } from "../../support/fake-host.ts";
import { createTestServices, openConversation, type TestServices } from "../../support/services.ts";
import type { OneShotEnd } from "../../../src/host/port.ts";

interface VerdictCase {
  readonly name: string;
  readonly facts: Partial<EndFacts>;
  readonly outcome?: keyof typeof EXIT_CODES;
  readonly why?: string;
  /** As it is rendered. */
  readonly line?: string;
}

it.each(readCases<VerdictCase>("conversation/report/verdicts"))(
  "the verdict on $name",
  ({ facts, outcome, why, line }) => {
    const verdict = decideVerdict(facts);
    expect(renderEndVerdict(verdict)).toBe(line ?? renderEndVerdict(verdict));
    if (outcome !== undefined) expect(verdict).toMatchObject({ outcome, why, exitCode: EXIT_CODES[outcome] });
  },
);

describe("the report of a run of OpenCode", () => {
  let printed: string[];
  let tell: (signal: NodeJS.Signals | null) => OneShotEnd | null;
  let conversation: Conversation;
  let services: TestServices;
  beforeEach(async () => {
    printed = [];
    tell = () => null;
    const host = createFakeHost();
    host.stored.set("root", sessionOf("root", { canAsk: false }));
    services = createTestServices({
      host: Object.assign(host, {
        oneShot: {
          print: (text: string) => void printed.push(text),
          atEnd: (next: typeof tell) => {
            tell = next;
          },
          settled: () => undefined,
        },
      }),
    });
    conversation = (await openConversation(services, "root")).conversation;
    conversation.dispatch({ type: "user-message", text: "Build it" });
  });
  const told = (signal: NodeJS.Signals | null = null): OneShotEnd | null => tell(signal);

  it("says nothing of a conversation in which nothing was to be done", () => {
    expect(told()).toMatchObject({ exitCode: 0, text: "", facts: { outcome: "done", delegations: 0 } });
  });

  it("says how to go on where a signal ends it", () => {
    expect(told("SIGTERM")).toMatchObject({
      exitCode: 143,
      text: expect.stringMatching(
        /^GAIA: stopped: SIGTERM · 0 delegations [^\n]*\nGo on: opencode run --session root --agent gaia "go on"$/,
      ),
      facts: { outcome: "stopped", exit_code: 143, why: "SIGTERM" },
    });
  });

  const tokens = { input: 900, output: 100, cached: 0 };
  const ids = { sessionId: "root", messageId: "m" };

  it.each([
    ["nothing at all", "", { outcome: "failed", why: "the model gave an empty answer" }],
    ["blanks", " \n", { outcome: "failed", why: "the model gave an empty answer" }],
    ["a word", "No.", { outcome: "done", why: "" }],
  ])("fails where the model answers with %s, until the user is answered", (_name, text, facts) => {
    const answer = (said: string): void => {
      conversation.each((part) => {
        part.observe?.({ type: "text.finished", ...ids, partId: "p", text: said }, true);
        part.observe?.({ type: "message.finished", ...ids, isAnswer: true, tokens, cost: 0 }, true);
      });
    };
    answer(text);
    expect(told()).toMatchObject({ facts });
    conversation.userSpoke("message");
    answer("Here I am.");
    expect(told()).toMatchObject({ facts: { outcome: "done" } });
  });

  it("says what was left, with what GAIA herself has used", () => {
    conversation.each((part) =>
      part.observe?.({ type: "text.finished", ...ids, partId: "p", text: "Hm." }, true),
    );
    conversation.each((part) =>
      part.observe?.({ type: "message.finished", ...ids, isAnswer: true, tokens, cost: 0.5 }, true),
    );
    const place = { root: "root", session: "root", agent: "gaia", model: null, unit: null, wave: null };
    services.ledger.note({ kind: "spent", at: 0, ...place, requests: 1, ...tokens, cost: 0.5 });
    conversation.leave("git push reaches others");
    expect(told()).toMatchObject({
      exitCode: 3,
      facts: { left: ["git push reaches others"], tokens: 1_000, cost: 0.5 },
    });
    expect(told()?.text).toMatch(
      /^GAIA: refused: [^]*1\.0k tokens · \$0\.50\nLeft for you: git push reaches others$/,
    );
  });

  it("tells of what is left once, keeps so much, and forgets it when the user writes", () => {
    const word = "`git push` reaches beyond the project";
    conversation.leave(word);
    conversation.leave(word);
    expect(conversation.takeLines()).toEqual([expect.stringContaining("Left for you")]);
    conversation.userSpoke("answer");
    expect(conversation.left).toEqual([word]);
    conversation.userSpoke("message");
    expect(conversation.left).toEqual([]);
    for (let index = 0; index < 100; index++) conversation.leave(`${index}${"x".repeat(1_000)}`);
    expect(conversation.left).toHaveLength(20);
    expect(Math.max(...conversation.left.map((line) => line.length))).toBeLessThanOrEqual(200);
  });

  it("takes the last run of a plan for what came of it, a refused one as well", () => {
    const end = (result: object, op = "run"): void =>
      conversation.parts.report.ended("plan_gaia", { op }, result);
    end({ ok: false, status: "decision", why: "Task 1 failed." });
    expect(told()).toMatchObject({ exitCode: 1, facts: { why: "Task 1 failed" } });
    end({ ok: true }, "read_work_unit");
    expect(told()?.exitCode).toBe(1);
    conversation.userSpoke("message");
    end({ ok: false, status: "user", why: "The user stopped the run." });
    expect(told()).toMatchObject({
      exitCode: 2,
      facts: { why: expect.stringContaining("You stopped the run") },
    });
    end({ ok: true, status: "finished" });
    expect(told()?.exitCode).toBe(0);
  });

  it("is one of an error only where nothing came after it", () => {
    const failure = { reason: "other" as const, message: "Overloaded", promptSaved: true };
    conversation.each((part) => part.observe?.({ type: "session.error", sessionId: "root", failure }, true));
    const finish = (rest: object): void => {
      const spent = { tokens: { input: 1, output: 0, cached: 0 }, cost: 0 };
      const message = { sessionId: "root", messageId: "m", isAnswer: false, ...spent, ...rest };
      conversation.each((part) => part.observe?.({ type: "message.finished", ...message }, true));
    };
    // The message that the error has ended comes behind it.
    finish({ isFailed: true });
    expect(told()).toMatchObject({ exitCode: 1, text: expect.stringContaining("Overloaded") });
    finish({});
    expect(told()?.exitCode).toBe(0);
    const held = { ...failure, message: `${HELD}the budget of today is used up.` };
    conversation.each((part) =>
      part.observe?.({ type: "session.error", sessionId: "root", failure: held }, true),
    );
    expect(told()).toMatchObject({ exitCode: 2, facts: { why: "the budget of today is used up" } });
  });

  it("is none of what OpenCode says once the turn is over", () => {
    const failure = { reason: "other" as const, message: 'Agent not found: "gaia"', promptSaved: true };
    const error = { type: "session.error", sessionId: "root", failure } as const;
    const status = (to: "busy" | "idle"): void =>
      conversation.each((part) =>
        part.observe?.({ type: "session.status", sessionId: "root", status: to }, true),
      );
    status("busy");
    status("idle");
    conversation.each((part) => part.observe?.(error, true));
    expect(told()?.exitCode).toBe(0);
    status("busy");
    conversation.each((part) => part.observe?.(error, true));
    expect(told()?.exitCode).toBe(1);
  });

  it("prints at once what would be a toast or a note elsewhere, and each once", async () => {
    conversation.show({ kind: "refused", line: "✗ not done", tone: "warning", isLoud: true });
    conversation.outbox.note("Report");
    await conversation.outbox.flush();
    expect(printed).toEqual(["✗ not done", "Report"]);
  });

  it("asks nobody, also where OpenCode does not tell of the session", async () => {
    expect(await conversation.canAsk()).toBe(false);
  });
});
