import { openRules, type Rules, openSkills, type Skills } from "../context/open.ts";
import { type Knowledge, openKnowledge } from "../record/knowledge.ts";
import { systemClock } from "../lib/async.ts";
import { createMemory, type Memory } from "../record/memory.ts";
import { createWorkspace, type Workspace } from "../record/workspace.ts";
import type { Ground } from "../runtime.ts";
import { createTrustStore } from "../trust/store.ts";
import { createSkillServers, type SkillServers } from "../extras/skill-servers/servers.ts";

export interface RecordParts {
  readonly workspace: Workspace;
  readonly knowledge: Knowledge;
  readonly memory: Memory;
  readonly rules: Rules;
  readonly skills: Skills;
  readonly skillServers: SkillServers;
}

export function composeRecord({ host, clock, place, config, redact, seal }: Ground): RecordParts {
  const { project: directory, logger } = host;
  const knowledge = openKnowledge({
    ...place,
    ...config.knowledge,
    host,
    redact,
    isWatching: true,
    openStore: createTrustStore,
  });
  const workspace = createWorkspace({ directory, clock: systemClock, logger, redact, seal, knowledge });
  const memory = createMemory({
    workspace,
    knowledge,
    clock: systemClock,
    logger,
    redact,
    useLearnings: config.gaiaContext.useLearnings,
    limits: config.knowledge,
  });
  const rules = openRules({ directory, clock, redact }, host);
  const skills = openSkills(
    { configured: config.skills, servers: config.skillServers === "on", clock, redact },
    host,
  );
  const skillServers = createSkillServers(clock, process.env);
  return { workspace, knowledge, memory, rules, skills, skillServers };
}
