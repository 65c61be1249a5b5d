import type { UserEvent } from "../conversation/collaboration/events.ts";
import { describeChange } from "../conversation/collaboration/gate.ts";
import {
  KNOB_COMMANDS,
  type KnobCommandName,
  parseKnobCommand,
} from "../conversation/collaboration/knobs.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { CommandDefinition, CommandReply, CommandRun } from "./define.ts";
import { gaiaUnify } from "./close-unit.ts";
import { gaiaAb, gaiaSpec, gaiaWork } from "./units.ts";
import { gaiaFindings, gaiaStatus, gaiaTrust, gaiaWhy, handoff } from "./looks.ts";
import { gaiaInit, gaiaInitDeep } from "./setup.ts";
import { gaiaCheck, gaiaPr, gaiaReview } from "./reviews.ts";
import { gaiaPlan } from "./gaia-plan.ts";
import { back, talk } from "./talks.ts";
import { refuse } from "../lib/error.ts";
import { MENU } from "./menu.ts";

/** A command of the table of knobs: done at once, and acknowledged in one line. */
function knobCommand(name: KnobCommandName): CommandRun {
  return (argumentText, { conversation }) => {
    const parsed = parseKnobCommand(name, argumentText);
    if ("error" in parsed) return refuse(parsed.error);
    conversation.dispatch(parsed.event);
    return acknowledge(`/${name} ${argumentText}`.trim(), parsed.event, conversation);
  };
}

function acknowledge(typed: string, event: UserEvent, { state, busy }: Conversation): CommandReply {
  const meaning = event.type === "command" ? `: ${describeChange(event.change).meaning}` : "";
  const now = `${typed} is done${meaning}. The mode is ${state.knobs.mode}.`;
  return {
    forModel: busy
      ? `${now} Go on with your work under it, without a word about it.`
      : `${now} Confirm in one short line, call no tool, start nothing.`,
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
