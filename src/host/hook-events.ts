import type { UserDenies } from "../config/user-denies.ts";
import type { HostEvent, ModelId, CallKey } from "./port.ts";
import type { PreparedCall } from "./tool.ts";
import type { ToolEffect, ToolOutcome, ToolTarget } from "./tool-call.ts";

/** The moments at which a hook can stand, with what it is given there to read and to change. */
export interface HookEvents {
  /** The host reads its configuration. */
  configuration: Configuration;
  /** Something happened; nobody waits for the hook. */
  "host-event": HostEvent;
  /** A message of the user's, or one that stands for it, is about to be sent. */
  "user-message": UserMessage;
  /** A slash command was typed; its message follows. */
  "command-typed": {
    readonly sessionId: string;
    readonly name: string;
    readonly argumentText: string;
    /** Sends this in place of the command's template. */
    send(text: string): void;
  };
  "before-tool": IncomingCall;
  "after-tool": FinishedCall;
  /** The shell of a command is about to start. */
  "shell-environment": ShellEnvironment;
  /** A request goes to a model: its system prompt. */
  "before-request": SystemPrompt;
  "request-parameters": RequestParameters;
  /** A conversation is about to be summarised. */
  compaction: {
    readonly sessionId: string;
    /** Tells the model that writes the summary. */
    add(text: string): void;
  };
  /** A text of the model's is complete, and not stored yet. */
  "answer-text": {
    readonly sessionId: string;
    readonly text: string;
    replace(text: string): void;
  };
}

export type HookEvent = keyof HookEvents;

export type PermissionAction = "allow" | "ask" | "deny";
/** By tool, whole or by pattern; of all rules that match, the last one counts. */
export type PermissionRules = Record<string, PermissionAction | Record<string, PermissionAction>>;

/**
 * What the host calls what stands in our rules under no common word: files `outside` of the project, the same call in `repetition`,
 * what it makes of a `malformed` call whose arguments are no JSON, and the skill about itself that it brings along.
 */
export type PermissionNames = Readonly<
  Record<"command" | "web" | "todos" | "outside" | "repetition" | "malformed" | "ownSkill", string>
>;

/** An agent as it is registered. */
export interface AgentEntry {
  readonly mode: "primary" | "subagent";
  readonly description: string;
  readonly prompt: string;
  readonly model?: ModelId;
  readonly temperature: number;
  readonly steps?: number;
  readonly permission: PermissionRules;
}

/** What the plugin registers with its host. */
export interface Registration {
  readonly agents: Readonly<Record<string, AgentEntry>>;
  readonly commands: Readonly<Record<string, { template: string; description: string; agent?: string }>>;
  /** Our tools: hidden from every agent but those of the plugin that may use them. */
  readonly tools: readonly string[];
}

/** What the user's own configuration says of the things that were registered. */
export interface Registered {
  /** Names of commands that the user has defined. */
  readonly commands: readonly string[];
  /** Places that the user's rules deny to everybody. */
  readonly denied: UserDenies;
  readonly agents: readonly {
    readonly name: string;
    readonly model: ModelId | null;
    /** The bound on its turns that the user set; null for none. */
    readonly steps: number | null;
    /** Whether there are rules for files by where they lie in the project. */
    readonly rulesPaths: boolean;
    /** As it is sent, the user's own changes included. */
    readonly prompt: string;
  }[];
}

export interface Configuration {
  /** What the user wrote wins. */
  register(registration: Registration): Registered;
}

export interface UserMessage {
  readonly sessionId: string;
  readonly agent: string;
  /** The model that it goes to. */
  readonly model: ModelId;
  /** What the user wrote, and the files they attached; null when no part of it is theirs. */
  readonly said: { readonly text: string; readonly files: readonly string[] } | null;
  useModel(model: ModelId): void;
  /** Has another agent answer it. */
  useAgent(agent: string): void;
  /** Adds a text at the end for the model only; it is kept with the message, so that later requests repeat the same bytes (SPEC 2.6). */
  appendForModel(text: string): void;
  /** The message says this in place of what the user wrote, for them and for the model. */
  reword(text: string): void;
  /** Shows the user this in place of what the message says; the model does not get to see it. */
  showInstead(text: string): void;
}

/** Another folder that stands for one of the host's. */
export interface Move {
  /** Where the host runs, to which paths are relative. */
  readonly at: string;
  readonly from: string;
  readonly to: string;
}

interface HookedCall {
  readonly callId: CallKey;
  readonly sessionId: string;
  /** The host's name of the tool. */
  readonly tool: string;
  /** As the model gave them, unchecked; to be read for the plugin's own tools only. */
  readonly args: Readonly<Record<string, unknown>>;
  readonly effect: ToolEffect;
}

/** A call that waits to run. */
export interface IncomingCall extends HookedCall {
  readonly target: ToolTarget;
  /** Has it work in another folder; before anyone asks what it does. */
  moveInto(move: Move): void;
  /** Has a call of one of the plugin's own tools for files do this; from here on its `effect`, at its end as well. */
  carryOut(prepared: PreparedCall): void;
  /** Has these questions asked in place of the model's, who goes on to know the call as they made it. */
  askInstead(questions: readonly object[]): Promise<void> | void;
}

/** A call that ended well: the host has no hook for one that failed. */
export interface FinishedCall extends HookedCall {
  /** What the tool itself told, whatever was added to it. */
  readonly outcome: ToolOutcome;
  /** Puts a mark behind the number of each line of a file that it shows; nothing where `markOf` says null. */
  markLines(markOf: (line: number, text: string) => string | null): void;
  /** Puts words for the model at the end of what it is shown. */
  add(lines: readonly string[]): void;
  /** Changes every text in what the model is shown, of a result in parts as well. */
  rewrite(change: (text: string) => string): void;
}

export interface ShellEnvironment {
  readonly sessionId: string;
  /** Of the call whose command it runs; null for a terminal of the user's. */
  readonly callId: CallKey | null;
  /** The folder in which it starts. */
  readonly folder: string;
  /** Sets a variable for this shell only. */
  set(name: string, value: string): void;
}

export interface SystemPrompt {
  /** null for a request outside of any session. */
  readonly sessionId: string | null;
  readonly parts: readonly string[];
  add(text: string): void;
  /** Says a text with which the prompt begins at its end instead; does nothing where it begins otherwise. */
  moveToEnd(opening: string): void;
}

export interface RequestParameters {
  readonly sessionId: string;
  readonly agent: string;
  /** Whether the host asks for something of its own, a title or a summary, and not for the agent's next step. */
  readonly isSide: boolean;
  /** @param tokens the most that the model may write */
  limitOutput(tokens: number): void;
  /** How much the model thinks; each reaches only the models that understand it. */
  reason(amount: { readonly effort?: string | undefined; readonly budget?: number | undefined }): void;
}

/** One hook of the plugin. Several may stand at the same event; the registry's order is their order. */
export interface HookDefinition<Event extends HookEvent = HookEvent> {
  /** The file's name; also the log tag. */
  readonly id: string;
  readonly event: Event;
  /** Why it stands where it stands in the order. */
  readonly why: string;
  /** `open`: a failure is logged and the turn goes on. `closed`: a failure denies (SPEC 2.4). */
  readonly onFailure: "open" | "closed";
  run(payload: HookEvents[Event]): Promise<void> | void;
}

/** All hooks of each event as one function; an event at which none stands has none. */
export type HookHandlers = {
  readonly [Event in HookEvent]?: (payload: HookEvents[Event]) => Promise<void>;
};

/** A hook that refuses on purpose throws this; its message is what the model is told. */
export class Denial extends Error {
  override readonly name = "Denial";
}

/** Keeps a hook's event and types together when hooks are listed side by side; what is no gate fails open. */
export function defineHook<Event extends HookEvent>(
  definition: Omit<HookDefinition<Event>, "onFailure" | "why"> & Partial<HookDefinition<Event>>,
): HookDefinition {
  return { onFailure: "open", why: "the only hook at this event", ...definition };
}
