import type { Logger } from "../lib/error.ts";
import type { PermissionNames } from "./hook-events.ts";
import type { ToolEffect } from "./tool-call.ts";

/** `provider/model`, the way users write it in config files. The model part may itself hold slashes. */
export type ModelId = string;

/** The models that this OpenCode can use now, and what it would use by itself. */
export interface ModelFacts {
  readonly model: ModelId;
  readonly reasoning: boolean;
  /** Dollars for a million tokens of output; 0 where it is free or not known. */
  readonly price: number;
  readonly context: number;
  /** When it came out, in milliseconds since 1970; 0 where that is not known. */
  readonly released: number;
}

export interface ModelCatalog {
  /** Empty where OpenCode did not say. */
  readonly available: ReadonlySet<ModelId>;
  /** What OpenCode knows of those that read and write text and call tools, which is what an agent's work needs. */
  readonly facts: readonly ModelFacts[];
  /** OpenCode's own default model, when it can be told. */
  readonly fallback: ModelId | null;
}

/** Why a model's turn failed, as far as the host itself says: `content` was cut at its length, `other` is all that it does not place. */
export type FailureReason =
  | "auth"
  | "not-found"
  | "server"
  | "context-overflow"
  | "aborted"
  | "content"
  | "other";

/** A model turn's failure. */
export interface HostFailure {
  readonly reason: FailureReason;
  readonly message: string;
  /** HTTP status of the provider's answer, when there was one. */
  readonly statusCode?: number;
  /** Whether OpenCode saved the prompt before it failed, so that a retry in the same session need not repeat it. */
  readonly promptSaved: boolean;
}

export interface TokenUse {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** What came back from one prompt: the last assistant message of the loop it started. */
export interface HostTurn {
  readonly text: string;
  readonly failure: HostFailure | null;
}

/** Which agent and model a message is sent as. A null model leaves the choice to OpenCode. */
export interface Speaker {
  readonly agent: string;
  readonly model: ModelId | null;
}

export interface HostSession {
  readonly id: string;
  readonly parentId: string | null;
  readonly title: string;
  readonly metadata: Record<string, unknown>;
  /** Whether someone can answer questions there; `opencode run` forbids them. */
  readonly canAsk: boolean;
  /** All tokens that the session has used so far. */
  readonly tokens: TokenUse;
  /** US dollars as OpenCode computes them; 0 for models without prices. */
  readonly cost: number;
  /** The user has taken back the messages from this one on (/undo), and can have them back until the next is written; null for none. */
  readonly takenBackTo: string | null;
}

/** An assistant or user message of a stored session, reduced to what the plugin reads. */
export interface HostMessage {
  readonly role: "user" | "assistant";
  readonly agent: string;
  readonly model: ModelId | null;
  readonly turn: HostTurn;
  /** Whether the message is finished; false for one that was cut off by a crash. */
  readonly completed: boolean;
  /** Whether it ended with calls of tools, so that more has to come before it is an answer. */
  readonly goesOn?: boolean;
}

/** A message in the user's place. */
export interface SpokenMessage {
  readonly id: string;
  /** What they wrote in it, what stands for an attachment left out; null where the plugin wrote all of it. */
  readonly words: string | null;
}

export interface PromptRequest {
  readonly sessionId: string;
  readonly speaker: Speaker;
  readonly text: string;
}

/** Sessions of OpenCode. Every call is bounded by the adapter, except `prompt`, which its caller bounds. */
export interface HostSessions {
  create(input: {
    /** null for a session of its own, which the user can write in: the terminal shows a child without a prompt line. */
    parentId: string | null;
    title: string;
    agent: string;
    metadata?: Record<string, unknown>;
    /** A folder outside of the project in which it may work without being asked for the place. */
    opens?: string | undefined;
    /** Permissions whose tools its agent has, and this session has not. */
    without?: readonly string[] | undefined;
  }): Promise<HostSession>;
  /** null when there is no such session. @throws GaiaError when OpenCode does not tell */
  get(sessionId: string): Promise<HostSession | null>;
  /** Runs one prompt to the end of its loop. Never rejects for a model's failure: see {@link HostTurn.failure}. */
  prompt(request: PromptRequest): Promise<HostTurn>;
  abort(sessionId: string): Promise<void>;
  /** The sessions whose parent it is, in any order. @throws GaiaError when OpenCode does not tell */
  children(sessionId: string): Promise<HostSession[]>;
  messages(sessionId: string): Promise<HostMessage[]>;
  /** The messages in the user's place, the oldest first, those that they have taken back included. */
  spoken(sessionId: string): Promise<SpokenMessage[]>;
  /** Takes messages back from this one on, as /undo does; with null the user has all of them back. */
  takeBack(sessionId: string, messageId: string | null): Promise<void>;
  /** What a session does right now, asked directly: for when an event may have been missed. */
  look(sessionId: string): Promise<{
    busy: boolean;
    /** Permission and question requests of this session that wait for the user; null when OpenCode cannot list them. */
    requests: readonly string[] | null;
  }>;
  /** Replaces these keys of the session's metadata and keeps the others; a key whose value is undefined goes. */
  setMetadata(sessionId: string, values: Readonly<Record<string, unknown>>): Promise<void>;
  /**
   * Shows text in the session's transcript; no model ever sees it, and no turn begins or changes hands for it.
   * @param since when there was something to tell, in milliseconds: what the user says later comes behind it
   */
  note(sessionId: string, speaker: Speaker, text: string, since: number): Promise<void>;
  /** Adds a message that the model sees at its next step, and starts a turn when the session is idle. */
  wake(sessionId: string, speaker: Speaker, text: string): Promise<void>;
}

/** A skill as the host finds it. */
export interface HostSkill {
  readonly name: string;
  /** In its author's words; may be empty. */
  readonly about: string;
  /** The file that holds it; no absolute path for one that the host brings along. */
  readonly location: string;
}

/** What the rest of the plugin needs from OpenCode, in our own words. Only `src/host` knows more. */
export interface Host {
  /** The directory that OpenCode was started in. */
  readonly directory: string;
  /** The folder whose `.gaia` counts: `directory`, or one above it in the repository. */
  readonly project: string;
  /** The root of the repository around it; the same as `directory` outside a repository. */
  readonly worktree: string;
  readonly logger: Logger;
  /** null where the process goes on after a request. */
  readonly oneShot: OneShot | null;
  readonly client: ClientKind;
  readonly permissionNames: PermissionNames;
  /** Where the host's own server listens at this moment; null where it does not say. */
  address(): { readonly host: string; readonly port: number } | null;
  /** The absolute path of the shell in which the host runs commands. */
  shell(): string;
  readonly sessions: HostSessions;
  /** Never rejects: an OpenCode that does not answer has no models. */
  models(): Promise<ModelCatalog>;
  /** The skills of its folders and configuration; null where it does not tell. Never rejects. */
  skills(): Promise<readonly HostSkill[] | null>;
  /** The formatters that the host runs behind its own edits, with the endings of their files; null where it does not tell. Never rejects. */
  formatters(): Promise<readonly { readonly name: string; readonly endings: readonly string[] }[] | null>;
  /** Whether its own language servers are on. */
  hasLanguageServers(): boolean;
  /** OpenCode's version; null when it does not say. Never rejects. */
  version(): Promise<string | null>;
  /** Shows a short message to the user; does nothing where there is no TUI. Never rejects. */
  toast(variant: "info" | "success" | "warning" | "error", message: string): Promise<void>;
  /** Raises the native permission dialog in the newest running call of the plugin's tools. @returns null where none runs */
  askInSession(sessionId: string, request: DialogRequest): Promise<DialogAnswer> | null;
  /** Answers a permission request as the user would. A model reads a refusal's words and goes on; without words its turn ends. */
  answerPermission(requestId: string, answer: { once: true } | { refusal: string }): Promise<void>;
  /** Puts text into the user's prompt line, in the TUI. Never rejects. @param isInstead in the place of what stands there */
  prefill(text: string, isInstead?: boolean): Promise<void>;
  /** Has the terminal show this session; does nothing where there is no TUI. Never rejects. */
  show(sessionId: string): Promise<void>;
  /**
   * Shows `progress` on the tool row that is running as `callId`; null leaves the row as it was before, which has to be
   * the last word while it runs: the model reads the row's input later. Never rejects.
   */
  showProgress(callId: string, progress: string | null): Promise<void>;
  /** Takes progress off all rows of a session, as a process that was killed has left it there. Never rejects. */
  clearProgress(sessionId: string): Promise<void>;
}

/** What a host asks about: a command; the same call made again and again, which is a brake and no operation; or all else. */
export type PermissionKind = "command" | "repetition" | "other";

/** OpenCode's events in our words; those that nobody here needs are not passed on. */
export type HostEvent =
  | { type: "session.created"; session: HostSession }
  | { type: "session.updated"; session: HostSession }
  | { type: "session.deleted"; sessionId: string }
  | { type: "session.status"; sessionId: string; status: "busy" | "idle" }
  | { type: "session.retry"; sessionId: string; attempt: number; message: string; nextAt: number }
  | { type: "session.error"; sessionId: string; failure: HostFailure }
  | { type: "session.compacted"; sessionId: string }
  | {
      type: "tool.activity";
      sessionId: string;
      messageId: string;
      partId: string;
      callId: CallKey;
      tool: string;
      /** What it does, as far as the name of its tool tells. */
      kind: ToolEffect["kind"];
      /** `pending`, `running`, `completed` or `error`. */
      status: string;
      title: string;
      /** Why it failed, where it did. */
      error?: string;
      /** Of an ended call: the same for two calls with the same arguments and the same result, and for no others. */
      trace?: string;
    }
  /** The session's todo list was written; `open` counts what is neither completed nor cancelled. */
  | { type: "todos.updated"; sessionId: string; open: number }
  /** `isStreamed`: the model writes it at this moment. */
  | { type: "text.activity"; sessionId: string; isStreamed?: true }
  | { type: "text.finished"; sessionId: string; messageId: string; partId: string; text: string }
  /** A step of a loop began: one more request to the model follows, or has followed. */
  | { type: "message.started"; sessionId: string; messageId: string }
  /** The model has said its last word of the loop; OpenCode still makes its snapshot of the files and tidies up. */
  | {
      type: "message.finished";
      sessionId: string;
      messageId: string;
      /** Whether its loop ends with it: no failure, no tool calls, no summary of a compaction. */
      isAnswer: boolean;
      /** It ended with an error. */
      isFailed?: true;
      tokens: TokenUse;
      cost: number;
    }
  | {
      type: "permission.asked";
      sessionId: string;
      requestId: string;
      /** The host's own name of the permission, to be shown and to be raised again: nothing is decided by it. */
      permission: string;
      kind: PermissionKind;
      patterns: readonly string[];
      /** What a yes for good would let pass from then on. */
      always: readonly string[];
      metadata: Record<string, unknown>;
      callId: CallKey | null;
    }
  | { type: "permission.replied"; sessionId: string; requestId: string; reply: string }
  | { type: "question.asked"; sessionId: string; requestId: string }
  /** `isRejected`: it was closed without an answer. */
  | { type: "question.answered"; sessionId: string; requestId: string; isRejected?: true };

/** Who shows what is asked: the host's terminal, and it alone shows notes for sure; an editor (ACP), which has no `question` tool and shows nothing of child sessions; any client of a server. */
export type ClientKind = "terminal" | "editor" | "any";

/** What a dialog shows. */
export interface DialogRequest {
  readonly permission: string;
  readonly pattern: string;
  readonly metadata?: Record<string, unknown>;
}

/** How a person answered a dialog; a rejection may carry their words. */
export type DialogAnswer =
  | { readonly approved: true }
  | { readonly approved: false; readonly feedback: string | null };

/** The context of one running tool call of a plugin tool. */
export interface ToolCall {
  readonly sessionId: string;
  readonly messageId: string;
  readonly callId: CallKey;
  readonly agent: string;
  /** Aborted when the user stops the session. */
  readonly abort: AbortSignal;
  /** Raises OpenCode's native permission dialog. */
  ask(request: DialogRequest): Promise<DialogAnswer>;
}

/** The same of a tool for files. */
export interface FileToolCall extends ToolCall {
  /**
   * Asks for the permission that the host's own tools ask for before they change these files; returns where it is given.
   * @param paths as the host's rules name them, relative to the top of the tree
   * @throws Error where it is not, in the host's words
   */
  askToEdit(paths: readonly string[], diff: string): Promise<void>;
}

declare const KEY: unique symbol;

/** One call of a tool: its session, the message that it stands in, and its provider's id, which may come again in every message. */
export type CallKey = string & { readonly [KEY]: true };

/** Only the host's door makes keys of what OpenCode says; everything behind it knows calls by them. */
export function callKey(sessionId: string, messageId: string, callId: string): CallKey {
  // `::` marks a part of a call.
  return `${sessionId}/${messageId}/${callId.replaceAll("::", "%3A%3A")}` as CallKey;
}

/** The session an event is about. */
export function sessionOf(event: HostEvent): string {
  return "session" in event ? event.session.id : event.sessionId;
}

/** What stands at the end of a process that carries out one request. */
export interface OneShotEnd {
  readonly session: string;
  /** 0 for work that is done; a signal that ends the process makes its own. */
  readonly exitCode: number;
  /** For a person; empty for nothing. */
  readonly text: string;
  /** The same for a program. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** A process that carries out one request and ends, with nobody to ask: `opencode run`. Nothing here throws. */
export interface OneShot {
  /** A line for anyone who watches it. */
  print(text: string): void;
  /**
   * What is said when the process ends; the newest counts. It must be quick, for nothing is waited for then.
   * @param tell is given the signal that ends it (Ctrl+C is SIGINT), null where none does
   */
  atEnd(tell: (signal: NodeJS.Signals | null) => OneShotEnd | null): void;
  /** The plugin has looked at a permission request. @param isAnswered whether it gave the answer, so that the host gives none */
  settled(
    request: { readonly permission: string; readonly patterns: readonly string[] },
    isAnswered: boolean,
  ): void;
}
