import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonRecord } from "../../lib/json.ts";
import { result, type ScriptedCall, type TurnSource } from "../../scripted-model/turn.ts";
import { templatePath } from "./sample.ts";

/** One turn in `templates/demo-script.json`, where `{plan}` stands for the plan. */
interface ScriptedTurn {
  readonly text?: string;
  /** A tool with its arguments; `read` and `finish` take a file of the sample. */
  readonly calls?: readonly (readonly [tool: string, args: unknown])[];
  /** What a specialist ends with, and beside it. */
  readonly result?: JsonRecord;
  readonly outcome?: JsonRecord;
}

/**
 * What each agent does in the scripted run, turn by turn. Their tools really run.
 * @param directory the sample project
 */
export function scriptedTurns(directory: string): Record<string, TurnSource[]> {
  const plan = readTemplate("demo-plan.md");
  const fill = (_key: string, value: unknown): unknown => (value === "{plan}" ? plan : value);
  const script = JSON.parse(readTemplate("demo-script.json"), fill) as Record<string, ScriptedTurn[]>;
  const play = ({ text = "", calls = [], result: data, outcome }: ScriptedTurn): TurnSource =>
    data === undefined
      ? { text, calls: calls.map(([tool, args]) => callOf(tool, args, directory)) }
      : result(data, outcome === undefined ? {} : { outcome });
  return Object.fromEntries(Object.entries(script).map(([agent, turns]) => [agent, turns.map(play)]));
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
