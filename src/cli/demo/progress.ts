import type { Clock } from "../../lib/clock.ts";
import { recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import { questionsOf } from "./answer.ts";
import type { OpenCodeEvent } from "./api.ts";
import { digestResult } from "./digest.ts";
import { clip, duration, WIDTH, wrap } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { describeTool, shownPath } from "./tool-line.ts";

/** Turns OpenCode's events into what a person wants to follow. */
export interface Progress {
  /** @returns the lines to print for this event; mostly none */
  see(event: OpenCodeEvent): string[];
  /** Who works on what right now, for the case that it never ends. */
  underWay(): string;
}

export interface ProgressOptions {
  /** GAIA's session. */
  readonly root: string;
  /** The project, whose path is left out of what is shown. */
  readonly directory: string;
  readonly clock: Clock;
  readonly paint: Paint;
}

/** The columns before the text: time, agent, sign. */
const INDENT = 25;
const GAIA = "gaia";

interface Row {
  readonly who: string;
  readonly sign?: "▶" | "✓" | "✗" | "?";
  readonly text: string;
  /** Longer text goes on in further lines; without it, it is cut. */
  readonly whole?: boolean;
}

export function createProgress({ root, directory, clock, paint }: ProgressOptions): Progress {
  const start = clock.now();
  const agents = new Map([[root, GAIA]]);
  /** Calls and texts that were told already: OpenCode repeats its updates. */
  const told = new Set<string>();
  /** Delegations that run: the part's id, and when each began. */
  const running = new Map<string, { agent: string; since: number }>();
  /** What an agent looked at since its last line: reading many files is one line. */
  const looked = new Map<string, string[]>();
  /** GAIA's text that is still streaming; what she starts meanwhile is told after it. */
  let openText: string | null = null;
  let held: Row[] = [];
  let last = "";

  const once = (key: string): boolean => !told.has(key) && told.add(key).has(key);
  const agentOf = (session: unknown): string => agents.get(textOf(session) ?? "") ?? GAIA;

  const render = ({ who, sign, text, whole }: Row): string[] => {
    const time = duration(clock.now() - start).padStart(8);
    const signs = { "▶": paint.bold, "✓": paint.good, "✗": paint.bad, "?": paint.user };
    const [first = "", ...rest] = whole === true ? wrap(text, WIDTH - INDENT) : [clip(text, WIDTH - INDENT)];
    const quiet = sign === undefined && whole !== true;
    const shown = [first, ...rest.map((line) => " ".repeat(INDENT) + line)].map((line) =>
      quiet ? paint.dim(line) : sign === "?" ? paint.user(line) : line,
    );
    last = `${who}: ${text}`;
    const head = `${paint.dim(time)}  ${paint.bold(who.padEnd(11))}`;
    const mark = sign === undefined ? " " : signs[sign](sign);
    return [`${head} ${mark}  ${shown[0] ?? ""}`, ...shown.slice(1)];
  };

  /** The row, after what its agent looked at before. */
  const tell = (row: Row): string[] => {
    const seen = looked.get(row.who) ?? [];
    looked.delete(row.who);
    return [...(seen.length > 0 ? render({ who: row.who, text: groupLooks(seen) }) : []), ...render(row)];
  };

  const readText = (part: JsonRecord): string[] => {
    if (part["sessionID"] !== root || part["synthetic"] === true || part["ignored"] === true) return [];
    const time = recordOf(part["time"]);
    if (time["start"] === undefined) return []; // The user's own message.
    const id = textOf(part["id"]) ?? "";
    if (time["end"] === undefined) {
      openText = id;
      return [];
    }
    if (openText === id) openText = null;
    const text = (textOf(part["text"]) ?? "").trim();
    const waiting = held;
    held = [];
    const own = text === "" || !once(id) ? [] : tell({ who: GAIA, text, whole: true });
    return [...own, ...waiting.flatMap(tell)];
  };

  const readDelegation = (part: JsonRecord): string[] => {
    const id = textOf(part["id"]) ?? "";
    const state = recordOf(part["state"]);
    const status = textOf(state["status"]) ?? "";
    const agent = textOf(recordOf(state["input"])["agent"]) ?? "?";
    if (status === "running" && once(`${id} start`)) {
      running.set(id, { agent, since: clock.now() });
      const prompt = textOf(recordOf(state["input"])["prompt"]) ?? "";
      const row: Row = {
        who: agent,
        sign: "▶",
        text: prompt.replace(/^\s*TASK:\s*/i, "").split("\n")[0] ?? "",
      };
      if (openText === null) return tell(row);
      held.push(row);
      return [];
    }
    if ((status !== "completed" && status !== "error") || !once(`${id} end`)) return [];
    const ran = clock.now() - (running.get(id)?.since ?? start);
    running.delete(id);
    const { ok, text } = digestResult(textOf(state["output"]) ?? textOf(state["error"]) ?? "");
    const words = [`done in ${duration(ran)}`, text].filter(Boolean).join(" · ");
    return tell({ who: agent, sign: ok ? "✓" : "✗", text: words, whole: true });
  };

  const readTool = (part: JsonRecord): string[] => {
    if (part["tool"] === "delegate_gaia") return readDelegation(part);
    const line = describeTool(part, directory);
    if (line === null || !once(`${textOf(part["id"]) ?? ""} end`)) return [];
    const who = agentOf(part["sessionID"]);
    if (!line.looks) return tell({ who, text: line.text, ...(line.failed ? { sign: "✗" as const } : {}) });
    looked.set(who, [...(looked.get(who) ?? []), line.text]);
    return [];
  };

  const readers: Readonly<Record<string, (properties: JsonRecord) => string[]>> = {
    "message.updated": (properties) => {
      const info = recordOf(properties["info"]);
      agents.set(textOf(info["sessionID"]) ?? "", textOf(info["agent"]) ?? GAIA);
      return [];
    },
    "message.part.updated": (properties) => {
      const part = recordOf(properties["part"]);
      return part["type"] === "text" ? readText(part) : part["type"] === "tool" ? readTool(part) : [];
    },
    "permission.asked": (properties) => {
      const patterns = Array.isArray(properties["patterns"]) ? properties["patterns"].map(String) : [];
      const asked = patterns.map((pattern) => shownPath(pattern, directory)).join(" ; ");
      const what = clip(`may I ${textOf(properties["permission"]) ?? ""} ${asked}`, WIDTH - INDENT - 16);
      return tell({ who: agentOf(properties["sessionID"]), sign: "?", text: `${what}  you: yes, once` });
    },
    "question.asked": (properties) =>
      questionsOf({ type: "question.asked", properties }).flatMap(({ question, first }) =>
        tell({ who: GAIA, sign: "?", text: `${question}  you: ${first}`, whole: true }),
      ),
    "session.error": (properties) => {
      const error = recordOf(properties["error"]);
      const message = textOf(recordOf(error["data"])["message"]) ?? textOf(error["name"]) ?? "unknown error";
      return tell({ who: agentOf(properties["sessionID"]), sign: "✗", text: message, whole: true });
    },
  };

  return {
    see: ({ type, properties }) => readers[type]?.(properties) ?? [],
    underWay() {
      const names = [...running.values()].map(
        ({ agent, since }) => `${agent} (for ${duration(clock.now() - since)})`,
      );
      const who = names.length > 0 ? `${names.join(" and ")} had not finished` : "no specialist was at work";
      return `${who}; the last thing seen was "${clip(last || "nothing", 80)}"`;
    },
  };
}

/** `read a`, `read b`, `grep c` as `read a, b · grep c`. */
function groupLooks(looks: readonly string[]): string {
  const byTool = new Map<string, string[]>();
  for (const look of looks) {
    const [tool = "", ...rest] = look.split(" ");
    byTool.set(tool, [...(byTool.get(tool) ?? []), rest.join(" ")]);
  }
  return [...byTool].map(([tool, subjects]) => `${tool} ${subjects.join(", ")}`).join(" · ");
}
