import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Session, World } from "../opencode/world.ts";
import { markOf } from "../players/gaia.ts";
import { UNITS } from "../players/players.ts";

/**
 * What of one conversation's work has come into the other's messages or record.
 * @param unitOf which unit a session works for
 */
export function crossingsIn(world: World, unitOf: (session: Session) => string): string[] {
  const foreign = (text: string, unit: string): boolean =>
    UNITS.some((other) => other !== unit && text.includes(markOf(other)));
  const sessions = [...world.sessions.values()]
    .filter((session) => foreign(JSON.stringify(session.messages), unitOf(session)))
    .map(
      ({ id, parentId }) =>
        `${parentId === null ? "GAIA" : "a specialist"} in ${id} was told of the other's work`,
    );
  const records = UNITS.flatMap((unit) =>
    filesOf(join(world.directory, ".gaia", unit))
      .filter((path) => foreign(readFileSync(path, "utf8"), unit))
      .map((path) => `${path.slice(world.directory.length + 1)} tells of the other's work`),
  );
  return [...sessions, ...records];
}

function filesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));
  return paths.filter((path) => statSync(path).isFile());
}
