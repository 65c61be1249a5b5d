import { call, result, say, type Turn } from "../../../src/scripted-model/turn.ts";
import { featureByHand, fixByDelegation, type Ceremony } from "./by-hand.ts";
import type { Contender, Job } from "./contenders.ts";
import { FINDINGS, look, RULES, summarise } from "./work.ts";

const plan = (op: string, args: object): Turn => call("plan_gaia", { op, ...args });

/** What GAIA does around a feature when she leads it herself. */
const CEREMONY: Ceremony = {
  begin: [
    plan("create_work_unit", { slug: "feature", title: "The feature" }),
    plan("update_plan", {
      markdown:
        "## Goal\nEvery part checks its input and says what was wrong.\n\n## Tasks\n- [ ] 1. Edit the parts (hephaestus)\n- [ ] 2. Run the checks (aether)\n\n## Done when\n- [ ] npm test passes",
    }),
  ],
  openWave: (wave) => [plan("open_wave", { wave_id: `w${wave}`, title: `Wave ${wave}` })],
  closeWave: (wave) => [plan("complete_wave", { wave_id: `w${wave}` })],
  recordsAtEnd: true,
};

/** One delegation each; `delegate_gaia` names the wave that is open. */
const delegate: Contender["delegate"] = (job, prompt, number) => {
  const agent = {
    read: number % 2 === 0 ? "minerva" : "apollo",
    write: "hephaestus",
    check: "aether",
    record: "demeter",
  }[job];
  const isInWave = job === "write" || job === "check";
  const wave = isInWave && !prompt.includes("[fix]") ? { wave_id: `w${Math.floor(number / 100)}` } : {};
  return call("delegate_gaia", { agent, prompt, ...wave });
};

/** GAIA's turns for the feature where she leads each wave by her own calls. */
const featureLedByHand = (count: number): Turn[] => featureByHand(delegate, CEREMONY, count);

/**
 * GAIA's turns for the feature where the host carries out her plan, as her prompt has it: she looks herself, as two looks show
 * all that she needs, and writes the same change in many files as one task that the host divides.
 */
const featureByRun = (count: number, directory: string): Turn[] => [
  ...look(directory),
  plan("run", { slug: "feature", title: "The feature", markdown: PLAN }),
  say(summarise(0, count)),
];

const PLAN = `## Goal
Every part checks its input and says what was wrong.

## Context
${FINDINGS}

## Tasks
- [ ] 1. [write] Let each part of src check its input
  - agent: hephaestus
  - files: src/part-*.js
  - each: file
  - verify: npm test
  ${RULES}

## Done When
- [ ] npm test passes
`;

/** The host carries out her plan. */
const BY_RUN: Contender = {
  name: "opencode-gaia",
  package: "opencode-gaia",
  orchestrator: "gaia",
  delegate,
  finish: (job, summary) => result(contractOf(job, summary), job === "check" ? { outcome: "APPROVE" } : {}),
  feature: featureByRun,
  quickFix: () => fixByDelegation(delegate),
};

export const GAIA: Contender = {
  ...BY_RUN,
  also: [{ ...BY_RUN, name: "opencode-gaia, led by hand", feature: featureLedByHand }],
};

/** minerva's and apollo's data differ, as do aether's and hades'; each takes the fields of the other as surplus. */
function contractOf(job: Job, summary: string): Record<string, unknown> {
  switch (job) {
    case "read":
      return {
        repo_map: summary,
        vcs_type: "git",
        plan: [],
        risk_list: [],
        suggested_agents: [],
        conventions: [summary],
        examples: [],
        do_dont: { do: [], dont: [] },
      };
    case "write":
      return {
        diff_summary: summary,
        files_modified: [],
        revision_ids: [],
        notes: [],
        refactoring_done: [],
        known_issues: [],
      };
    case "check":
      return {
        checks_run: ["npm test: 0"],
        failures: [],
        fixes: [],
        release_ready: true,
        vulnerabilities: [],
        rollback_plan: "git revert",
        minimal_patch: "",
        risk_level: "low",
      };
    case "record":
      return { log_entry: summary, decisions: [], learnings: [], plan_updates: [], session_summary: summary };
  }
}
