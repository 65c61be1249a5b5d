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

/** A path as the project's user writes it. */
export function shownPath(path: string, directory: string): string {
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

function describeRecord(input: JsonRecord): string {
  const op = (textOf(input["op"]) ?? "").replaceAll("_", " ");
  const ticked = Array.isArray(input["tick"]) ? `, ticks ${input["tick"].length} tasks` : "";
  return `record: ${op}${ticked}`;
}

function changedLines(state: JsonRecord): string {
  const { additions, deletions } = recordOf(recordOf(state["metadata"])["filediff"]);
  const [added, removed] = [numberOf(additions), numberOf(deletions)];
  return added === undefined ? "" : `  +${added} −${removed ?? 0}`;
}
