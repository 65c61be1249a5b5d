import type { ToolCall } from "../../host/port.ts";
import type { Dialogs } from "../approvals/dialogs.ts";
import type { Checks } from "../checks/checks.ts";
import type { Conversation } from "../conversation.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Part } from "../part.ts";
import type { Reviews } from "../reviews/reviews.ts";
import type { ConversationServices } from "../services.ts";
import { offer, request, typed } from "./steps.ts";

/** What the user asked for, and what of it was on their screen. */
export interface Wish {
  readonly unit: string;
  readonly wantsDraft: boolean;
  readonly shown: string;
}

/** What pull requests are made with. */
export interface PullRequestInput {
  readonly services: Pick<ConversationServices, "host" | "workspace" | "treeOf" | "clock" | "redact">;
  readonly evidence: Pick<Evidence, "standing">;
  readonly checks: Pick<Checks, "standing">;
  readonly reviews: Pick<Reviews, "closing">;
  wish(wish: Wish): void;
}

/** Pull requests of this conversation: only what the user has asked for can be put to them (SPEC 2.7). */
export interface PullRequests extends Part {
  /** The user wants one, of this unit. @returns why there is none; else what they and GAIA are told */
  typed(
    unit: string | undefined,
    wantsDraft: boolean,
  ): Promise<string | { forUser: string; forModel: string; isWished: boolean }>;
  /** A unit is closed: the last steps for GAIA, with a pull request where there can be one. */
  offer(unit: string): Promise<string>;
  /** Has the user asked about what they wished for, once, and does exactly that. @returns a refusal, or what came of it */
  request(conversation: Conversation, dialogs: Dialogs, call: ToolCall): Promise<object>;
}

export function createPullRequests(given: Omit<PullRequestInput, "wish">): PullRequests {
  let wished: Wish | null = null;
  const input: PullRequestInput = { ...given, wish: (wish) => (wished = wish) };
  return {
    typed: async (...wish) => typed(input, ...wish),
    offer: async (unit) => offer(input, unit),
    async request(...call) {
      const wish = wished;
      wished = null;
      return request(input, wish, ...call);
    },
    userSpoke(how) {
      // Before the dialog GAIA may ask them something.
      if (how !== "answer") wished = null;
    },
  };
}
