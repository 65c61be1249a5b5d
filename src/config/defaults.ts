import type { ResolvedConfig } from "./schema.ts";

/**
 * The configuration of those who have written none, as plain values: what the schema's own defaults come to, so that such
 * a start loads no schema. A test holds the two together.
 */
export function defaultConfig(): ResolvedConfig {
  return {
    preset: "balanced",
    mode: "supervised",
    visibility: "checkpoint",
    interaction: "standard",
    checkinCadence: "wave",
    reviewDepth: "diff",
    structuredOutput: "auto",
    specialistTools: [],
    startup: { askAtTaskStart: true, defaultProfile: "standard", rampWarmupBatches: 2 },
    gaiaContext: {
      initFile: ".gaia/gaia-init.md",
      gaiaInstructionFile: "GAIA.md",
      useLearnings: true,
      accountFor: [],
      avoid: [],
      extraContextFiles: [],
    },
    wavePolicy: { enforceWaveId: true, boundaryRule: "implementation+basic_checks" },
    autopilotSafeguards: {
      maxToolCallsPerWave: 40,
      maxWaveMinutes: 20,
      maxBackgroundTasks: 3,
      consecutiveFailureLimit: 3,
      onFailureLimit: "checkpoint",
    },
    delegation: {
      stallSeconds: 180,
      maxTaskMinutes: 30,
      maxConcurrent: { perProvider: {}, perModel: {} },
    },
    policy: { dangerous: [], allowSensitive: [] },
    guards: { scope: true, comments: true, todoReminder: true, harvestReminder: true, continuation: true },
    agents: {},
  };
}
