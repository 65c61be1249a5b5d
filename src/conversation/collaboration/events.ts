import type { ApprovalRequest, PlannedWave } from "./approval-kinds.ts";
import type { AgentReport, FileDelta, ToolFact } from "./batch.ts";
import type { KnobSetting } from "../../config/knobs.ts";
import type { NewVerdict } from "./verdicts.ts";

export type UserEvent =
  | { readonly type: "command"; readonly change: KnobSetting }
  | { readonly type: "next" }
  /** A message of the user's own words; not the text that a slash command expands to. */
  | { readonly type: "user-message"; readonly text: string }
  | { readonly type: "aborted" }
  | { readonly type: "taken-back" };

/** Native dialogs. Only what its `-asked` event registered can be answered: no model approves itself (SPEC 2.8). */
export type DialogEvent =
  | {
      readonly type: "permission-asked";
      readonly requestId: string;
      readonly sessionId: string;
      readonly tool: string;
      readonly approval?: ApprovalRequest;
    }
  | {
      readonly type: "permission-replied";
      readonly requestId: string;
      readonly reply: "once" | "always" | "reject";
      /** `plugin` for requests that the plugin answered itself. */
      readonly by: "human" | "plugin";
    }
  /** The words for the rejection that came last, when the host tells them later. */
  | { readonly type: "rejection-explained"; readonly reason: string }
  | {
      readonly type: "question-asked";
      readonly requestId: string;
      readonly questions: readonly string[];
    }
  | {
      readonly type: "question-answered";
      readonly requestId: string;
      readonly answers: readonly (readonly string[])[];
    }
  | { readonly type: "question-dismissed"; readonly requestId: string }
  /** How to work together was asked, and no profile was chosen. */
  | { readonly type: "handshake-closed"; readonly isAnswered: boolean };

/** Work as the plugin's tools and the host report it. None of it approves anything. */
export type WorkEvent =
  | {
      readonly type: "wave-opened";
      readonly workUnit: string;
      readonly wave: string;
      readonly planned?: PlannedWave;
    }
  /** `isReported`: the unit's report follows, which tells what it changed. */
  | {
      readonly type: "wave-completed";
      readonly workUnit: string;
      readonly wave: string;
      readonly isReported?: boolean;
    }
  | { readonly type: "work-unit-changed"; readonly workUnit: string | null }
  | { readonly type: "tool-finished"; readonly fact: ToolFact }
  /** Files were changed by several calls that cannot be told apart, or by one that failed. */
  | { readonly type: "files-changed"; readonly files: readonly FileDelta[] }
  | { readonly type: "delegation-started"; readonly sessionId: string }
  | {
      readonly type: "delegation-finished";
      readonly sessionId: string;
      /** false only for a task that failed; `partial` is ok. */
      readonly ok: boolean;
      readonly report?: AgentReport;
    }
  | { readonly type: "reviewed"; readonly given: NewVerdict }
  | { readonly type: "work-changed"; readonly workUnit: string }
  | {
      readonly type: "checks-ran";
      readonly checks: { readonly passed: boolean; readonly lines: readonly string[] };
    }
  | { readonly type: "evidence-judged"; readonly line: string }
  /** The pipeline cannot go on without the user. */
  | { readonly type: "blocked"; readonly reason: string; readonly nextStep: string }
  | { readonly type: "turn-ended" }
  | { readonly type: "session-ended"; readonly sessionId: string }
  /** Time passed; needed every few seconds while work goes on, so that the minute budget is seen. */
  | { readonly type: "tick" };

export type ConversationEvent = UserEvent | DialogEvent | WorkEvent;

/** Everything that can change the state. `at` is in milliseconds and never goes back. */
export type CollaborationEvent = ConversationEvent & { readonly at: number };

export type EventOf<Type extends ConversationEvent["type"]> = Extract<ConversationEvent, { type: Type }>;
