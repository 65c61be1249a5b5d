import type { Facts } from "../facts.ts";
import type { Check, Finding } from "../finding.ts";
import { checkDisabled, checkOverridden } from "./agents.ts";
import { checkConfiguration, checkRules, checkSpecialists } from "./configuration.ts";
import { checkBudget, checkModels } from "./models.ts";
import { checkPanel } from "./panel.ts";
import { checkListed, checkLoaded } from "./plugin.ts";
import {
  checkCommitHook,
  checkContainment,
  checkDeadChecks,
  checkGit,
  checkKeepOut,
  checkLanes,
  checkLanguageServers,
  checkOffers,
  checkProject,
  checkRecord,
  checkRipgrep,
} from "./surroundings.ts";
import { checkTrust } from "./trust.ts";
import { checkNode, checkOpenCode } from "./versions.ts";
import { checkWireSize } from "./wire-size.ts";

/** All checks by their stable names, in the order in which they are reported. */
const CHECKS: Readonly<Record<string, Check<Facts>>> = {
  "node-version": checkNode,
  "opencode-version": checkOpenCode,
  "plugin-listed": checkListed,
  "plugin-loaded": checkLoaded,
  panel: checkPanel,
  project: checkProject,
  configuration: checkConfiguration,
  checks: checkDeadChecks,
  "commit-hook": checkCommitHook,
  specialists: checkSpecialists,
  rules: checkRules,
  trust: checkTrust,
  models: checkModels,
  budget: checkBudget,
  "disabled-agents": checkDisabled,
  "overridden-agents": checkOverridden,
  ripgrep: checkRipgrep,
  containment: checkContainment,
  git: checkGit,
  record: checkRecord,
  "kept-out": checkKeepOut,
  lanes: checkLanes,
  "language-servers": checkLanguageServers,
  offers: checkOffers,
  "wire-size": checkWireSize,
};

/** Checks everything. Pure but for looking whether a listed path exists. */
export function examine(facts: Facts): Finding[] {
  return Object.entries(CHECKS).flatMap(([check, diagnose]) =>
    [diagnose(facts)].flat().map(({ level, what, fix }) => ({ check, level, what, fix })),
  );
}
