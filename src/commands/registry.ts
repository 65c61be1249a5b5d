import type { CommandDefinition } from "./define.ts";
import { gaiaAb } from "./gaia-ab.ts";
import { gaiaFindings } from "./gaia-findings.ts";
import { gaiaInit } from "./gaia-init.ts";
import { gaiaInitDeep } from "./gaia-init-deep.ts";
import { gaiaCheck } from "./gaia-check.ts";
import { gaiaPlan } from "./gaia-plan.ts";
import { gaiaPr } from "./gaia-pr.ts";
import { gaiaReview } from "./gaia-review.ts";
import { gaiaSpec } from "./gaia-spec.ts";
import { gaiaStatus } from "./gaia-status.ts";
import { gaiaTrust } from "./gaia-trust.ts";
import { gaiaUnify } from "./gaia-unify.ts";
import { gaiaWhy } from "./gaia-why.ts";
import { gaiaWork } from "./gaia-work.ts";
import { back, talk } from "./talk.ts";
import { handoff } from "./handoff.ts";
import { knobCommands } from "./knob-command.ts";
import { next } from "./next.ts";

/** All slash commands of the plugin, in the order in which documentation lists them. */
export const COMMANDS: readonly CommandDefinition[] = [
  ...knobCommands("autopilot", "supervised", "locked", "live", "checkpoint", "quiet", "pair", "standard"),
  next,
  ...knobCommands("profile", "cadence", "review"),
  gaiaInit,
  gaiaInitDeep,
  gaiaStatus,
  gaiaTrust,
  handoff,
  talk,
  back,
  gaiaSpec,
  gaiaPlan,
  gaiaWork,
  gaiaAb,
  gaiaCheck,
  gaiaReview,
  gaiaFindings,
  gaiaUnify,
  gaiaPr,
  gaiaWhy,
];

/** In the form of OpenCode's configuration. The text is replaced when the command is typed. */
export function commandEntries(): Record<string, { template: string; description: string }> {
  const ours = COMMANDS.filter(({ native }) => native !== true);
  return Object.fromEntries(
    ours.map(({ name, description }) => [name, { template: `/${name} $ARGUMENTS`, description }]),
  );
}
