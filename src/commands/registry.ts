import { KNOB_COMMANDS } from "../conversation/collaboration/knobs.ts";
import type { CommandDefinition, CommandRun } from "./define.ts";
import { gaiaUnify } from "./close-unit.ts";
import { gaiaAb, gaiaSpec, gaiaWork } from "./units.ts";
import { gaiaFindings, gaiaStatus, gaiaTrust, gaiaWhy, handoff } from "./looks.ts";
import { gaiaInit, gaiaInitDeep } from "./gaia-init.ts";
import { gaiaCheck, gaiaPr, gaiaReview } from "./reviews.ts";
import { gaiaPlan } from "./gaia-plan.ts";
import { back, talk } from "./talks.ts";
import { knobCommand, next } from "./knob-command.ts";
import { MENU } from "./menu.ts";

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
