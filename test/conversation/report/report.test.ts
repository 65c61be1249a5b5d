import { beforeEach, describe, expect, it } from "vitest";
import {
  decideVerdict,
  EXIT_CODES,
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
});
