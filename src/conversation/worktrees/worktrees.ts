import type { Host } from "../../host/port.ts";
import type { Containment } from "../../policy/containment/port.ts";
import type { ExamineCall } from "../../policy/load-policy.ts";
import type { Part } from "../part.ts";

/** A worktree that stands for the project while a specialist works in it, with everything that judges their calls by it. */
export interface Workplace {
  /** The top of the user's own tree, and that of the worktree. */
  readonly from: string;
  readonly to: string;
  /** Where calls are made in it, and the project in it. */
  readonly place: Pick<Host, "directory" | "project">;
  /** The worktree is the project, the user's tree is outside of it. */
  readonly examine: ExamineCall;
  containment(): Promise<Containment>;
}

/** Which specialists of a conversation work in a worktree of their own. */
export interface Worktrees extends Part {
  enter(sessionId: string, workplace: Workplace): void;
  leave(sessionId: string): void;
  of(sessionId: string): Workplace | null;
}

export function createWorktrees(): Worktrees {
  const places = new Map<string, Workplace>();
  return {
    enter(sessionId, workplace) {
      places.set(sessionId, workplace);
    },
    leave(sessionId) {
      places.delete(sessionId);
    },
    of: (sessionId) => places.get(sessionId) ?? null,
    observe(event) {
      if (event.type === "session.deleted") places.delete(event.sessionId);
    },
  };
}
