import { excerpt } from "../../lib/excerpt.ts";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import type { Logger } from "../../lib/logger.ts";
import { overlap } from "../../lib/words.ts";
import { termOf, wordsOf } from "../../record/recall/terms.ts";
import type { DecisionInput } from "../../record/documents/decision.ts";
import type { PlanTask } from "../../plan/task.ts";
import { hasRecord } from "../../record/documents/log.ts";
import type { Workspace } from "../../record/workspace.ts";

const MAX_ITEMS = 20;
const MAX_ENTRY = 8_000;
const MAX_TEXT = 300;
/** The share of their words by which two wordings of a question with the same answer are one. */
const SAME_QUESTION = 0.5;

/** A historian's valid contract, and where it belongs. */
export interface Harvest {
  readonly slug: string;
  /** The conversation's session. */
  readonly root: string;
  /** Of the historian's task. */
  readonly id: string;
  readonly by: string;
  readonly data: unknown;
  /** Whether the historian has written an entry of the log by a tool already. */
  readonly hasOwnEntry: boolean;
}

/**
 * Writes what a historian returned: decisions, learnings as proposals, ticks of the plan, and at last the entry of the log, by
 * which a second try knows that all of it is there (SPEC 10). Each step writes nothing twice.
 * @returns `nowhere` when there is no such unit
 */
export async function writeHarvest(
  workspace: Workspace,
  logger: Logger,
  { slug, root, id, by, data, hasOwnEntry }: Harvest,
): Promise<"written" | "failed" | "nowhere"> {
  const unit = await workspace.readWorkUnit({ slug });
  if (!unit.ok) return "nowhere";
  if (hasRecord(unit.content.log_md, id)) return "written";
  const contract = recordOf(data);
  /** What cannot be written takes nothing else down. */
  const write = async (step: Promise<Written | null>): Promise<boolean> => {
    const done = await step;
    if (done?.ok === false) logger.log("warn", "harvest", `${done.error} ${done.hint ?? ""}`, { slug });
    return done?.ok !== false;
  };
  await write(writeDecisions(workspace, slug, contract["decisions"]));
  await write(propose(workspace, contract["learnings"], by, slug));
  const { ticks, notes } = readTicks(texts(contract["plan_updates"]), unit.tasks);
  if (ticks.length > 0) await write(workspace.updatePlan({ slug, tick: ticks }));
  const entry = (textOf(contract["log_entry"]) ?? "").slice(0, MAX_ENTRY).trim();
  const isThere = hasOwnEntry || (entry !== "" && flat(unit.content.log_md).includes(flat(entry)));
  const markdown = [
    isThere ? "" : entry,
    notes.map((note) => `- Plan: ${excerpt(note, MAX_TEXT)}`).join("\n"),
  ];
  const record = { slug, root, id, by, markdown: markdown.filter(Boolean).join("\n\n") };
  return (await write(workspace.logRecord(record))) ? "written" : "failed";
}

type Written = { readonly ok: true } | { readonly ok: false; readonly error: string; readonly hint?: string };

/** The plugin has a row of every choice already: a historian's adds reasons to it, in whatever words they put the question. */
async function writeDecisions(workspace: Workspace, slug: string, raw: unknown): Promise<Written | null> {
  const known = await workspace.readDecisions({ slug });
  if (!known.ok) return known;
  const rows = listOf(raw)
    .slice(0, MAX_ITEMS)
    .map(readDecision)
    .filter(({ question, choice }) => question !== "" && choice !== "")
    .map((row) => {
      const { question, choice } = known.decisions.findLast((each) => isSame(each, row)) ?? row;
      return { ...row, question, choice };
    });
  return rows.length === 0 ? null : workspace.appendDecisions({ slug, rows });
}

function readDecision(raw: unknown): Required<Omit<DecisionInput, "date">> {
  const row = recordOf(raw);
  const cell = (name: string): string => excerpt(textOf(row[name]) ?? "", MAX_TEXT);
  return {
    question: cell("question"),
    choice: cell("answer"),
    rationale: cell("rationale"),
    impact: cell("impact"),
  };
}

function isSame(
  known: { readonly question: string; readonly choice: string },
  row: { readonly question: string; readonly choice: string },
): boolean {
  if (known.choice.trim().toLowerCase() !== row.choice.trim().toLowerCase()) return false;
  const [one = [], other = []] = [known.question, row.question].map((text) =>
    wordsOf(text).flatMap((word) => termOf(word) ?? []),
  );
  return overlap(one, other) >= SAME_QUESTION;
}

/** A model's learnings are for a human to accept. @param unit by default the active one */
export async function propose(workspace: Workspace, raw: unknown, by: string, unit?: string | null) {
  const learnings = texts(raw).map((text) => ({ text: excerpt(text, MAX_TEXT) }));
  return workspace.observe({ learnings, unit, by });
}

function texts(value: unknown): string[] {
  return listOf(value)
    .filter((each): each is string => typeof each === "string")
    .slice(0, MAX_ITEMS);
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** `tick 2`: plain words such as "2 was not done" tick nothing, and are a note. */
function readTicks(
  updates: readonly string[],
  tasks: readonly PlanTask[],
): { readonly ticks: readonly number[]; readonly notes: readonly string[] } {
  const ticks = new Set<number>();
  const notes: string[] = [];
  for (const update of updates.map(flat).filter((line) => line !== "")) {
    const [word = "", ...rest] = update.toLowerCase().split(" ");
    const number = Number(rest.join(" "));
    const task = word === "tick" ? tasks.find((each) => each.number === number) : undefined;
    if (task === undefined) notes.push(update);
    else if (!task.done) ticks.add(number);
  }
  return { ticks: [...ticks], notes };
}
