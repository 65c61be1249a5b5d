import { createError } from "../lib/error.ts";
import type { ProjectTrust, TrustSurvey } from "../project/trust.ts";
import type { Power } from "../trust/power.ts";
import { type Confirm, defineCommand, misuse, type Print } from "./main.ts";
import { openProjectAround } from "./opencode-files.ts";

/** Characters of a hash that name a power on the command line. */
const SHORT = 10;

export const trust = defineCommand({
  name: "trust",
  summary: "show what this project's files ask for in power; grant it or take it back",
  options: { all: { type: "boolean" } },
  words: Infinity,
  async run({ all = false }, { print, confirm, from, environment }, [action = "show", ...ids]) {
    const { trust: projectTrust } = await openProjectAround(from, environment);
    const survey = await projectTrust.survey();
    if (action === "show" && ids.length === 0) print(renderSurvey(survey));
    else if (action === "grant")
      print(await grant(projectTrust, choose(survey.ungranted, ids, all), print, confirm));
    else if (action === "revoke")
      print(
        (await projectTrust.revoke(all ? "all" : choose(survey.asked, ids, false))) === 0
          ? "There is nothing to take back."
          : "Taken back. Check commands stop counting now, the rest with the next start of OpenCode.",
      );
    else throw misuse("trust", `There is no "${action}".`);
    return 0;
  },
});

async function grant(
  projectTrust: ProjectTrust,
  powers: readonly Power[],
  print: Print,
  confirm: Confirm,
): Promise<string> {
  if (powers.length === 0) return "There is nothing to grant.";
  print(renderList(powers));
  if (!(await confirm("\nDo you trust this project with all of that? Type yes: ")))
    return "Nothing was granted.";
  await projectTrust.grant(powers);
  return `Granted, ${powers.length} in all. Check commands count now, the rest with the next start of OpenCode.`;
}

function choose(powers: readonly Power[], ids: readonly string[], all: boolean): readonly Power[] {
  if (all) return powers;
  if (ids.length === 0) throw createError("trust", "Say which: one or more ids, or --all.");
  return ids.map((id) => {
    const isMeant = ({ hash }: Power): boolean => id.length >= SHORT && hash.startsWith(id.toLowerCase());
    const [only, ...more] = powers.filter(isMeant);
    if (only !== undefined && more.length === 0) return only;
    const hint = "See: opencode-gaia trust";
    throw createError("trust", `"${id}" is no id of what is asked for here.`, { hint });
  });
}

function renderSurvey({ asked, ungranted, notices, problem }: TrustSurvey): string {
  const granted = asked.filter((power) => !ungranted.includes(power));
  const part = (head: string, list: readonly unknown[], body: string): string[] =>
    list.length === 0 ? [] : [head, body];
  return [
    ...(problem === null ? [] : [`Nothing is trusted. ${problem}`, ""]),
    ...(asked.length === 0 ? ["This project's files ask for nothing that needs trust."] : []),
    ...part(
      "Not in force yet. To allow it: opencode-gaia trust grant <id>",
      ungranted,
      renderList(ungranted),
    ),
    ...part("In force, because you said yes:", granted, renderList(granted)),
    ...part("In force, for it is only text:", notices, notices.map((notice) => `  ${notice}`).join("\n")),
  ].join("\n");
}

function renderList(powers: readonly Power[]): string {
  return powers
    .map(({ hash, file, key, what }) => `  ${hash.slice(0, SHORT)}  ${file}, ${key}: ${what}`)
    .join("\n");
}
