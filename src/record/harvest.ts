import { excerpt } from "../lib/text.ts";
import type { Logger } from "../lib/error.ts";
import type { PlanTask } from "../plan/task.ts";
import { hasRecord } from "./documents.ts";
import type { Workspace } from "./workspace.ts";

const MAX_ITEMS = 20;
const MAX_ENTRY = 8_000;
const MAX_TEXT = 300;

/**
 * Writes what a historian returned: decisions, learnings as proposals, ticks of the plan, and at last the entry of the log, by
 * which a second try knows that all of it is there (SPEC 10). Each step writes nothing twice.
 * @returns `nowhere` when there is no such unit
 */
export async function writeHarvest(
  workspace: Workspace,
  logger: Logger,
  { slug, root, id, by, data, hasOwnEntry }: HarvestInput,
): Promise<"written" | "failed" | "nowhere"> {
  const unit = await workspace.readWorkUnit({ slug });
  if (!unit.ok) return "nowhere";
  if (hasRecord(unit.content.log_md, id)) return "written";
  // It was read by the historian's contract.
  const { log_entry, decisions, learnings, plan_updates } = data as HarvestData;
  /** What cannot be written takes nothing else down. */
  const write = async (step: Promise<Written | null>): Promise<boolean> => {
    const done = await step;
    if (done?.ok === false) logger.log("warn", "harvest", `${done.error} ${done.hint ?? ""}`, { slug });
    return done?.ok !== false;
  };
  await write(writeDecisions(workspace, slug, decisions));
  await write(propose(workspace, learnings, by, slug));
  const { ticks, notes } = readTicks(plan_updates.slice(0, MAX_ITEMS), unit.tasks);
  if (ticks.length > 0) await write(workspace.updatePlan({ slug, tick: ticks }));
  const entry = log_entry.slice(0, MAX_ENTRY).trim();
  const isThere = hasOwnEntry || (entry !== "" && flat(unit.content.log_md).includes(flat(entry)));
  const markdown = [
    isThere ? "" : entry,
    notes.map((note) => `- Plan: ${excerpt(note, MAX_TEXT)}`).join("\n"),
  ];
  const record = { slug, root, id, by, markdown: markdown.filter(Boolean).join("\n\n") };
  return (await write(workspace.logRecord(record))) ? "written" : "failed";
}

/** A historian's valid contract, and where it belongs. */
interface HarvestInput extends Readonly<Record<"slug" | "root" | "id" | "by", string>> {
  readonly data: unknown;
  /** Whether the historian has written an entry of the log by a tool already. */
  readonly hasOwnEntry: boolean;
}

interface HarvestData {
  readonly log_entry: string;
  readonly decisions: readonly Readonly<
    Record<"question" | "answer" | "impact", string> & { rationale?: string }
  >[];
  readonly learnings: readonly string[];
  readonly plan_updates: readonly string[];
}
type Written = { readonly ok: true } | { readonly ok: false; readonly error: string; readonly hint?: string };

/** The plugin has a row of every choice already: a historian's adds reasons to it, also where they say more of the question. */
async function writeDecisions(
  workspace: Workspace,
  slug: string,
  decisions: HarvestData["decisions"],
): Promise<Written | null> {
  const known = await workspace.readDecisions({ slug });
  if (!known.ok) return known;
  const rows = decisions.slice(0, MAX_ITEMS).flatMap((row) => {
    const cell = (text = ""): string => excerpt(text, MAX_TEXT);
    const told = { question: cell(row.question), choice: cell(row.answer) };
    if (told.question === "" || told.choice === "") return [];
    const { question, choice } = known.decisions.findLast((each) => isSame(each, told)) ?? told;
    return { question, choice, rationale: cell(row.rationale), impact: cell(row.impact) };
  });
  return rows.length === 0 ? null : workspace.appendDecisions({ slug, rows });
}

type Choice = Readonly<Record<"question" | "choice", string>>;

function isSame(known: Choice, told: Choice): boolean {
  const isAnswer = plain(known.choice) === plain(told.choice);
  return isAnswer && plain(told.question).includes(plain(known.question));
}

function plain(text: string): string {
  return flat(text).toLowerCase();
}

/** A model's learnings are for a human to accept. @param unit by default the active one */
export async function propose(
  workspace: Workspace,
  learnings: readonly string[],
  by: string,
  unit?: string | null,
) {
  const texts = learnings.slice(0, MAX_ITEMS).map((text) => ({ text: excerpt(text, MAX_TEXT) }));
  return workspace.observe({ learnings: texts, unit, by });
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
