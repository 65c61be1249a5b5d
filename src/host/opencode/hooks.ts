import type { Hooks } from "@opencode-ai/plugin";
import { isRecord, recordOf } from "../../lib/json.ts";
import { lazy } from "../../lib/async.ts";
import {
  type FinishedCall,
  type HookEvent,
  type HookEvents,
  type IncomingCall,
  type RequestParameters,
  type SystemPrompt,
  Denial,
  type HookHandlers,
} from "../hook-events.ts";
import type { OpenCodeHost } from "./adapter.ts";
import type { OpenCall } from "./calls.ts";
import { readEvent } from "./events.ts";
import { registerInConfig } from "./registration.ts";
import type { ToolOutcome } from "../tool-call.ts";
import { moveCall, readOutcome, readTarget, readToolCall } from "./tool-call.ts";
import { openUserMessage } from "./user-message.ts";

type HookName = Exclude<keyof Hooks, "auth" | "dispose" | "provider" | "tool">;
type Arguments<Name extends HookName> = Parameters<NonNullable<Hooks[Name]>>;

/** Where OpenCode calls us for one of our events, and how what it gives reads in our words; null is not passed on. */
interface Translation<Event extends HookEvent> {
  readonly hook: HookName;
  read(input: never, output: never): HookEvents[Event] | null;
}

/** Hooks that stand at our events, in OpenCode's form. */
export function toOpenCodeHooks(handlers: HookHandlers, host: OpenCodeHost): Hooks {
  const { calls } = host;
  const translations = translationsFor(host);
  const events = Object.keys(handlers) as HookEvent[];
  return Object.fromEntries(
    events.map((event) => {
      const { hook, read } = translations[event];
      const run = async (input: never, output: never): Promise<void> => {
        const payload = read(input, output);
        if (payload === null) return;
        try {
          await handlers[event]?.(payload as never);
        } catch (error) {
          if (event !== "before-tool" || !(error instanceof Denial)) throw error;
          const call: { tool: string; sessionID: string; callID: string } = input;
          if (!calls.holds(call.tool)) throw error;
          calls.current(call).denial = error.message;
        }
      };
      return [hook, run];
    }),
  );
}

function translationsFor(host: OpenCodeHost): { [Event in HookEvent]: Translation<Event> } {
  const { calls } = host;
  return {
    configuration: at("config", (config) => ({
      register(registration) {
        host.setConfiguration(recordOf(config));
        return registerInConfig(recordOf(config), registration);
      },
    })),
    "host-event": at("event", ({ event: raw }) => {
      host.order.observe(raw);
      const event = readEvent(raw, calls);
      if (event !== null) host.observe(event);
      return event;
    }),
    "user-message": at("chat.message", (_input, output) =>
      host.order.place(output) ? null : openUserMessage(output),
    ),
    "command-typed": at("command.execute.before", (input, { parts }) => ({
      sessionId: input.sessionID,
      name: input.command,
      argumentText: input.arguments,
      send(text) {
        // OpenCode gives the part its ids afterwards.
        parts.splice(0, parts.length, { type: "text", text } as (typeof parts)[number]);
      },
    })),
    "before-tool": at("tool.execute.before", (input, output) =>
      openCall(calls.begin(input), input, output, host),
    ),
    "after-tool": at("tool.execute.after", (input, output) => {
      const call = calls.current(input);
      call.isOver = true;
      // A refused one did nothing.
      return call.denial === null ? openResult(call, input, output) : null;
    }),
    "shell-environment": at("shell.env", ({ sessionID, callID, cwd }, output) => ({
      sessionId: sessionID ?? "",
      callId: callID === undefined ? null : calls.current({ sessionID: sessionID ?? "", callID }).key,
      folder: cwd,
      set(name, value) {
        output.env[name] = value;
      },
    })),
    "before-request": at("experimental.chat.system.transform", openSystemPrompt),
    "request-parameters": at("chat.params", openParameters),
    compaction: at("experimental.session.compacting", ({ sessionID }, { context }) => ({
      sessionId: sessionID,
      add: (text) => void context.push(text),
    })),
    "answer-text": at("experimental.text.complete", ({ sessionID }, output) => ({
      sessionId: sessionID,
      text: output.text,
      replace(text) {
        output.text = text;
      },
    })),
  };
}

function at<Name extends HookName, Payload>(
  hook: Name,
  read: (...given: Arguments<Name>) => Payload,
): { readonly hook: Name; readonly read: typeof read } {
  return { hook, read };
}

/** Read at the first question only: most calls are never looked at. */
function openCall(
  call: OpenCall,
  { tool, sessionID }: Arguments<"tool.execute.before">[0],
  output: Arguments<"tool.execute.before">[1],
  host: OpenCodeHost,
): IncomingCall {
  const raw: unknown = output.args;
  const args = recordOf(raw);
  const effect = lazy(() => readToolCall(tool, args));
  return {
    callId: call.key,
    sessionId: sessionID,
    tool,
    args,
    get effect() {
      return call.effect ?? effect();
    },
    get target() {
      return readTarget(tool, args);
    },
    moveInto(move) {
      moveCall(tool, args, move);
    },
    carryOut({ effect: known, run }) {
      Object.assign(call, { effect: known, run });
    },
    async askInstead(questions) {
      // Arguments that change before OpenCode writes the call down are what models read of it from then on.
      await host.written(call.key);
      args["questions"] = questions;
    },
  };
}

function openResult(
  { key, effect: prepared, written }: OpenCall,
  { tool, sessionID, args: raw }: Arguments<"tool.execute.after">[0],
  output: Arguments<"tool.execute.after">[1],
): FinishedCall {
  const args = recordOf(raw);
  const effect = lazy(() => prepared ?? readToolCall(tool, args));
  const read = (): ToolOutcome => {
    const told = readOutcome(tool, args, output);
    return prepared === null ? told : { ...told, files: written };
  };
  let own: ToolOutcome | null = null;
  return {
    callId: key,
    sessionId: sessionID,
    tool,
    args,
    get effect() {
      return effect();
    },
    get outcome() {
      return own ?? read();
    },
    add(lines) {
      if (lines.length === 0) return;
      own ??= read();
      output.output = [output.output, ...lines].filter(Boolean).join("\n\n");
    },
    markLines(markOf) {
      if (tool === "read") output.output = markLines(output.output, markOf);
    },
    rewrite(change) {
      // OpenCode's types know the results of its own tools only.
      const result: { output?: unknown; content?: unknown } = output;
      if (typeof result.output === "string") result.output = change(result.output);
      for (const item of Array.isArray(result.content) ? (result.content as unknown[]) : [])
        rewriteItem(item, change);
    },
  };
}

/** A part of an MCP result: a text, or a resource that holds one. */
function rewriteItem(item: unknown, change: (text: string) => string): void {
  for (const holder of isRecord(item) ? [item, item["resource"]] : []) {
    if (isRecord(holder) && typeof holder["text"] === "string") holder["text"] = change(holder["text"]);
  }
}

/** OpenCode's own hidden agents, who speak in anyone's session. */
const SIDE_AGENTS = new Set(["title", "summary", "compaction"]);

function openParameters(
  { sessionID, agent, model }: Arguments<"chat.params">[0],
  output: Arguments<"chat.params">[1],
): RequestParameters {
  return {
    sessionId: sessionID,
    agent,
    isSide: SIDE_AGENTS.has(agent),
    limitOutput(tokens) {
      output.maxOutputTokens = tokens;
    },
    reason({ effort, budget }) {
      if (!model.capabilities.reasoning) return;
      const isAnthropic = model.api.npm.includes("anthropic");
      if (isAnthropic && budget !== undefined) {
        output.options["thinking"] = { type: "enabled", budgetTokens: budget };
      }
      if (!isAnthropic && effort !== undefined) output.options["reasoningEffort"] ??= effort;
    },
  };
}

/**
 * Puts marks behind the numbers of the lines that OpenCode's reading of a file shows, `12: text`; what it says around them
 * stays as it is. @param markOf what stands behind the number of a line; null for nothing
 */
export function markLines(output: string, markOf: (line: number, text: string) => string | null): string {
  const opening = "<type>file</type>\n<content>\n";
  const start = output.indexOf(opening);
  if (start === -1) return output;
  const from = start + opening.length;
  // A line of the file never begins so: its number comes first.
  const end = output.indexOf("\n</content>", from - 1);
  const shown = output.slice(from, end === -1 ? undefined : end).split("\n");
  let last = 0;
  const marked = shown.map((row) => {
    const [head = "", number = ""] = /^(\d+): /u.exec(row) ?? [];
    const line = Number(number);
    if (head === "" || line <= last) return row;
    last = line;
    const text = row.slice(head.length);
    const mark = markOf(line, text);
    return mark === null ? row : `${number}${mark}: ${text}`;
  });
  return output.slice(0, from) + marked.join("\n") + (end === -1 ? "" : output.slice(end));
}

type SystemArguments = Arguments<"experimental.chat.system.transform">;

/**
 * The system prompt of a request: one text, in which the agent's prompt stands first, then the environment, the
 * project's instructions and skills. OpenCode sends each text of the list as a message of its own.
 */
export function openSystemPrompt(
  { sessionID, model }: SystemArguments[0],
  { system }: SystemArguments[1],
): SystemPrompt {
  return {
    sessionId: sessionID ?? null,
    parts: system,
    add: (text) => void system.push(text),
    moveToEnd(opening) {
      const [first = ""] = system;
      if (opening === "" || !first.startsWith(`${opening}\n`)) return;
      const rest = first.slice(opening.length + 1);
      if (marksCache(model)) system.splice(0, 1, rest, opening);
      else system[0] = `${rest}\n\n${opening}`;
    },
  };
}

/**
 * Whether OpenCode marks the end of each system message as a place up to which the provider caches: such a provider
 * finds a beginning again only where one of its messages ends. All others compare bytes, and templates of local models
 * may take no second system message.
 */
function marksCache(model: SystemArguments[0]["model"] | undefined): boolean {
  const { id, providerID, api } = recordOf(model);
  return /anthropic|claude/.test([id, providerID, recordOf(api)["id"], recordOf(api)["npm"]].join(" "));
}
