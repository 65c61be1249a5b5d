import type { HostEvent } from "../../host/port.ts";
import { bounded } from "../../lib/bounded.ts";
import type { Clock } from "../../lib/clock.ts";
import { matchesWildcard } from "../../lib/wildcard.ts";
import type { RunningCall } from "../tool-calls/tool-fact.ts";

/** Who said yes to a command; null for nobody. */
export type AnsweredBy = "human" | "plugin" | null;

/** The answers to OpenCode's requests for commands. */
export interface CommandAnswers {
  asked(event: Extract<HostEvent, { type: "permission.asked" }>): void;
  replied(event: Extract<HostEvent, { type: "permission.replied" }>, by: "human" | "plugin"): void;
  /** Waits for an answer that OpenCode is still telling of. May be asked again. */
  by(callId: string, call: RunningCall | undefined): Promise<AnsweredBy>;
}

/** How long OpenCode's event may be behind the answer that it tells of, in milliseconds. */
const EVENT_LIMIT_MS = 2_000;
/** Commands that are remembered. */
const MAX_COMMANDS = 200;

export function createCommandAnswers(clock: Clock): CommandAnswers {
  const commands = new Map<
    string,
    {
      readonly requestId: string;
      readonly always: readonly string[];
      readonly answer: Promise<AnsweredBy>;
      readonly settle: (by: AnsweredBy) => void;
    }
  >();
  /** What a person has let pass for good; OpenCode asks about it no more. */
  const forGood = new Set<string>();

  const passesForGood = (call: RunningCall | undefined): boolean => {
    const { commands: own = [] } = call?.examination ?? {};
    const isForGood = (command: string): boolean =>
      [...forGood].some((pattern) => matchesWildcard(command, pattern));
    return own.length > 0 && own.every(isForGood);
  };

  return {
    asked({ requestId, callId, always }) {
      let settle: (by: AnsweredBy) => void = () => undefined;
      const answer = new Promise<AnsweredBy>((done) => {
        settle = done;
      });
      commands.set(callId ?? "", { requestId, always, answer, settle });
      const [oldest] = commands.keys();
      if (commands.size > MAX_COMMANDS && oldest !== undefined) commands.delete(oldest);
    },
    replied({ requestId, reply }, by) {
      const command = [...commands.values()].find((each) => each.requestId === requestId);
      if (reply === "always" && by === "human")
        for (const pattern of command?.always ?? []) forGood.add(pattern);
      command?.settle(reply === "reject" ? null : by);
    },
    async by(callId, call) {
      const command = commands.get(callId);
      if (command === undefined) return passesForGood(call) ? "human" : null;
      // What OpenCode says nothing of is taken for the plugin's own yes, which allows less.
      return bounded(command.answer, EVENT_LIMIT_MS, clock, "the answer to a command").catch(() => "plugin");
    },
  };
}
