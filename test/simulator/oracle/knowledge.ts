import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "../opencode/world.ts";

/** Stands in every entry that lies in a schedule's project, none of which a person has accepted. */
const CANARY = "unaccepted-canary";
const STATUSES = ["proposed", "accepted", "rejected"];

/** Lays entries about all that the users of schedules speak of. */
export function layKnowledge(directory: string): void {
  const folder = join(directory, ".gaia/knowledge");
  mkdirSync(folder, { recursive: true });
  for (const status of STATUSES)
    writeFileSync(
      join(folder, `${status}.md`),
      `---\nstatus: ${status}\nby: a person\n---\n${CANARY}: the importer is made, and somebody has to collect what is open.\n`,
    );
}

/** How many messages of a session have been looked at, and are as they were. */
const looked = new WeakMap<Session, number>();

/** Whether a model reads of it for the first time in its next request, which answers into the newest message. */
export function isTold(session: Session): boolean {
  const { messages } = session;
  const before = looked.get(session) ?? 0;
  looked.set(session, messages.length - 1);
  return JSON.stringify(messages.slice(before)).includes(CANARY);
}
