import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord, recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import { toolResults, type RecordedRequest } from "../../scripted-model/request.ts";
import { result, type ScriptedCall, type TurnSource } from "../../scripted-model/turn.ts";
import { templatePath } from "./sample.ts";

/** One turn in `templates/demo-script.json`. Texts may hold the names of {@link factsOf} in braces. */
interface ScriptedTurn {
  readonly text?: string;
  /** A tool with its arguments; `read` and `finish` take a file of the sample. */
  readonly calls?: readonly (readonly [tool: string, args: unknown])[];
  /** What a specialist ends with, and beside it. */
  readonly result?: JsonRecord;
  readonly outcome?: JsonRecord;
}

/**
 * What each agent does in the scripted run, turn by turn. Their tools really run, and what they report of checks is
 * what the checks said.
 * @param directory the sample project
 */
export function scriptedTurns(directory: string): Record<string, TurnSource[]> {
  const script = JSON.parse(readTemplate("demo-script.json")) as Record<string, ScriptedTurn[]>;
  return Object.fromEntries(Object.entries(script).map(([agent, turns]) => [agent, play(turns, directory)]));
}

function play(turns: readonly ScriptedTurn[], directory: string): TurnSource[] {
  let facts: JsonRecord = { plan: readTemplate("demo-plan.md") };
  return turns.map(({ text = "", calls = [], ...turn }) => (request) => {
    facts = { ...facts, ...factsOf(request) };
    const outcome = turn.outcome === undefined ? {} : { outcome: fill(turn.outcome, facts) };
    if (turn.result !== undefined) return result(recordOf(fill(turn.result, facts)), outcome);
    return { text, calls: calls.map(([tool, args]) => callOf(tool, fill(args, facts), directory)) };
  });
}

/** What the newest tool result says: of a delegation, of Node's test runner, of `git commit`. */
function factsOf(request: RecordedRequest): JsonRecord {
  const [newest] = toolResults(request);
  const output = textOf(newest) ?? "";
  // `# fail 0` or `ℹ fail 0`, as the runner's version has it.
  const passed = /^\S+ fail 0$/m.test(output);
  const { agent, session_id } = recordOf(newest);
  return {
    passed,
    status: passed ? "pass" : "fail",
    exit: passed ? 0 : 1,
    verdict: passed ? "APPROVE" : "REJECT",
    failures: passed ? [] : ["a test fails"],
    count: /^\S+ pass (\d+)$/m.exec(output)?.[1] ?? "no",
    ...(session_id === undefined ? {} : { [`session of ${String(agent)}`]: session_id }),
  };
}

/** Puts facts into texts; a text that is nothing but a name becomes the fact itself. */
function fill(value: unknown, facts: JsonRecord): unknown {
  if (Array.isArray(value)) return value.map((item) => fill(item, facts));
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, facts)]));
  }
  if (typeof value !== "string") return value;
  const name = /^\{([a-z ]+)\}$/.exec(value)?.[1];
  if (name !== undefined) return facts[name];
  return value.replaceAll(/\{([a-z ]+)\}/g, (_braces, found: string) => String(facts[found]));
}

function callOf(name: string, args: unknown, directory: string): ScriptedCall {
  if (typeof args !== "string") return { name, args };
  const filePath = join(directory, args);
  if (name === "read") return { name, args: { filePath } };
  const content = readTemplate("demo-feature", args);
  if (!existsSync(join(templatePath("demo-project"), args)))
    return { name: "write", args: { filePath, content } };
  const oldString = readTemplate("demo-project", args);
  return { name: "edit", args: { filePath, oldString, newString: content } };
}

function readTemplate(name: string, file = ""): string {
  return readFileSync(join(templatePath(name), file), "utf8");
}
