import { existsSync } from "node:fs";
import { relative } from "node:path";
import { isEnded } from "../../delegation/task.ts";
import type { Host } from "../../host/port.ts";
import type { FilePlace } from "../../host/tool.ts";
import { findLane } from "../../project/lanes.ts";
import type { Workplace } from "../../work-tree/workplace.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** Which specialists of a conversation work in worktrees, also after a restart. */
export type Worktrees = ReturnType<typeof createWorktrees>;

interface Place {
  readonly name: string;
  readonly sessions: Set<string>;
  /** Null after a restart, until it is needed. */
  workplace: Workplace | null;
}

const MAX_PLACES = 24;

export function createWorktrees(
  { rootId, tasks, keep }: Pick<ConversationCore, "rootId" | "tasks" | "keep">,
  { openWorkplace, lanes, host }: Pick<ConversationServices, "openWorkplace" | "lanes" | "host">,
  find = findLane,
) {
  const places = new Map<string, Place>();
  const placeOf = (sessionId: string): Place | undefined =>
    [...places.values()].find(({ sessions }) => sessions.has(sessionId));
  /** Worktrees whose work has not landed. The user may have removed one; the tree of a unit does not land. */
  const describe = (): string | null => {
    const isThere = ({ name, workplace }: Place): boolean =>
      name.includes("/") && (workplace === null || existsSync(workplace.to));
    const names = [...places.values()].filter(isThere).map(({ name }) => name);
    return names.length === 0 ? null : `in worktrees, not landed: ${names.join(", ")}`;
  };
  const open = (name: string, from: string, to: string): Workplace => {
    const place = places.get(name) ?? { name, sessions: new Set<string>(), workplace: null };
    place.workplace ??= openWorkplace(from, to);
    places.set(name, place);
    keep();
    return place.workplace;
  };

  return {
    /** Opens a worktree by its name: `<unit>/<task>`, or `<unit>` for that of a unit's branch. Its workplace is the same until it is closed. */
    open,
    enter(sessionId: string, name: string): void {
      for (const { sessions } of places.values()) sessions.delete(sessionId);
      places.get(name)?.sessions.add(sessionId);
      keep();
    },
    /** Its work has landed, or it is gone: its sessions work in the user's tree from now on. */
    close(name: string): void {
      places.get(name)?.workplace?.dispose();
      if (places.delete(name)) keep();
    },
    /** Gives it to another conversation; its sessions are told that it was removed. @returns false while a task runs in it */
    yield(name: string): boolean {
      const place = places.get(name);
      if (place === undefined) return true;
      if (tasks().some((task) => place.sessions.has(task.sessionId) && !isEnded(task))) return false;
      place.workplace?.dispose();
      place.workplace = null;
      keep();
      return true;
    },
    of: (sessionId: string): Workplace | null => placeOf(sessionId)?.workplace ?? null,
    /** Opens the worktree of a session again where that is needed. @returns why the session cannot go on; null where it can */
    async settle(sessionId: string): Promise<string | null> {
      const place = placeOf(sessionId);
      if (place === undefined) return null;
      const { name } = place;
      if (place.workplace === null) {
        const found = await find(host.project, lanes, rootId, name);
        if (typeof found === "string") return gone(name, found);
        open(name, found.from, found.to);
      }
      return existsSync(place.workplace?.to ?? "") ? null : gone(name, "it was removed");
    },
    /** For a person, in a few words; null where there is none. */
    describe,
    observe(event) {
      if (event.type === "session.deleted") placeOf(event.sessionId)?.sessions.delete(event.sessionId);
    },
    shown: () => ({ worktrees: describe() }),
    snapshot: () =>
      places.size === 0
        ? undefined
        : [...places.values()]
            .slice(-MAX_PLACES)
            .map(({ name, sessions }) => ({ name, sessions: [...sessions] })),
    restore(saved: readonly { readonly name: string; readonly sessions: readonly string[] }[]) {
      for (const { name, sessions } of saved)
        places.set(name, { name, sessions: new Set(sessions), workplace: null });
    },
    dispose() {
      for (const { workplace } of places.values()) workplace?.dispose();
    },
  } satisfies Part & Record<string, unknown>;
}

function gone(name: string, why: string): string {
  return `This session works in the worktree ${name}, and nowhere else: ${why}. Begin a new session, or plan_gaia run.`;
}

/** The place of a session's files: the project, or the worktree that replaces it. */
export function filePlaceOf(
  worktrees: Pick<Worktrees, "of">,
  host: Pick<Host, "directory" | "project" | "worktree">,
  { sessionId, agent }: Pick<FilePlace, "sessionId" | "agent">,
): FilePlace {
  const workplace = worktrees.of(sessionId);
  const { directory, project } = workplace?.place ?? host;
  const below = relative(host.worktree, host.project).replaceAll("\\", "/");
  return { directory, project, below, standsFor: workplace, sessionId, agent };
}
