import { describeChange } from "../conversation/collaboration/gate.ts";
import {
  applyChange,
  KNOB_COMMANDS,
  type KnobCommandName,
  loosens,
  parseKnobCommand,
} from "../conversation/collaboration/knobs.ts";
import type { CommandDefinition, CommandRun } from "./define.ts";
import { gaiaUnify } from "./close-unit.ts";
import { gaiaAb, gaiaSpec, gaiaWork } from "./units.ts";
import { gaiaFindings, gaiaStatus, gaiaTrust, gaiaWhy, handoff } from "./looks.ts";
import { gaiaInit, gaiaInitDeep } from "./setup.ts";
import { gaiaCheck, gaiaPr, gaiaReview } from "./reviews.ts";
import { gaiaPlan } from "./gaia-plan.ts";
import { back, talk } from "./talks.ts";
import { refuse } from "../lib/error.ts";
import { MENU } from "./menu.ts";

/** A command of the table of knobs: done at once. */
function knobCommand(name: KnobCommandName): CommandRun {
  return (argumentText, { conversation, hasTurn }) => {
    const parsed = parseKnobCommand(name, argumentText);
    if ("error" in parsed) return refuse(parsed.error);
    const { change } = parsed;
    const typed = `/${name} ${argumentText}`.trim();
    const { knobs, delegations } = conversation.state;
    if (!hasTurn && delegations.length > 0 && loosens(knobs, applyChange(knobs, change)))
      return refuse(`Not while a specialist works: type ${typed} yourself, or wait for its end.`);
    conversation.dispatch({ type: "command", change });
    const { mode } = conversation.state.knobs;
    const say = `${typed} is done: ${describeChange(change).meaning}.`;
    return { did: `typed ${typed}; it is done, and the mode is ${mode}`, say };
  };
}

/** `/next`: work goes on from a check-in; words behind it are feedback. */
export const next: CommandRun = (argumentText, { conversation }) => {
  const waited = conversation.state.pause !== null;
  const words = argumentText.trim();
  conversation.dispatch(words === "" ? { type: "next" } : { type: "user-message", text: words });
  if (words !== "") return { forModel: `Feedback of the user on the last check-in: ${words}` };
  return {
    forModel: waited
      ? "The user has seen the check-in and agrees: go on with the next step."
      : "Nothing was waiting for /next. Go on where work is open; otherwise say so in one short line.",
  };
};

type Name = (typeof MENU)[number]["name"];

const RUNS: Record<Exclude<Name, keyof typeof KNOB_COMMANDS>, CommandRun> = {
  next,
  "gaia-init": gaiaInit,
  "gaia-init-deep": gaiaInitDeep,
  "gaia-status": gaiaStatus,
  "gaia-trust": gaiaTrust,
  handoff,
  talk,
  back,
  "gaia-spec": gaiaSpec,
  "gaia-plan": gaiaPlan,
  "gaia-work": gaiaWork,
  "gaia-ab": gaiaAb,
  "gaia-check": gaiaCheck,
  "gaia-review": gaiaReview,
  "gaia-findings": gaiaFindings,
  "gaia-unify": gaiaUnify,
  "gaia-pr": gaiaPr,
  "gaia-why": gaiaWhy,
};

export const COMMANDS: readonly CommandDefinition[] = MENU.map((entry) => ({
  ...entry,
  run: isKnobCommand(entry.name) ? knobCommand(entry.name) : RUNS[entry.name],
}));

function isKnobCommand(name: Name): name is keyof typeof KNOB_COMMANDS {
  return Object.hasOwn(KNOB_COMMANDS, name);
}
