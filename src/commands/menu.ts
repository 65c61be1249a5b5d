import { KNOB_COMMANDS, type KnobCommandName } from "../conversation/collaboration/knobs.ts";
import type { CommandEntry } from "./define.ts";

/** All slash commands, in the order of the documentation. What one does is loaded with GAIA's features (`registry.ts`). */
export const MENU = [
  ...knobs("autopilot", "supervised", "locked", "live", "checkpoint", "quiet", "pair", "standard"),
  entry("next", "go on from this check-in; words behind it are feedback"),
  ...knobs("profile", "cadence", "review"),
  entry("gaia-init", "create or refresh gaia-init.md; decide on proposed learnings and checks", "always"),
  entry("gaia-init-deep", "write what the code does not show into AGENTS.md files that you pick: [folder]"),
  {
    ...entry(
      "gaia-status",
      "show mode, plan, running specialists, budgets, checks and what waits for me",
      "always",
    ),
    // A word behind it asks for nothing else; a sentence is for GAIA.
    isFree: (words: string) => !/\s/.test(words),
  },
  free("gaia-trust", "show what this project's files ask for beyond the safe part, and ask me about it"),
  free("handoff", "write a hand-over into the log, from which a new session goes on"),
  free("talk", "speak with <specialist> yourself; /back returns"),
  free("back", "back from /talk, with what was agreed and changed", (_words, { isTalk }) => isTalk),
  entry("gaia-spec", "specify <feature> with me in five phases, written to the unit's spec.md"),
  entry("gaia-plan", "plan <request, file or approved spec> with me; --cancel leaves it", "always"),
  entry("gaia-work", "carry out the approved plan of [slug], by default of the open work unit"),
  entry("gaia-ab", "have <task> done twice, each alone, and keep the better"),
  free("gaia-check", "run the Definition of Done for me: [doc] [force], [accept] changed checks"),
  entry("gaia-review", "have my uncommitted changes or [branch] reviewed, for advice only; [focus]"),
  free("gaia-findings", "list what was found, or begin work from one: [start <id>]", (words) => !words),
  free(
    "gaia-unify",
    "close the work unit [slug]: planned against delivered, learnings, documents, archive",
    // Then there is only to say that none is open.
    (words, { hasUnit }) => !words && !hasUnit,
  ),
  free("gaia-pr", "push this branch and open or update its pull request: [unit] [--draft]"),
  free("gaia-why", "tell why <file[:line] or symbol> is as it is, from the record and commits"),
];

/** A command's entry in OpenCode's configuration, where it is ours. */
export const templateOf = (name: string): string => `/${name} $ARGUMENTS`;

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

/** One that needs no model, with these words or at all. */
function free<Name extends string>(
  name: Name,
  what: string,
  isFree: CommandEntry["isFree"] & {} = () => true,
): Named<Name> {
  return { ...entry(name, what), isFree };
}

function knobs(...names: KnobCommandName[]): Named<KnobCommandName>[] {
  return names.map((name) => {
    const { description, native, knob } = KNOB_COMMANDS[name];
    return {
      name,
      description,
      // Whether the host's own command of that name is meant only the message's agent tells.
      ...(native === undefined ? { isFree: (_words, { isAtWork }) => !isAtWork } : { native }),
      ...(knob === "mode" ? { guards: true, isEntryPoint: true } : {}),
    };
  });
}
