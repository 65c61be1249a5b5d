import type { Look } from "../../checks/evidence/prover.ts";
import { checksOf, failedChecks, type RanCheck } from "../../contracts/fields.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { JsonRecord } from "../../lib/json.ts";
import type { Lane, Standing } from "./lane.ts";

/** Commands that are looked at for one specialist. */
const MAX_LOOKS = 3;
const MAX_SHOWN = 120;

/** How a command ends on the files as they are now. */
export type LookAt = (command: string) => Promise<Look>;

export const quoted = (command: string): string => `\`${excerpt(command, MAX_SHOWN)}\``;

/**
 * What the change of a specialist is worth: a command of its contract passes on the files as they are; a bug's fix is proven by
 * the very command that was seen failing before. Its own words prove nothing (SPEC 2.10).
 * @param data of its contract
 * @returns null for a change of documents, which asks for no proof
 */
export async function proveLane(lane: Lane, data: JsonRecord, look: LookAt): Promise<Standing | null> {
  const [failing] = failedChecks(data);
  if (failing !== undefined) return claimed(`${quoted(failing.command)} ended with ${failing.exit_code}`);
  if (lane.name === "bug") {
    return lane.red === null
      ? claimed("no test was seen failing before the fix")
      : showBy([lane.red], "proven", look);
  }
  if (!lane.changesCode) return null;
  const telling = checksOf(data).filter(({ exit_code: code }) => code === 0);
  if (telling.length === 0) return claimed("its contract names no command that proved it");
  return showBy(
    telling.map(({ command }) => command),
    "passes",
    look,
  );
}

/** The first of these commands that fails now, before a fix; null for none. */
export async function findRed(commands: readonly string[], look: LookAt): Promise<string | null> {
  for (const command of [...new Set(commands)].slice(0, MAX_LOOKS))
    if ((await look(command)).end === "failed") return command;
  return null;
}

async function showBy(
  commands: readonly string[],
  kind: "proven" | "passes",
  look: LookAt,
): Promise<Standing> {
  let by: string | null = null;
  let why = "";
  for (const command of [...new Set(commands)].slice(0, MAX_LOOKS)) {
    const seen = await look(command);
    if (seen.end === "failed") return claimed(`${quoted(command)} fails`);
    if (seen.end === "passed") by ??= quoted(command);
    else why ||= `${quoted(command)}: ${excerpt(seen.why, MAX_SHOWN)}`;
  }
  return by === null ? claimed(why) : { kind, by };
}

export function isFailing({ exit_code: code }: RanCheck): boolean {
  return code !== null && code !== 0;
}

const claimed = (why: string): Standing => ({ kind: "claimed", why });
