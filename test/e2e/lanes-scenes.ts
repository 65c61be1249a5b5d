import type { JsonRecord } from "../../src/lib/json.ts";
import { call, result, type Turn } from "../../src/scripted-model/turn.ts";
import type { Outcome } from "../support/project.ts";
import { resultsOf } from "./gates-scenes.ts";

/** A file of many lines that several tasks change at once, in a folder whose name has a space. */
export const FILE = "the folder/shared.txt";
const LINES = Array.from({ length: 14 }, (_, line) => `line ${line};`);

/** That file, with these lines changed. */
export const text = (change: Record<number, string> = {}): string =>
  `${LINES.map((line, at) => change[at] ?? line).join("\n")}\n`;

/** A task that writes its name into that file, and a file of its own. */
const task = (number: number, name: string): string =>
  `- [ ] ${number}. Change ${name}\n  - agent: hephaestus\n  - wave: 1\n  - files: ${name}.txt\n  - verify: grep -q ${name} '${FILE}'\n`;

/** A plan of one wave with two such tasks. */
export const planOf = (first: string, second: string): string =>
  `## Goal\n\nOne file.\n\n## Tasks\n\n${task(1, first)}${task(2, second)}`;
export const PLAN = planOf("top", "end");

/** A result that fits the historian's contract. */
export const recorded = result({
  log_entry: "x",
  decisions: [],
  learnings: [],
  plan_updates: [],
  session_summary: "x",
});

export const bash = (command: string): Turn => call("bash", { command, description: "Work" });

/** What the runs of a plan have reported to GAIA. */
export const reports = (outcome: Outcome): JsonRecord[] =>
  resultsOf(outcome, "plan_gaia").filter((row) => "status" in row && "tasks" in row);
