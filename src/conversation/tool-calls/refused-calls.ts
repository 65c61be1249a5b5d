import { excerpt, firstSentence } from "../../lib/text.ts";
import { forPerson } from "../../lib/for-person.ts";
import { recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import type { Redactor } from "../../lib/redaction.ts";
import { isRefusal } from "../../lib/error.ts";
import type { ConversationCore } from "../core.ts";

/** Tells the user of calls of the plugin's own tools that did nothing. @param redact what is shown goes through it: a reason may quote an argument */
export function createRefusedCalls(show: ConversationCore["show"], redact: Redactor) {
  let last = "";
  let standing: string | null = null;
  return {
    /** What was refused first since work last went on, in this turn: the others may follow from it. null where it went on. */
    standing: (): string | null => standing,
    ended(tool: string, args: unknown, result: object): void {
      const isWork = workOf(tool, recordOf(args)) !== null;
      const refused = describeRefusal(tool, args, result);
      if (refused !== null && isWork) standing ??= redact(refused.line.replace("✗ ", ""));
      const isRefused = isRefusal(result) || recordOf(result)["ok"] === false;
      if (!isRefused && isWork) standing = null;
      // Told once, however often a model asks again; what it corrects itself only where it gives up.
      if (refused === null || refused.isSlip || refused.line === last) return;
      last = refused.line;
      show({ kind: "refused", line: redact(refused.line), tone: "warning", isLoud: refused.isLoud });
    },
    forget(): void {
      last = "";
      standing = null;
    },
  };
}

const MAX_GOAL = 60;

interface Work {
  /** What does not happen when the call is refused. */
  without(args: JsonRecord, hasBegun: boolean): string;
  /** Nothing goes on without it, so it is told at once. */
  readonly holdsUp?: true;
}

/** Calls with which work is done, and not only a look or a line of the record. */
const WORK: Readonly<Record<string, Work>> = {
  delegate_gaia: {
    without: ({ agent, goal }) => `${nameOf(agent)}${textOf(goal) ? ` › ${nameOf(goal)}` : ""} · not begun`,
    holdsUp: true,
  },
  complete_wave: { without: (args) => `Wave ${nameOf(args["wave_id"])} stays open`, holdsUp: true },
  open_wave: { without: (args) => `Wave ${nameOf(args["wave_id"])} is not opened`, holdsUp: true },
  run: { without: (_, has) => `The plan is ${has ? "carried out no further" : "not begun"}`, holdsUp: true },
  commit: { without: () => "Nothing is committed", holdsUp: true },
  archive_work_unit: { without: () => "The unit stays open", holdsUp: true },
  request_approval: { without: (args) => `The ${nameOf(args["kind"])} is not approved` },
  update_plan: { without: () => "The plan stays as it was" },
  write_spec: { without: () => "The spec stays as it was" },
  create_work_unit: { without: (args) => `Work unit ${nameOf(args["slug"])} is not begun` },
};

function workOf(tool: string, args: JsonRecord): Work | null {
  const name = tool === "plan_gaia" ? (textOf(args["op"]) ?? "") : tool;
  return WORK[name] ?? null;
}

/** A refused call of the plugin's own tools in one line, since OpenCode shows its row as done; null for all others. Pure. */
export function describeRefusal(tool: string, given: unknown, result: object) {
  const args = recordOf(given);
  const why = whyRefused(result);
  const op = textOf(args["op"]) ?? "";
  const isTold = tool === "delegate_gaia" || tool === "plan_gaia";
  // Checks that fail are told of by what they said.
  if (why === null || !isTold || (op === "verify" && !isRefusal(result))) return null;
  const work = workOf(tool, args);
  const { status, denied, isPut } = recordOf(result);
  const what = work?.without(args, status !== undefined) ?? `${op.replaceAll("_", " ")} was not done`;
  // Or a run that has not begun, and was put to nobody.
  const isSlip = isWrong(result) || (op === "run" && status === undefined && isPut !== true);
  return { line: `✗ ${what}: ${why}`, isSlip, isLoud: !isSlip && work?.holdsUp === true && denied !== true };
}

function whyRefused(result: object): string | null {
  if (recordOf(isRefusal(result) ? result.details : result)["shown"] === true) return null;
  if (isWrong(result)) return "the model called it with wrong arguments";
  if (isRefusal(result)) return forPerson(result.reason);
  const { ok, status, why, error, message, session_id: session } = recordOf(result);
  if (ok !== false && (status !== "failed" || session !== undefined)) return null;
  return forPerson(firstSentence(textOf(why) ?? textOf(error) ?? textOf(message) ?? "it failed"));
}

function isWrong(result: object): boolean {
  return isRefusal(result) && result.isSlip === true;
}

function nameOf(value: unknown): string {
  return excerpt(textOf(value) ?? "", MAX_GOAL) || "?";
}
