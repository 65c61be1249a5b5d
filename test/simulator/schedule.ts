/** One schedule: everything that the user, the models and chance do. Plain data, so that it is printed and shrunk. */
export interface Schedule {
  readonly mode: "supervised" | "autopilot" | "locked";
  readonly interaction: "standard" | "pair";
  readonly cadence: "step" | "batch" | "wave" | "milestone";
  /** What the project calls done: nothing, a file that a specialist can write, or a command. */
  readonly done: "none" | "artifact" | "command";
  /** One, or two at the same time in the same project, each with a unit of its own. */
  readonly conversations: readonly Conversation[];
  /** The same of each specialist's session, in the order in which they begin; the last one repeats. */
  readonly specialists: readonly (readonly SpecialistMove[])[];
  readonly dialogs: readonly DialogAnswer[];
  readonly questions: readonly QuestionAnswer[];
  readonly events: readonly EventFault[];
  readonly calls: readonly CallFault[];
  readonly restarts: readonly Restart[];
}

/** What happens in one conversation. */
export interface Conversation {
  readonly user: readonly UserStep[];
  /** What GAIA's model does, one per request; after the last it ends its turns. */
  readonly gaia: readonly GaiaMove[];
}

/** What the user does, and how long after the step before. */
export interface UserStep {
  readonly after: number;
  readonly act:
    | { readonly do: "say"; readonly text: string }
    | { readonly do: "command"; readonly name: string; readonly words: string }
    | { readonly do: "esc"; readonly child: number | null }
    | { readonly do: "delete"; readonly child: number | null }
    /** Takes back what they said last and what came of it. */
    | { readonly do: "undo" };
}

const UNIT_COMMANDS = new Set(["gaia-plan", "gaia-work", "gaia-unify"]);

/** Whether the user types a command about a unit, which in a conversation without one is about the active one. */
export function usesUnitCommand({ conversations }: Schedule): boolean {
  return conversations
    .flatMap(({ user }) => user)
    .some(({ act }) => act.do === "command" && UNIT_COMMANDS.has(act.name));
}

export type Wave = "w1" | "w2" | "none";

export interface Handing {
  readonly agent: string;
  readonly background: boolean;
  readonly wave: Wave;
  readonly resume: boolean;
}

/** One request to GAIA's model, and what it makes of it. */
export type GaiaMove =
  | { readonly does: "delegate"; readonly to: readonly Handing[] }
  | {
      readonly does: "collect";
      readonly ids: "none" | "last" | "all" | "unknown";
      readonly wait: number;
      readonly until: "any" | "all";
      readonly cancel: boolean;
    }
  | { readonly does: "plan"; readonly op: PlanOp; readonly wave: Wave }
  | { readonly does: "shell"; readonly command: string }
  | { readonly does: "edit" }
  | { readonly does: "question"; readonly header: string }
  | { readonly does: "todos"; readonly open: number }
  | { readonly does: "nonsense"; readonly tool: string }
  | { readonly does: "say"; readonly text: string }
  /** Calls tools for as long as it is let. */
  | { readonly does: "loop"; readonly isVaried: boolean }
  | Trouble;

export type PlanOp =
  | "create"
  | "plan"
  | "empty-plan"
  | "tick"
  | "complete"
  | "approved"
  | "read"
  | "open_wave"
  | "complete_wave"
  | "ask-plan"
  | "commit"
  | "ask-verification"
  | "verify"
  | "set_active"
  | "archive";

export type SpecialistMove =
  | { readonly does: "answer"; readonly how: Answer }
  | { readonly does: "edit"; readonly file: string }
  | { readonly does: "shell"; readonly command: string }
  | { readonly does: "question"; readonly header: string }
  /** Calls again and again, however they end; `varied` reads another file each time. */
  | { readonly does: "loop"; readonly call: "read" | "varied" | "edit" | "shell" }
  | Trouble;

/** How a specialist ends its work. */
export type Answer =
  | "ok"
  | "not-ok"
  | "approve"
  | "reject"
  | "blocked"
  | "bare-verdict"
  | "contradiction"
  | "no-json"
  | "half-json"
  | "empty"
  | "asks"
  | "assumes"
  | "wrong-types";

export type Trouble =
  | { readonly does: "fail"; readonly error: "429" | "500" | "401" | "context" | "content" | "timeout" }
  /** The provider is busy this many times; OpenCode tries again by itself. */
  | { readonly does: "busy"; readonly times: number }
  | { readonly does: "hang" }
  | { readonly does: "slow"; readonly ms: number };

/** How the user answers a dialog: `never` until everything else has ended. */
export interface DialogAnswer {
  readonly after: number;
  readonly reply: "once" | "always" | "reject" | "words" | "never";
  readonly twice: boolean;
}

export interface QuestionAnswer {
  readonly after: number;
  readonly reply: "first" | "last" | "own words" | "reject" | "never";
}

/** What happens to the n-th event on its way to the plugin. */
export interface EventFault {
  readonly at: number;
  readonly how: "lost" | "doubled" | "late";
  readonly ms: number;
}

/** What happens to the n-th call of the plugin's to OpenCode. */
export interface CallFault {
  readonly at: number;
  readonly how: "fails" | "throws" | "hangs" | "late" | "done but unanswered";
  readonly ms: number;
}

/** OpenCode ends after the n-th event, and is started again. */
export interface Restart {
  readonly at: number;
  readonly how: "kill" | "dispose";
}
