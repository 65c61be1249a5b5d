import type { RefWatch, Watching } from "../vcs/refs/ref-watch.ts";
import type { Knowledge } from "./open.ts";

/**
 * What agents put into the history, or among the files, says nothing of what people accepted: the look at both before a call is
 * where people's part ends, and what a call adds is taken down before anyone hears of that call's end.
 */
export function noteCommits(refs: RefWatch, knowledge: Pick<Knowledge, "begins" | "recorded">): RefWatch {
  const ends = new WeakMap<Watching, (ran: boolean) => Promise<void>>();
  return {
    begin(said) {
      const end = knowledge.begins();
      const watching = refs.begin(said);
      ends.set(watching, end);
      return watching;
    },
    async end(watching) {
      const moved = await refs.end(watching);
      // A branch that was switched to was there before; what nobody said, or said to record, was not.
      const added = watching.said === "records" ? moved.all : moved.hidden;
      await knowledge.recorded(
        added.map(({ to }) => to),
        headBefore(watching),
      );
      await ends.get(watching)?.(true);
      return moved;
    },
    drop(watching) {
      refs.drop(watching);
      void ends.get(watching)?.(false);
    },
  };
}

/** The commit that was checked out when the call began; null for none. */
function headBefore({ looks }: Watching): string | null {
  const [refs] = looks.values();
  const head = refs?.get("HEAD") ?? "";
  return refs?.get(head.replace(/^ref: /u, "")) ?? (head === "" ? null : head);
}
