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
  readonly sessions: readonly string[];
}

const MAX_PLACES = 24;

export function createWorktrees(
  { rootId, tasks, remember }: Pick<ConversationCore, "rootId" | "tasks" | "remember">,
  { openWorkplace, lanes, host }: Pick<ConversationServices, "openWorkplace" | "lanes" | "host">,
  find = findLane,
) {
  const places = remember<readonly Place[]>("worktrees", [], (all) => all.slice(-MAX_PLACES));
  /** By name; after a restart opened again where they are needed. */
  const workplaces = new Map<string, Workplace>();
  const placeOf = (sessionId: string): Place | undefined =>
    places.now.find(({ sessions }) => sessions.includes(sessionId));
  const leave = (sessionId: string): Place[] =>
    places.now.map((place) => ({ ...place, sessions: place.sessions.filter((each) => each !== sessionId) }));
  /** Worktrees whose work has not landed. The user may have removed one; the tree of a unit does not land. */
  const describe = (): string | null => {
    const isThere = ({ name }: Place): boolean => {
      const folder = workplaces.get(name)?.to;
      return name.includes("/") && (folder === undefined || existsSync(folder));
    };
    const names = places.now.filter(isThere).map(({ name }) => name);
    return names.length === 0 ? null : `in worktrees, not landed: ${names.join(", ")}`;
  };
  const open = (name: string, from: string, to: string): Workplace => {
    const workplace = workplaces.get(name) ?? openWorkplace(from, to);
    workplaces.set(name, workplace);
    if (!places.now.some((place) => place.name === name))
      places.now = [...places.now, { name, sessions: [] }];
    return workplace;
  };
  const shut = (name: string): void => {
    workplaces.get(name)?.dispose();
    workplaces.delete(name);
  };

  return {
    /** Opens a worktree by its name: `<unit>/<task>`, or `<unit>` for that of a unit's branch. Its workplace is the same until it is closed. */
    open,
    enter(sessionId: string, name: string): void {
      places.now = leave(sessionId).map((place) =>
        place.name === name ? { ...place, sessions: [...place.sessions, sessionId] } : place,
      );
    },
    /** Its work has landed, or it is gone: its sessions work in the user's tree from now on. */
    close(name: string): void {
      shut(name);
      places.now = places.now.filter((place) => place.name !== name);
    },
    /** Gives it to another conversation; its sessions are told that it was removed. @returns false while a task runs in it */
    yield(name: string): boolean {
      if (tasks().some((task) => placeOf(task.sessionId)?.name === name && !isEnded(task))) return false;
      shut(name);
      return true;
    },
    of: (sessionId: string): Workplace | null => workplaces.get(placeOf(sessionId)?.name ?? "") ?? null,
    /** Opens the worktree of a session again where that is needed. @returns why the session cannot go on; null where it can */
    async settle(sessionId: string): Promise<string | null> {
      const { name } = placeOf(sessionId) ?? {};
      if (name === undefined) return null;
      if (!workplaces.has(name)) {
        const found = await find(host.project, lanes, rootId, name);
        if (typeof found === "string") return gone(name, found);
        open(name, found.from, found.to);
      }
      return existsSync(workplaces.get(name)?.to ?? "") ? null : gone(name, "it was removed");
    },
    /** For a person, in a few words; null where there is none. */
    describe,
    observe(event) {
      if (event.type === "session.deleted" && placeOf(event.sessionId) !== undefined)
        places.now = leave(event.sessionId);
    },
    shown: () => ({ worktrees: describe() }),
    dispose() {
      for (const workplace of workplaces.values()) workplace.dispose();
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
