import type { Clock } from "../../lib/clock.ts";
import { recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import { answerPermission, questionsOf } from "./answer.ts";
import type { OpenCodeEvent } from "./api.ts";
import { digestResult } from "./digest.ts";
import { clip, duration } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { renderRow, ROW_WIDTH, type Row } from "./row.ts";
import { describePermission, describeTool } from "./tool-line.ts";

/** Turns OpenCode's events into what a person wants to follow. */
export interface Progress {
  /** What the user asks for, as lines to print. */
  request(text: string): string[];
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

const GAIA = "gaia";

export function createProgress({ root, directory, clock, paint }: ProgressOptions): Progress {
  const start = clock.now();
  const agents = new Map([[root, GAIA]]);
  /** Calls and texts that were told already: OpenCode repeats its updates. */
  const told = new Set<string>();
  /** Delegations that run, by the id of their tool part. */
  const running = new Map<string, { agent: string; since: number }>();
  /** What an agent looked at since its last row: reading many files is one row. */
  const looked = new Map<string, string[]>();
  /** GAIA's text that is still streaming; what she starts meanwhile is told after it. */
  let openText: string | null = null;
  let held: Row[] = [];
  let last: Row = { who: GAIA, text: "nothing yet" };

  const once = (key: string): boolean => !told.has(key) && told.add(key).has(key);
  const agentOf = (session: unknown): string => agents.get(textOf(session) ?? "") ?? GAIA;

  const tell = (row: Row): string[] => {
    const looks = looked.get(row.who) ?? [];
    looked.delete(row.who);
    last = row;
    const rows = looks.length === 0 ? [row] : [{ who: row.who, text: groupLooks(looks) }, row];
    return rows.flatMap((each) => renderRow(each, clock.now() - start, paint));
  };

  const readText = (part: JsonRecord): string[] => {
    const time = recordOf(part["time"]);
    if (part["sessionID"] !== root || time["start"] === undefined) return []; // A specialist's, or the user's.
    const id = textOf(part["id"]) ?? "";
    if (time["end"] === undefined) {
      openText = id;
      return [];
    }
    if (openText === id) openText = null;
    const text = (textOf(part["text"]) ?? "").trim();
    const rows: Row[] = text === "" || !once(id) ? [] : [{ who: GAIA, text, whole: true }];
    const waiting = held;
    held = [];
    return [...rows, ...waiting].flatMap(tell);
  };

  const readDelegation = (id: string, state: JsonRecord): string[] => {
    const input = recordOf(state["input"]);
    const who = textOf(input["agent"]) ?? "?";
    if (state["status"] === "running" && once(`${id} start`)) {
      running.set(id, { agent: who, since: clock.now() });
      const task = (textOf(input["prompt"]) ?? "").replace(/^\s*TASK:\s*/i, "").split("\n")[0] ?? "";
      const resumed = input["session_id"] === undefined ? "" : " (in the session of before)";
      const row: Row = { who, sign: "▶", text: task + resumed };
      if (openText === null) return tell(row);
      held.push(row);
      return [];
    }
    if ((state["status"] !== "completed" && state["status"] !== "error") || !once(`${id} end`)) return [];
    const took = duration(clock.now() - (running.get(id)?.since ?? start));
    running.delete(id);
    const { ok, text } = digestResult(textOf(state["output"]) ?? textOf(state["error"]) ?? "");
    const words = [`${ok ? "done" : "ended"} in ${took}`, text].filter(Boolean).join(" · ");
    return tell({ who, sign: ok ? "✓" : "✗", text: words, whole: true });
  };

  const readTool = (part: JsonRecord): string[] => {
    const id = textOf(part["id"]) ?? "";
    if (part["tool"] === "delegate_gaia") return readDelegation(id, recordOf(part["state"]));
    const line = describeTool(part, directory);
    if (line === null || !once(`${id} end`)) return [];
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
      if (part["type"] === "text") return readText(part);
      return part["type"] === "tool" ? readTool(part) : [];
    },
    "permission.asked": (properties) => {
      const answer = `  you: ${answerPermission(properties).words}`;
      const asked = clip(describePermission(properties, directory), ROW_WIDTH - answer.length);
      return tell({ who: agentOf(properties["sessionID"]), sign: "?", text: asked + answer });
    },
    "question.asked": (properties) =>
      questionsOf(properties).flatMap(({ question, first }) =>
        tell({ who: GAIA, sign: "?", text: `${question}  you: ${first}`, whole: true }),
      ),
    "session.error": (properties) => {
      const error = recordOf(properties["error"]);
      const text = textOf(recordOf(error["data"])["message"]) ?? textOf(error["name"]) ?? "unknown error";
      return tell({ who: agentOf(properties["sessionID"]), sign: "✗", text, whole: true });
    },
  };

  return {
    request: (text) => tell({ who: "you", text, whole: true }),
    see: ({ type, properties }) => readers[type]?.(properties) ?? [],
    underWay() {
      const names = [...running.values()].map(
        ({ agent, since }) => `${agent} (for ${duration(clock.now() - since)})`,
      );
      const who = names.length > 0 ? `waiting for ${names.join(" and ")}` : "no specialist was at work";
      return `${who}; the last news was of ${last.who}: ${clip(last.text, 80)}`;
    },
  };
}

/** `read a`, `read b`, `grep c` as `read a, b · grep c`. */
function groupLooks(looks: readonly string[]): string {
  const byTool = new Map<string, string[]>();
  for (const look of looks) {
    const [tool = "", ...subject] = look.split(" ");
    byTool.set(tool, [...(byTool.get(tool) ?? []), subject.join(" ")]);
  }
  return [...byTool].map(([tool, subjects]) => `${tool} ${subjects.join(", ")}`).join(" · ");
}
