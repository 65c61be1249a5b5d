import { sep } from "node:path";
import { isRepairPrompt } from "../../contracts/evaluate.ts";
import type { Clock } from "../../lib/clock.ts";
import { renderExactDuration } from "../../lib/duration.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { isRecord, type JsonRecord, numberOf, recordOf, textOf } from "../../lib/json.ts";
import type { OpenCodeEvent } from "./opencode-server.ts";
import { ACCEPTANCE, countTests, isRecorded, type TestRun } from "./sample.ts";

/** No line of the demo is longer, in characters; the first of these stand for time and name. */
const WIDTH = 96;
const INDENT = 22;
const GAIA = "gaia";
/** Tools that only pass something on; what they do is shown in other words. */
const SILENT = new Set(["StructuredOutput", "delegate_gaia", "collect_results", "question", "todowrite"]);

/** Breaks text between words into lines that are not too long; a longer word stands alone, and is not cut. */
export function wrap(text: string, width = WIDTH): string[] {
  if (text.length <= width) return [text];
  return text.match(new RegExp(`\\S(?:.{0,${width - 2}}\\S)?(?!\\S)|\\S+`, "g")) ?? [];
}

/**
 * Turns OpenCode's events into lines that a person can follow.
 * @param root GAIA's session
 * @param directory the project, whose path is left out of what is shown
 */
export function createProgress(root: string, directory: string, clock: Clock) {
  const start = clock.now();
  const agents = new Map([[root, GAIA]]);
  /** Calls and texts that were told already: OpenCode repeats its updates. */
  const told = new Set<string>();
  /** Delegations that run, by the id of their tool part. */
  const running = new Map<string, { agent: string; since: number }>();
  /** Whether the plugin carries a plan out, whose delegations are told by their sessions. */
  let isRun = false;
  /** What specialists said last, by session. */
  const words = new Map<string, string>();
  /** GAIA's text that is still streaming; what she starts meanwhile is told after it. */
  let openText: string | null = null;
  let held: string[] = [];
  let last = `${GAIA}: nothing yet`;
  const repairs = new Map<string, number>();

  const once = (key: string): boolean => !told.has(key) && told.add(key).has(key);
  const agentOf = (session: unknown): string => agents.get(textOf(session) ?? "") ?? GAIA;
  const tell = (who: string, text: string): string[] => {
    last = `${who}: ${text}`;
    const time = renderExactDuration(clock.now() - start).padStart(8);
    const [first = "", ...rest] = wrap(
      text.replaceAll(directory + sep, "").replace(/\s+/g, " "),
      WIDTH - INDENT,
    );
    return [`${time}  ${who.padEnd(11)} ${first}`, ...rest.map((line) => " ".repeat(INDENT) + line)];
  };

  const readText = ({ id, sessionID, text, time }: JsonRecord): string[] => {
    const { start: began, end } = recordOf(time);
    if (began === undefined) {
      const who = agentOf(sessionID);
      if (isRepairPrompt(textOf(text) ?? "") && once(String(id)))
        repairs.set(who, (repairs.get(who) ?? 0) + 1);
      return [];
    }
    if (sessionID !== root) {
      words.set(String(sessionID), textOf(text) ?? "");
      return [];
    }
    if (end === undefined) {
      openText = String(id);
      return [];
    }
    if (openText === id) openText = null;
    const said = textOf(text)?.trim() ?? "";
    const lines = said === "" || !once(String(id)) ? held : [...tell(GAIA, said), ...held];
    held = [];
    return lines;
  };

  const readDelegation = (id: string, state: JsonRecord): string[] => {
    const { agent, goal = "", session_id: resumed } = recordOf(state["input"]);
    const who = textOf(agent) ?? "?";
    if (state["status"] === "running" && once(`${id} start`)) {
      running.set(id, { agent: who, since: clock.now() });
      const lines = tell(
        who,
        `▶ ${excerpt(String(goal), 80)}${resumed === undefined ? "" : " (in the session of before)"}`,
      );
      if (openText === null) return lines;
      held.push(...lines);
      return [];
    }
    if ((state["status"] !== "completed" && state["status"] !== "error") || !once(`${id} end`)) return [];
    const took = renderExactDuration(clock.now() - (running.get(id)?.since ?? start));
    running.delete(id);
    const { ok, text } = digestResult(textOf(state["output"]) ?? textOf(state["error"]) ?? "");
    return tell(who, `${ok ? "✓ done" : "✗ ended"} in ${took}${text === "" ? "" : ` · ${text}`}`);
  };

  const readTool = (part: JsonRecord): string[] => {
    const id = String(part["id"]);
    const { status, input } = recordOf(part["state"]);
    if (recordOf(input)["op"] === "run" && part["sessionID"] === root) isRun = status === "running";
    if (part["tool"] === "delegate_gaia") return readDelegation(id, recordOf(part["state"]));
    const line = describeTool(part);
    return line !== null && once(id) ? tell(agentOf(part["sessionID"]), line) : [];
  };

  /** Work that the plugin has given to a specialist by itself begins with a session, and ends when that is idle. */
  const beginSession = (info: JsonRecord): string[] => {
    if (!isRun || info["parentID"] !== root || !once(`${String(info["id"])} start`)) return [];
    const [agent = "", task = ""] = String(info["title"]).split(" › ");
    running.set(String(info["id"]), { agent, since: clock.now() });
    return tell(agent, `▶ ${task}`);
  };
  const endSession = (id: string): string[] => {
    const work = running.get(id);
    if (work === undefined || !running.delete(id)) return [];
    const [, contract = ""] = /```json\n([^]*?)\n```/.exec(words.get(id) ?? "") ?? [];
    const { ok, text } = digestContract(recordOf(parseResult(contract)));
    const took = renderExactDuration(clock.now() - work.since);
    return tell(work.agent, `${ok ? "✓ done" : "✗ ended"} in ${took}${text === "" ? "" : ` · ${text}`}`);
  };

  const readers: Readonly<Record<string, (properties: JsonRecord) => string[]>> = {
    "message.updated": ({ info }) => {
      const { sessionID, agent } = recordOf(info);
      agents.set(String(sessionID), textOf(agent) ?? GAIA);
      return [];
    },
    "session.created": ({ info }) => beginSession(recordOf(info)),
    "session.idle": ({ sessionID }) => endSession(String(sessionID)),
    "message.part.updated": (properties) => {
      const part = recordOf(properties["part"]);
      if (part["type"] === "text") return readText(part);
      return part["type"] === "tool" ? readTool(part) : [];
    },
    "session.error": ({ sessionID, error }) => {
      const { name, data } = recordOf(error);
      return tell(agentOf(sessionID), `✗ ${textOf(recordOf(data)["message"]) ?? textOf(name) ?? "error"}`);
    },
    "permission.asked": ({ sessionID, permission, patterns, metadata }) => {
      const asked = textOf(recordOf(metadata)["command"]) ?? [patterns].flat().join(", ");
      return tell(agentOf(sessionID), `? ${excerpt(`may I: ${String(permission)} ${asked}`, 200)}`);
    },
  };

  return {
    /** What someone says, after the time and the name. */
    tell,
    /** The lines to print for this event; mostly none. */
    see: ({ type, properties }: OpenCodeEvent): string[] => readers[type]?.(properties) ?? [],
    repairs: (): ReadonlyMap<string, number> => repairs,
    /** Who works on what right now, for the case that it never ends. */
    underWay(): string {
      const since = (at: number): string => renderExactDuration(clock.now() - at);
      const names = [...running.values()].map((work) => `${work.agent} (for ${since(work.since)})`);
      const who = names.length > 0 ? `waiting for ${names.join(" and ")}` : "no specialist was at work";
      return `${who}; the last news was of ${excerpt(last, 90)}`;
    },
  };
}

function describeTool({ tool, state }: JsonRecord): string | null {
  const { status, input, error, title, output, metadata } = recordOf(state);
  if (SILENT.has(String(tool))) return null;
  if (status === "error") return `✗ ${String(tool)} refused: ${(textOf(error) ?? "").split("\n")[0] ?? ""}`;
  if (status !== "completed") return null;
  const { command, filePath, pattern } = recordOf(input);
  const subject = textOf(filePath) ?? textOf(pattern) ?? textOf(title) ?? "";
  if (tool !== "bash") return excerpt(`${String(tool)} ${subject}`, 200);
  const exit = numberOf(recordOf(metadata)["exit"]);
  const result = [`exit ${exit ?? "unknown"}`, countTests(textOf(output) ?? "")].filter(Boolean).join(": ");
  return `${exit === 0 ? "" : "✗ "}$ ${excerpt(String(command), 120)} → ${result}`;
}

function parseResult(output: string): JsonRecord {
  try {
    const value: unknown = JSON.parse(output);
    if (isRecord(value)) return value;
  } catch {
    // Plain words.
  }
  return { message: output };
}

/** What a specialist's result comes down to. */
function digestResult(output: string): { ok: boolean; text: string } {
  const { status, message, parsed_json } = parseResult(output);
  const digest = digestContract(recordOf(parsed_json));
  return status === "completed" && digest.ok
    ? digest
    : { ok: false, text: textOf(message) ?? textOf(status) ?? "" };
}

/** What a contract comes down to. */
function digestContract({ ok, data, outcome }: JsonRecord): { ok: boolean; text: string } {
  const { verdict, reason } = recordOf(outcome);
  const { diff_summary, log_entry, pass_status } = recordOf(data);
  const words = [verdict, reason, diff_summary, log_entry, pass_status].map(textOf);
  return { ok: ok !== false, text: words.filter(Boolean).join(": ") };
}

/** How much of the diff, of each file of the record and of failing tests is shown; the rest is in the kept project. */
const MAX_LINES = 100;

/** Everything that the tour shows: what lies in the project after the work. */
export interface TourFacts {
  /** `provider/model`, or null for the scripted one. */
  readonly model: string | null;
  /** Commits since the start, one line each; empty when there is none. */
  readonly commits: string;
  /** `git diff --stat` of everything, and the diff of the product code. */
  readonly stat: string;
  readonly diff: string;
  readonly before: TestRun;
  readonly after: TestRun;
  /** The record's files by their paths. */
  readonly record: ReadonlyMap<string, string>;
  /** How often each specialist was asked to repair its contract. */
  readonly repairs: ReadonlyMap<string, number>;
  /** From the request to GAIA's last word, in milliseconds. */
  readonly wholeMs: number;
  /** What one types before a command, as `npx opencode-gaia`. */
  readonly run: string;
}

/** What the reader should know before it starts. @param model `provider/model`, or null for the scripted one */
export function renderIntroduction(model: string | null): string[] {
  const scripted =
    "The model is SCRIPTED. Every answer of the model was written beforehand, and is played back by a small server on " +
    "this machine: no API key, no network, no cost.\nReal are OpenCode, the plugin, the agents and their permissions, " +
    "every file that is edited, every command, every test run, the commit and the record. The demo plays you, and says " +
    "yes to each permission request.";
  const real =
    `The model is ${model}. It runs in your own OpenCode, with your configuration and credentials, and costs what ` +
    `${model} costs. The demo plays you: it says yes to what happens inside the sample project, and takes the first ` +
    "answer to a question.";
  const title = "GAIA takes one feature request through her whole pipeline, in the real OpenCode.\n";
  return `${title}${model === null ? scripted : real}`.split("\n").flatMap((text) => [...wrap(text), ""]);
}

/** Whether the demo reached what it promised: the feature's tests pass and the record is written. */
export function succeeded({ after, record }: TourFacts): boolean {
  return after.passed && isRecorded(record);
}

/** What GAIA left behind, for reading from top to bottom. */
export function renderTour(facts: TourFacts): string[] {
  const { before, after, record, model } = facts;
  const repairs = [...facts.repairs].map(([agent, count]) => `${agent} ${count}`).join(", ");
  const mark = (good: boolean): string => (good ? "✓" : "✗");
  const about =
    model === null
      ? "The model was scripted: this shows that the machinery works from end to end, and says nothing about how " +
        "well a model plans or codes."
      : "The model was a real one: another run may go another way.";
  return [
    ...section("What changed", [
      facts.commits.trim() === "" ? "Nothing was committed." : `Commits: ${facts.commits.trim()}`,
      ...linesOf(facts.stat),
      ...linesOf(facts.diff),
    ]),
    ...section("The sample's tests, run by the demo itself", [
      `${mark(before.passed)} before the work: ${before.counts}`,
      `${mark(after.passed)} now:             ${after.counts}`,
      ...(after.passed ? [] : linesOf(after.output)),
    ]),
    ...[...record]
      .filter(([path]) => path.endsWith(".md"))
      .flatMap(([path, text]) => section(path, linesOf(text))),
    ...section(`Result, after ${renderExactDuration(facts.wholeMs)}`, [
      `${mark(after.passed)} ${describeTests(after)}`,
      isRecorded(record) ? "✓ Plan, log and decisions are written." : "✗ Plan, log or decisions are missing.",
      `${mark(repairs === "")} Contracts that had to be repaired: ${repairs || "0"}`,
      "",
      ...wrap(about),
      `To look around in it:     ${facts.run} demo --keep`,
      `With a model of yours:    ${facts.run} demo --model provider/model`,
      `In a project of yours:    ${facts.run} init`,
      "                          and choose the agent gaia in opencode",
    ]),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return ["", `── ${title}`, ...lines];
}

/** The lines of a text that say something, not too many and none too long. */
function linesOf(text: string): string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const rest = lines.length - MAX_LINES;
  const shown = lines.slice(0, MAX_LINES).flatMap((line) => wrap(line));
  return rest <= 0 ? shown : [...shown, `… ${rest} more`];
}

function describeTests({ passed, tampered }: TestRun): string {
  if (tampered) return `${ACCEPTANCE}, which describes the feature, was changed: that does not count.`;
  return passed ? "The feature's tests pass." : "The sample's tests still fail.";
}
