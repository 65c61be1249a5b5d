import type { FindingType } from "./findings.ts";
import { DEFAULT_KNOBS } from "./knobs.ts";

/**
 * The configuration of those who have written none, as plain values: the only place where a default stands, except for
 * the knobs, which have theirs in their table. The schema fills them in from here, and a start without any configuration
 * loads no schema.
 */
export function defaultConfig() {
  // A cadence that is absent was not chosen.
  const { profile, checkinCadence: _cadence, ...knobs } = DEFAULT_KNOBS;
  const none: string[] = [];
  const noSkills: { files: string | string[]; skill: string }[] = [];
  const unlimited: Record<string, number> = {};
  const unbudgeted: { cost?: number | undefined; tokens?: number | undefined } = {};
  return {
    preset: "balanced" as const,
    ...knobs,
    sandbox: "auto" as const,
    hands: "off" as const,
    lanes: "off" as const,
    ast: "off" as const,
    editing: "native" as const,
    code: "off" as const,
    specialistTools: none,
    skills: noSkills,
    skillServers: "off" as const,
    startup: { askAtTaskStart: true, defaultProfile: profile, rampWarmupBatches: 2 },
    gaiaContext: {
      initFile: ".gaia/gaia-init.md",
      gaiaInstructionFile: "GAIA.md",
      useLearnings: true,
      accountFor: none,
      avoid: none,
      extraContextFiles: none,
    },
    learn: "ask" as const,
    capture: { enabled: true, proposals: true, sessions: true },
    notify: { desktop: false },
    wavePolicy: { enforceWaveId: true, boundaryRule: "implementation+basic_checks" as const },
    autopilotSafeguards: {
      maxToolCallsPerWave: 40,
      maxWaveMinutes: 20,
      maxBackgroundTasks: 3,
      consecutiveFailureLimit: 3,
      maxTurnsInARow: 12,
      onFailureLimit: "checkpoint" as const,
    },
    delegation: {
      stallSeconds: 180,
      maxTaskMinutes: 30,
      maxRequests: 200,
      maxTokens: 5_000_000,
      maxCost: 10,
      messages: "off" as const,
      maxConcurrent: { perProvider: unlimited, perModel: unlimited },
    },
    budget: { perTask: unbudgeted, perUnit: unbudgeted, perDay: unbudgeted },
    knowledge: {
      enabled: true,
      inject: true,
      maxItems: 8,
      maxTokens: 400,
      threshold: 0.1,
      timeoutMs: 1_000,
    },
    findings: { enabled: true, ask: false, autostart: [] as FindingType[] },
    policy: { dangerous: none, allow: none, allowSensitive: none },
    guards: { continuation: true },
    agents: {},
  };
}
