import { excerpt } from "../../lib/excerpt.ts";

const MAX_ASKED = 200;
const MAX_LINE = 160;
const MAX_LEFT = 5;

/** What a session did, from what the host saw: nothing of it is what a model says. */
export interface SessionFacts {
  /** The user's messages; of many the first and the newest. */
  readonly asked: readonly string[];
  /** Delegations that came to an end, by who worked and how it ended. */
  readonly done: Readonly<Record<string, number>>;
  readonly tasks: { readonly done: number; readonly all: number };
  /** The first open tasks of the plan. */
  readonly open: readonly string[];
  /** The last checks; empty where none ran. */
  readonly checks: string;
  /** `question → answer`. */
  readonly decided: readonly string[];
  /** What nobody was there to be asked for. */
  readonly left: readonly string[];
  /** Why the work stopped; empty where it did not. */
  readonly blocked: string;
}

/** What was asked, done, decided and left, as a list for the next session's reader. Pure; empty where nothing was asked. */
export function renderSummary(facts: SessionFacts): string {
  const { asked, done, tasks, open, checks, decided, left, blocked } = facts;
  if (asked.length === 0) return "";
  const work = Object.entries(done).map(([what, count]) => (count === 1 ? what : `${what} ×${count}`));
  const ticked = tasks.all === 0 ? [] : [`${tasks.done} of ${tasks.all} tasks`];
  const waiting = [
    ...(blocked === "" ? [] : [`BLOCKED: ${blocked}`]),
    ...left,
    ...open.slice(0, MAX_LEFT),
    ...(open.length > MAX_LEFT ? [`${open.length - MAX_LEFT} more tasks`] : []),
  ];
  return [
    ...asked.map((text) => `- Asked: ${excerpt(text, MAX_ASKED)}`),
    `- Done: ${[...ticked, ...work].join(", ") || "nothing that was delegated"}`,
    ...(checks === "" ? [] : [`- Checks: ${excerpt(checks, MAX_LINE)}`]),
    ...decided.map((each) => `- Decided: ${excerpt(each, MAX_LINE)}`),
    `- Left: ${waiting.map((each) => excerpt(each, MAX_LINE)).join("; ") || "nothing"}`,
  ].join("\n");
}
