import { beforeEach, describe, expect, it, vi } from "vitest";
import { isEditor } from "../../../src/agents/define.ts";
import { SPECIALISTS } from "../../../src/agents/registry.ts";
import { readResult } from "../../../src/delegation/read-result.ts";
import { ended, type Task } from "../../../src/delegation/task.ts";
import { taskOf } from "../../support/task.ts";
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
      specialistOf: (name) => {
        const found = SPECIALISTS.find((each) => each.name === name);
        return found && { ...found, models: [], mutates: isEditor(found.access) };
      },
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
  /** How the work stands after these have ended, one after the other or side by side. */
  const after = (ends: readonly (Partial<Task> & { readonly ok?: boolean })[]): string => {
    for (const [at, { ok = true, ...given }] of ends.entries()) {
      const envelope = { ok, data: {}, errors: ["I could not"] };
      const place = { agent: "hephaestus", sessionId: `s${at}`, endedAt: at + 1 };
      const task = taskOf({
        ...place,
        outcome: { ...ended("completed", ""), envelope },
        queuedAt: at + 1,
        ...given,
      });
      conversation.each((part) => part.delegationFinished?.(task, true));
    }
    const { outcome, why, proof } = (told()?.facts ?? {}) as Record<string, string>;
    return [outcome, why || proof].filter(Boolean).join(": ");
  };
  const failed = { title: "One", outcome: ended("failed", "It broke off") };
  const words = { text: "Well.", failure: null };
  const unreadable = { outcome: readResult(SPECIALISTS[0]!.contract!, words, words) };
  const BROKEN = "failed: hephaestus › One: It broke off";

  it.each<[string, Parameters<typeof after>[0], string]>([
    ["that nobody put right", [failed, { title: "Two" }], BROKEN],
    ["that one beside it did not put right", [{ ...failed, endedAt: 9 }, { title: "One" }], BROKEN],
    ["behind which a reader came", [failed, { agent: "minerva" }], BROKEN],
    ["that was put right in its session", [failed, { sessionId: "s0" }], "done: unproven"],
    ["that was put right with the same goal", [failed, { title: "One" }], "done: unproven"],
    ["that says it was not done", [{ ok: false }], "failed: hephaestus: I could not"],
    [
      "of an editor that cannot be read",
      [unreadable],
      "failed: hephaestus: The result did not fit the contract, even after one repair",
    ],
    ["of a reader that cannot be read", [{ agent: "minerva", ...unreadable }], "done"],
    ["of a reader that failed", [{ agent: "minerva", ...failed }], "failed: minerva › One: It broke off"],
    ["that was called off", [{ outcome: ended("cancelled", "Stopped.") }], "done: unproven"],
  ])("judges each delegation: one %s", (_name, ends, line) => {
    expect(after(ends)).toBe(line);
  });

  it("names background work whose end GAIA was not given, however it ended", () => {
    const now = services.clock.now();
    const lost = taskOf(
      { agent: "apollo", title: "Look", background: true, outcome: ended("cancelled", "Closing.") },
      now,
    );
    vi.spyOn(services.engine.tasks, "ofParent").mockReturnValue([lost]);
    expect(told()).toMatchObject({
      exitCode: 2,
      facts: { outcome: "blocked", why: "still at work: apollo › Look" },
    });
    conversation.parts.delegations.handOut([lost.id], "c");
    expect(told()).toMatchObject({ facts: { outcome: "done" } });
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
