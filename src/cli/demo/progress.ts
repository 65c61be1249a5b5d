import type { Clock } from "../../lib/clock.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { numberOf, recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import { questionsOf } from "./answer.ts";
import type { OpenCodeEvent } from "./api.ts";

/** Turns OpenCode's events into what a person wants to follow, one line each. */
export interface Progress {
  /** @returns the lines to print for this event; mostly none */
  see(event: OpenCodeEvent): string[];
}

interface State {
  /** GAIA's session. */
  readonly root: string;
  readonly directory: string;
  /** The agent of each session seen so far. */
  readonly agents: Map<string, string>;
  /** Tool calls and texts that were told already; OpenCode repeats its updates. */
  readonly told: Set<string>;
}

type Line = { readonly who: string; readonly what: string };
type Reader = (properties: JsonRecord, state: State) => Line[];

const READERS: Record<string, Reader> = {
  "session.created": (properties, { agents }) => {
    const session = recordOf(properties["info"]);
    agents.set(textOf(session["id"]) ?? "", textOf(session["agent"]) ?? "?");
    return [];
  },
  "message.part.updated": (properties, state) => {
    const part = recordOf(properties["part"]);
    if (part["type"] === "text") return readText(part, state);
    return part["type"] === "tool" ? readTool(part, state) : [];
  },
  "permission.asked": (properties, { agents }) => {
    const agent = agents.get(textOf(properties["sessionID"]) ?? "") ?? "gaia";
    const patterns = Array.isArray(properties["patterns"]) ? properties["patterns"].join(" ") : "";
    return [
      { who: "you", what: `allow ${agent}: ${String(properties["permission"])} ${excerpt(patterns, 70)}` },
    ];
  },
  "question.asked": (properties) =>
    questionsOf({ type: "question.asked", properties }).map(({ question, first }) => ({
      who: "you",
      what: `answer "${first}" to: ${excerpt(question, 70)}`,
    })),
  "session.error": (properties) => {
    const error = recordOf(properties["error"]);
    const message = textOf(recordOf(error["data"])["message"]) ?? textOf(error["name"]) ?? "unknown";
    return [{ who: "opencode", what: `error: ${excerpt(message, 200)}` }];
  },
};

/**
 * @param root GAIA's session
 * @param directory the project, whose path is left out of what is shown
 */
export function createProgress(root: string, directory: string, clock: Clock): Progress {
  const state: State = { root, directory, agents: new Map([[root, "gaia"]]), told: new Set() };
  const start = clock.now();
  return {
    see({ type, properties }) {
      const seconds = ((clock.now() - start) / 1000).toFixed(1).padStart(6);
      const lines = READERS[type]?.(properties, state) ?? [];
      return lines.map(({ who, what }) => `${seconds}s  ${who.padEnd(10)}  ${what}`);
    },
  };
}

/** GAIA's own words. What specialists say is in their results. */
function readText(part: JsonRecord, state: State): Line[] {
  const text = textOf(part["text"]) ?? "";
  const ended = recordOf(part["time"])["end"] !== undefined;
  if (part["sessionID"] !== state.root || !ended || text === "" || wasTold(part["id"], state)) return [];
  return [{ who: "gaia", what: `"${excerpt(text, 500)}"` }];
}

function readTool(part: JsonRecord, state: State): Line[] {
  const call = recordOf(part["state"]);
  const status = textOf(call["status"]) ?? "";
  if (status === "pending" || wasTold(`${String(part["id"])} ${status}`, state)) return [];
  const input = recordOf(call["input"]);
  if (part["tool"] === "delegate_gaia") return readDelegation(status, input, call);
  if (status === "running" || part["tool"] === "StructuredOutput") return [];
  const who = state.agents.get(textOf(part["sessionID"]) ?? "") ?? "gaia";
  const failure = status === "error" ? ` failed: ${excerpt(textOf(call["error"]) ?? "", 120)}` : "";
  return [{ who, what: `  ${String(part["tool"])} ${subjectOf(input, state.directory)}${failure}` }];
}

function readDelegation(status: string, input: JsonRecord, call: JsonRecord): Line[] {
  const who = textOf(input["agent"]) ?? "?";
  if (status === "running") {
    const task = (textOf(input["prompt"]) ?? "").replace(/^\s*TASK:\s*/i, "").split("\n")[0] ?? "";
    return [{ who, what: `▶ ${excerpt(task, 100)}` }];
  }
  const result = parseResult(textOf(call["output"]) ?? "");
  const outcome = textOf(recordOf(recordOf(result["parsed_json"])["outcome"])["verdict"]);
  const seconds = ((numberOf(result["duration_ms"]) ?? 0) / 1000).toFixed(1);
  const words = [textOf(result["status"]) ?? status, `${seconds} s`, outcome, textOf(result["message"])];
  return [{ who, what: `■ ${words.filter(Boolean).join(" · ")}` }];
}

/** What a tool call is about: a path, a command, a pattern or an operation. */
function subjectOf(input: JsonRecord, directory: string): string {
  const named = ["filePath", "command", "pattern", "op", "path", "name", "url"].map((key) =>
    textOf(input[key]),
  );
  return excerpt((named.find(Boolean) ?? "").replaceAll(`${directory}/`, ""), 80);
}

function parseResult(output: string): JsonRecord {
  try {
    return recordOf(JSON.parse(output));
  } catch {
    return {}; // An error text instead of a result: the status line says so.
  }
}

function wasTold(key: unknown, { told }: State): boolean {
  const known = told.has(String(key));
  told.add(String(key));
  return known;
}
