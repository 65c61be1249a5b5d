import { isAbsolute, relative } from "node:path";
import { numberOf, recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import { countTests, renderCounts } from "./test-counts.ts";

/** A finished tool call as one line of progress. */
export interface ToolLine {
  readonly text: string;
  readonly failed: boolean;
  /** Looking around: several of these in a row are shown as one line. */
  readonly looks: boolean;
}

/** Tools that only pass something on; what they do is shown in other words. */
const SILENT = new Set(["StructuredOutput", "delegate_gaia", "collect_results", "question", "todowrite"]);

/**
 * @param part a tool part of OpenCode's transcript
 * @param directory the project; paths are shown relative to it
 * @returns null while it runs, and for calls that are shown otherwise
 */
export function describeTool(part: JsonRecord, directory: string): ToolLine | null {
  const state = recordOf(part["state"]);
  const tool = textOf(part["tool"]) ?? "";
  const input = recordOf(state["input"]);
  if (SILENT.has(tool)) return null;
  if (state["status"] === "error") {
    const reason = (textOf(state["error"]) ?? "").split("\n")[0] ?? "";
    return { text: `${tool} refused: ${reason}`, failed: true, looks: false };
  }
  if (state["status"] !== "completed") return null;
  const path = shownPath(textOf(input["filePath"]) ?? "", directory);
  switch (tool) {
    case "read":
    case "glob":
    case "grep":
      return { text: `${tool} ${path || (textOf(input["pattern"]) ?? "")}`, failed: false, looks: true };
    case "bash":
      return describeCommand(textOf(input["command"]) ?? "", state);
    case "plan_gaia":
      return done(describeRecord(input));
    case "edit":
    case "write":
      return done(`${tool} ${path}${changedLines(state)}`);
    default:
      return done(`${tool} ${textOf(state["title"]) ?? ""}`.trim());
  }
}

/**
 * What a permission request asks for, in the words of somebody who asks.
 * @param asked the properties of OpenCode's `permission.asked`
 */
export function describePermission(asked: JsonRecord, directory: string): string {
  const permission = textOf(asked["permission"]) ?? "";
  const patterns = Array.isArray(asked["patterns"]) ? asked["patterns"].map(String) : [];
  const command = textOf(recordOf(asked["metadata"])["command"]) ?? patterns.join(" && ");
  if (permission === "bash") return `may I run ${command}`;
  const approval = /^gaia_approval: (.+)$/.exec(permission)?.[1];
  if (approval !== undefined) return `do you approve the ${approval}`;
  if (permission === "external_directory") return `may I leave the project for ${patterns.join(", ")}`;
  return `may I ${permission} ${patterns.map((path) => shownPath(path, directory)).join(", ")}`;
}

/** A path as the project's user writes it. */
function shownPath(path: string, directory: string): string {
  return isAbsolute(path) ? relative(directory, path) : path;
}

function done(text: string): ToolLine {
  return { text, failed: false, looks: false };
}

function describeCommand(command: string, state: JsonRecord): ToolLine {
  const exit = numberOf(recordOf(state["metadata"])["exit"]);
  const tests = countTests(textOf(state["output"]) ?? "");
  const counted = tests === null ? "" : `: ${renderCounts(tests)}`;
  return {
    text: `$ ${command} → exit ${exit ?? "unknown"}${counted}`,
    failed: exit !== 0,
    looks: false,
  };
}

/** What `plan_gaia` does to the record. */
const RECORD_WORDS: Readonly<Record<string, string>> = {
  create_work_unit: "opens the work unit",
  append_log: "adds to log.md",
  append_decisions: "adds to decisions.md",
  append_learnings: "adds to learnings.md",
};

function describeRecord(input: JsonRecord): string {
  const op = textOf(input["op"]) ?? "";
  const ticked = Array.isArray(input["tick"]) ? `, ticks ${input["tick"].length} tasks` : "";
  const words = op === "update_plan" ? `writes plan.md${ticked}` : RECORD_WORDS[op];
  return `record: ${words ?? op.replaceAll("_", " ")}`;
}

function changedLines(state: JsonRecord): string {
  const { additions, deletions } = recordOf(recordOf(state["metadata"])["filediff"]);
  if (numberOf(additions) !== undefined) return `  +${numberOf(additions)} −${numberOf(deletions) ?? 0}`;
  const content = textOf(recordOf(state["input"])["content"]);
  return content === undefined ? "" : `  +${content.trimEnd().split("\n").length}`;
}
