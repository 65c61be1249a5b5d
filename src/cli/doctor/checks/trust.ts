import type { Facts } from "../facts.ts";
import { error, ok, warn, type Diagnosis } from "../finding.ts";

/** What the project's files ask for and do not get, because the user has not said yes to it. */
export function checkTrust({ trust: { asked, ungranted, notices, problem } }: Facts): Diagnosis[] {
  const fix = "To say yes: opencode-gaia trust";
  const verdicts = [
    ...(problem === null ? [] : [error(`Nothing is trusted. ${problem}`, "Repair or delete that file.")]),
    ...ungranted.map(({ file, key, what }) => warn(`Not in force: ${file}, ${key}: ${what}.`, fix)),
    ...notices.map((notice) => ok(notice)),
  ];
  if (verdicts.length > 0) return verdicts;
  if (asked.length === 0) return [ok("The project's files ask for nothing that needs trust.")];
  const back = "To take it back: opencode-gaia trust revoke --all";
  return [ok(`You trust all ${asked.length} things that the project's files ask for.`, back)];
}
