import { call, result, say, type Turn } from "../../../src/scripted-model/turn.ts";
import { featureByHand, fixByDelegation, type Ceremony } from "./by-hand.ts";
import type { Contender, Delegate, Who } from "./contenders.ts";
import { filesFrom, FINDINGS, look, RULES, sharesOf, summarise } from "./work.ts";

const plan = (op: string, args: object): Turn => call("plan_gaia", { op, ...args });

/** What GAIA does around a feature when she leads it herself. */
const CEREMONY: Ceremony = {
  begin: [
    plan("create_work_unit", { slug: "feature", title: "The feature" }),
    plan("update_plan", {
      content: {
        markdown:
          "## Goal\nEvery part checks its input and says what was wrong.\n\n## Tasks\n- [ ] 1. Edit the parts\n  - agent: hephaestus\n- [ ] 2. Run the checks\n  - agent: aether\n\n## Done When\n- `npm test`: the tests pass",
      },
    }),
  ],
  openWave: (wave) => plan("open_wave", { wave_id: `w${wave}`, title: `Wave ${wave}` }),
  closeWave: (wave) => plan("complete_wave", { wave_id: `w${wave}` }),
};

/** What `delegate_gaia` takes as a goal. */
const MAX_GOAL = 300;

/** One delegation each; `delegate_gaia` names the wave that is open. */
const delegate: Delegate = (job, prompt, number) => {
  const agent = {
    read: number % 2 === 0 ? "minerva" : "apollo",
    write: "hephaestus",
    check: "aether",
    record: "demeter",
  }[job];
  const isInWave = job === "write" || job === "check";
  const wave = isInWave && !prompt.includes("[fix]") ? { wave_id: `w${Math.floor(number / 100)}` } : {};
  const [first = "", ...rest] = prompt.replace(/^TASK: /, "").split("\n");
  const context = first.length > MAX_GOAL ? prompt : rest.join("\n");
  return call("delegate_gaia", { agent, goal: first.slice(0, MAX_GOAL), task: { context }, ...wave });
};

/** GAIA's turns for the feature where she leads each wave by her own calls. */
const featureLedByHand = (count: number): Turn[] => featureByHand(delegate, count, CEREMONY);

/**
 * GAIA's turns for the feature where the host carries out her plan, as her prompt has it: she looks herself, as two looks show
 * all that she needs, then hands over the plan.
 * @param tasks of the plan
 */
const featureByRun =
  (tasks: (count: number) => string): Contender["feature"] =>
  (count, directory) => [
    ...look(directory),
    plan("run", { slug: "feature", title: "The feature", content: { markdown: planWith(tasks(count)) } }),
    say(summarise(0, count)),
  ];

const planWith = (tasks: string): string => `## Goal
Every part checks its input and says what was wrong.

## Context
${FINDINGS}
${RULES}

## Tasks
${tasks}

## Done When
- \`npm test\`: the tests pass
`;

/** The same change in many files, which the host divides. */
const oneTask = (): string => `- [ ] 1. [write] Let each part of src check its input
  - agent: hephaestus
  - files: src/part-*.js
  - each: file
  - verify: npm test`;

/** Files of a task that is written out, as for changes of different kinds. */
const PER_TASK = 3;

const writtenOut = (count: number): string =>
  sharesOf(0, count, PER_TASK)
    .map(
      ([start, end], index) =>
        `- [ ] ${index + 1}. [write ${start} ${end}] Let the parts ${start} to ${end - 1} check their input
  - agent: hephaestus
  - files: ${filesFrom(start, end)}
  - verify: npm test`,
    )
    .join("\n");

/** The host carries out her plan. */
const BY_RUN: Contender = {
  name: "opencode-gaia",
  orchestrator: "gaia",
  delegate,
  finish: (job, summary, who) =>
    result(contractOf(summary, who), job === "check" ? { outcome: { verdict: "APPROVE" } } : {}),
  feature: featureByRun(oneTask),
  quickFix: () => fixByDelegation(delegate),
  byHand: featureLedByHand,
};

export const GAIA: Contender = {
  ...BY_RUN,
  also: [
    { ...BY_RUN, name: "opencode-gaia, tasks written out", feature: featureByRun(writtenOut) },
    { ...BY_RUN, name: "opencode-gaia, led by hand", feature: featureLedByHand },
  ],
};

const ANSWER = "One module per part with one function; nothing imports them but the check.";

/** What each contract asks for, and nothing else. */
function contractOf(summary: string, { agent, hasChecked }: Who): Record<string, unknown> {
  const ran = hasChecked ? [{ command: "npm test", exit_code: 0 }] : [];
  switch (agent) {
    case "minerva":
      return { answer: ANSWER, repo_map: summary, plan: [], risk_list: [], suggested_agents: [] };
    case "apollo":
      return { answer: ANSWER, conventions: [summary], examples: [], do_dont: { do: [], dont: [] } };
    case "hephaestus":
      return { diff_summary: summary, checks_run: ran, notes: [], refactoring_done: [], known_issues: [] };
    case "aether":
      return { checks_run: ran, failures: [], failed_before: [], fixes: [], release_ready: true };
    case "hades":
      return { vulnerabilities: [], rollback_plan: "git revert", minimal_patch: "", risk_level: "low" };
    default:
      return { log_entry: summary, decisions: [], learnings: [], plan_updates: [] };
  }
}
