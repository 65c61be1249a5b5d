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

/** Whether a model reads of it in its next request. */
export function isTold(session: Session): boolean {
  return JSON.stringify(session.messages).includes(CANARY);
}
