import { listOf, parseJson, recordOf, textOf, type JsonRecord } from "../../../src/lib/json.ts";
import type { Session } from "../opencode/world.ts";
import type { SeenCall } from "./oracle.ts";

interface Entry {
  readonly rootId: string;
  /** How often GAIA was given its end without having named it. */
  given: number;
  /** Whether she was given its end at all. */
  isCollected: boolean;
}

/** Keeps the books of all background tasks that GAIA was told of: each is to reach her once. */
export function createBooks(report: (what: string) => void) {
  const entries = new Map<string, Entry>();
  let isDoubtful = false;

  const give = (session: Session, result: JsonRecord, isNamed: boolean): void => {
    const id = textOf(result["task_id"]) ?? "";
    const entry = entries.get(id);
    if (entry !== undefined && entry.rootId !== session.id) report(`task ${id} was told to ${session.id}`);
    if (entry === undefined || result["status"] === "running") return;
    entry.isCollected = true;
    if (isNamed) return;
    entry.given += 1;
    if (entry.given > 1 && !isDoubtful) report(`task ${id} was handed over ${entry.given} times`);
  };
  const each = (value: unknown): JsonRecord[] => listOf(value).map(recordOf);

  return {
    returned({ tool, session, args }: SeenCall, result: JsonRecord) {
      const id = textOf(result["task_id"]);
      if (tool === "delegate_gaia" && id !== undefined) {
        // Who goes on in a session has given up what a crash left open in it.
        const earlier = [...entries].filter(([known]) => sessionOf(known) === sessionOf(id) && known !== id);
        for (const [, entry] of earlier) entry.isCollected = true;
      }
      if (tool === "delegate_gaia" && args["background"] === true) {
        if (id === undefined) return;
        if (entries.has(id)) report(`two tasks are called ${id}`);
        entries.set(id, { rootId: session.id, given: 0, isCollected: result["status"] !== "running" });
      }
      if (tool !== "collect_results") return;
      const isNamed = args["task_id"] !== undefined || args["task_ids"] !== undefined;
      const results = each(result["results"]);
      for (const one of results.length === 0 ? [result] : results) give(session, one, isNamed);
    },
    woken(session: Session, text: string) {
      const json = /^\{"results":.*$/m.exec(text)?.[0];
      for (const one of each(recordOf(parseJson(json ?? ""))["results"])) give(session, one, false);
    },
    deleted(session: Session) {
      for (const [id, entry] of entries) if (entry.rootId === session.id) entries.delete(id);
      entries.delete(`task_${session.id.replace(/^ses_/, "")}_1`);
    },
    /** What is given twice from now on is no fault: nobody knows whether what was on its way arrived. */
    doubt() {
      isDoubtful = true;
    },
    ended() {
      for (const [id, entry] of entries) if (!entry.isCollected) report(`task ${id} was lost`);
    },
  };
}

/** A task is named after its session and counted in it. */
function sessionOf(taskId: string): string {
  return taskId.replace(/_\d+$/, "");
}
