import type { Look } from "../../checks/evidence/prover.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { WorkLane, LaneStanding } from "./lane.ts";

const MAX_SHOWN = 120;

/** How a command ends on the files as they are now, run by the host. */
export type LookAt = (command: string) => Promise<Look>;

export const quoted = (command: string): string => `\`${excerpt(command, MAX_SHOWN)}\``;

/**
 * What the change of a specialist is worth (SPEC 11): the command that was named as its proof, and the one that was seen failing
 * before it, pass on the files as they are. Its own words prove nothing.
 * @returns null for a change of documents, which asks for no proof
 */
export async function proveLane(
  { red, verify, changesCode }: WorkLane,
  look: LookAt,
): Promise<LaneStanding | null> {
  const commands = [...new Set([red ?? [], verify ?? []].flat())];
  if (commands.length === 0) return changesCode ? claimed("no `verify` was named for it") : null;
  for (const command of commands) {
    const { end, why } = await look(command);
    if (end === "failed") return { kind: "failed", why: `${quoted(command)} fails` };
    if (end === "unknown") return claimed(`${quoted(command)}: ${excerpt(why, MAX_SHOWN)}`);
  }
  return red === null ? { kind: "passes", by: quoted(verify ?? "") } : { kind: "proven", by: quoted(red) };
}

const claimed = (why: string): LaneStanding => ({ kind: "claimed", why });
