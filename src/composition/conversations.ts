import { GAIA } from "../agents/gaia.ts";
import { lanesOf } from "../config/lanes.ts";
import { readProjectTexts, renderProjectContext } from "../context/project-context.ts";
import { createConversations } from "../conversation/conversations.ts";
import { composeExtras } from "./extras.ts";
import type { ConversationServices } from "../conversation/services.ts";
import { createSupervision } from "../conversation/supervision.ts";
import { engineSettings } from "../delegation/engine.ts";
import type { DelegationParts } from "./delegation.ts";
import type { Ground } from "../runtime.ts";
import type { Judgement } from "./judgement.ts";
import type { RecordParts } from "./record.ts";
import type { TreeParts } from "./trees.ts";

export function composeConversations(
  ground: Ground,
  parts: DelegationParts & RecordParts,
  { own, workStore, treeOf }: TreeParts,
  { examine, containment, openWorkplace }: Judgement,
) {
  const { host, clock, config, agents, sessions, redact, seal, isSensitive } = ground;
  const { project } = host;
  const services: ConversationServices = {
    ...parts,
    ...own,
    treeOf,
    host,
    clock,
    sessions,
    openWorkplace,
    lanes: lanesOf(config).mode,
    workStore,
    isSensitive,
    redact,
    seal,
    defaults: config,
    capture: config.capture,
    learn: config.learn,
    findings: config.findings,
    notify: config.notify,
    guards: config.guards,
    projectTexts: async () => readProjectTexts(project, config.gaiaContext, clock, redact),
    renderProjectContext: async () =>
      renderProjectContext(project, config.gaiaContext, clock, redact, (await parts.rules.now())?.index()),
    orchestrator: GAIA,
    turnStallMs: engineSettings(config).watchdog.toolStallMs,
    skillsOf: (agent) => config.agents[agent]?.toolbox?.skills ?? null,
    roleOf: agents.roleOf,
    specialistOf: (name) => agents.specialists.get(name),
  };
  const extras = composeExtras();
  const conversations = createConversations(services, extras.create);
  const supervision = createSupervision({
    ...services,
    conversations,
    examine,
    readers: [...agents.readers, ...agents.named("checker")],
    sandbox: ground.sandbox,
    containment,
    isOurs: (agent) => agent === GAIA || agents.specialists.has(agent),
  });
  /** `settled` resolves when what is kept of whose changes are whose is written. */
  return { conversations, supervision, extrasOf: extras.of, settled: workStore.settled };
}
