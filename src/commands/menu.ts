import { KNOB_COMMANDS, type KnobCommandName } from "../conversation/collaboration/knobs.ts";
import type { CommandEntry } from "./define.ts";
import { templateOf } from "./free.ts";

/** All slash commands, in the order of the documentation. What one does is loaded with GAIA's features (`registry.ts`). */
export const MENU = [
  ...knobs("autopilot", "supervised", "locked", "live", "checkpoint", "quiet", "pair", "standard"),
  entry("next", "go on from this check-in; words behind it are feedback"),
  ...knobs("profile", "cadence", "review"),
  entry("gaia-init", "create or refresh gaia-init.md; decide on proposed learnings and checks", "always"),
  entry("gaia-init-deep", "write what the code does not show into AGENTS.md files that you pick: [folder]"),
  entry(
    "gaia-status",
    "show mode, plan, running specialists, budgets, checks and what waits for me",
    "always",
  ),
  entry("gaia-trust", "show what this project's files ask for beyond the safe part, and ask me about it"),
  entry("handoff", "write a hand-over into the log, from which a new session goes on"),
  entry("talk", "speak with <specialist> yourself; /back returns"),
  entry("back", "back from /talk, with what was agreed and changed"),
  entry("gaia-spec", "specify <feature> with me in five phases, written to the unit's spec.md"),
  entry("gaia-plan", "plan <request, file or approved spec> with me; --cancel leaves it", "always"),
  entry("gaia-work", "carry out the approved plan of [slug], by default of the open work unit"),
  entry("gaia-ab", "have <task> done twice, each alone, and keep the better"),
  entry("gaia-check", "run the Definition of Done for me: [doc] [force], [accept] changed checks"),
  entry("gaia-review", "have my uncommitted changes or [branch] reviewed, for advice only; [focus]"),
  entry("gaia-findings", "list what was found, or begin work from one: [start <id>]"),
  entry("gaia-unify", "close the work unit [slug]: planned against delivered, learnings, documents, archive"),
  entry("gaia-pr", "push this branch and open or update its pull request: [unit] [--draft]"),
  entry("gaia-why", "tell why <file[:line] or symbol> is as it is, from the record and commits"),
];

/** In the form of OpenCode's configuration. The text is replaced when the command is typed. @param isUsed the project has a record */
export function commandEntries(isUsed: boolean): Record<string, { template: string; description: string }> {
  const ours = MENU.filter(
    ({ native, isEntryPoint }) => native !== true && (isUsed || isEntryPoint === true),
  );
  return Object.fromEntries(
    ours.map(({ name, description }) => [name, { template: templateOf(name), description }]),
  );
}

type Named<Name extends string> = CommandEntry & { readonly name: Name };

/** @param shown used: only where the project has a record; what is typed to GAIA is read all the same */
function entry<Name extends string>(
  name: Name,
  what: string,
  shown: "always" | "used" = "used",
): Named<Name> {
  return { name, description: `GAIA: ${what}`, isEntryPoint: shown === "always" };
}

function knobs(...names: KnobCommandName[]): Named<KnobCommandName>[] {
  return names.map((name) => {
    const { description, native, knob } = KNOB_COMMANDS[name];
    return {
      name,
      description,
      ...(native === undefined ? {} : { native }),
      ...(knob === "mode" ? { guards: true, isEntryPoint: true } : {}),
    };
  });
}
