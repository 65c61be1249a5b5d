import { excerpt } from "../../lib/excerpt.ts";
import { forPerson } from "../../lib/for-person.ts";
import { recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import type { Redactor } from "../../lib/redaction.ts";
import { isRefusal } from "../../lib/refusal.ts";
import { firstSentence } from "../../lib/sentence.ts";
import type { ConversationCore } from "../core.ts";

/** Tells the user of calls of the plugin's own tools that did nothing. @param redact what is shown goes through it: a reason may quote an argument */
export function createRefusedCalls(show: ConversationCore["show"], redact: Redactor) {
  let last = "";
  let standing: string | null = null;
  return {
    /** What was refused first since work last went on, in this turn: the others may follow from it. null where it went on. */
    standing: (): string | null => standing,
    ended(tool: string, args: unknown, result: object): void {
      const refused = describeRefusal(tool, args, result);
      if (refused?.isWork === true) standing ??= redact(refused.line.replace("✗ ", ""));
      const isRefused = isRefusal(result) || recordOf(result)["ok"] === false;
      if (!isRefused && isWork(tool, recordOf(args))) standing = null;
      // Told once, however often a model asks again.
      if (refused === null || refused.line === last) return;
      last = refused.line;
      show({ kind: "refused", line: redact(refused.line), isLoud: refused.isLoud });
    },
    forget(): void {
      last = "";
      standing = null;
    },
  };
}

const MAX_GOAL = 60;

interface RefusedCall {
  readonly line: string;
  /** Whether it holds up the work, so that it is told at once. */
  readonly isLoud: boolean;
  /** Whether it keeps work from being done, and not only a look or a line of the record. */
  readonly isWork: boolean;
}

/** What does not happen when an operation of the record is refused; what is not listed holds up nothing. */
const HELD_UP: Readonly<Record<string, (args: JsonRecord) => string>> = {
  complete_wave: (args) => `Wave ${nameOf(args["wave_id"])} stays open`,
  open_wave: (args) => `Wave ${nameOf(args["wave_id"])} is not opened`,
  run: () => "The plan is carried out no further",
  commit: () => "Nothing is committed",
  archive_work_unit: () => "The unit stays open",
};
const QUIET: Readonly<Record<string, (args: JsonRecord) => string>> = {
  request_approval: (args) => `The ${nameOf(args["kind"])} is not approved`,
  update_plan: () => "The plan stays as it was",
  write_spec: () => "The spec stays as it was",
  create_work_unit: (args) => `Work unit ${nameOf(args["slug"])} is not begun`,
};

/** A refused call of the plugin's own tools in one line, since OpenCode shows its row as done; null for all others. Pure. */
export function describeRefusal(tool: string, given: unknown, result: object): RefusedCall | null {
  const args = recordOf(given);
  const why = whyRefused(result);
  if (why === null) return null;
  if (tool === "delegate_gaia") {
    const goal = textOf(args["goal"]) ?? "";
    const what = goal === "" ? "" : ` › ${excerpt(goal, MAX_GOAL)}`;
    return { line: `✗ ${nameOf(args["agent"])}${what} · not begun: ${why}`, isLoud: true, isWork: true };
  }
  const op = textOf(args["op"]) ?? "";
  // Checks that fail are told of by what they said.
  if (tool !== "plan_gaia" || (op === "verify" && !isRefusal(result))) return null;
  const loud = HELD_UP[op];
  const what = (loud ?? QUIET[op])?.(args) ?? `${op.replaceAll("_", " ")} was not done`;
  const isLoud = loud !== undefined && recordOf(result)["denied"] !== true;
  return { line: `✗ ${what}: ${why}`, isLoud, isWork: isWork(tool, args) };
}

function isWork(tool: string, args: JsonRecord): boolean {
  const op = textOf(args["op"]) ?? "";
  return tool === "delegate_gaia" || (tool === "plan_gaia" && (op in HELD_UP || op in QUIET));
}

function whyRefused(result: object): string | null {
  if (recordOf(isRefusal(result) ? result.details : result)["shown"] === true) return null;
  if (isRefusal(result)) return forPerson(result.reason);
  const { ok, status, why, error, message, session_id: session } = recordOf(result);
  if (ok !== false && (status !== "failed" || session !== undefined)) return null;
  const text = textOf(why) ?? textOf(error) ?? textOf(message) ?? "it failed";
  // Which other words a model may choose is nothing to a person.
  const plain = text.replace(/^Wrong arguments\. /, "").replace(/: expected one of .*/s, "");
  return forPerson(firstSentence(plain));
}

function nameOf(value: unknown): string {
  return excerpt(textOf(value) ?? "", MAX_GOAL) || "?";
}
