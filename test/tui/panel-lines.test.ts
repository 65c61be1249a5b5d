import { describe, expect, it } from "vitest";
import { initialState, snapshotState } from "../../src/conversation/collaboration/state.ts";
import { SNAPSHOT_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { panelLines } from "../../src/tui/panel-lines.ts";
import { readPanel, type PanelModel } from "../../src/tui/panel-model.ts";
import { DEFAULTS } from "../conversation/collaboration/session.ts";
import { readCases } from "../support/cases.ts";

const NOW = 10_000_000;
/** What only a conversation has that has just begun. */
const PLAIN = readPanel(
  { [SNAPSHOT_KEY]: snapshotState(initialState("root", DEFAULTS, 0)) },
  "root",
) as PanelModel;
const LATER = new Date(2026, 4, 6, 14, 32, 5).getTime();
const TASK = {
  agent: "minerva",
  session: "s",
  state: "running" as const,
  why: "",
  until: null,
  silent: null,
  model: "a/b/glm-4.7",
  tokens: 0,
};
type TaskFacts = Partial<PanelModel["tasks"][number]>;
/** @param since before or after now */
const task = ({ since = -5_000, ...rest }: TaskFacts): Pick<PanelModel, "tasks"> => ({
  tasks: [{ ...TASK, since: since === null ? null : NOW + since, ...rest }],
});
const textOf = (model: Partial<PanelModel>): string[] =>
  panelLines({ ...PLAIN, ...model }, NOW).map((line) => line.map(({ text }) => text).join(""));

describe("the panel's lines", () => {
  it.each([
    ...readCases<[string, Partial<PanelModel> & { task?: TaskFacts }, string[]]>("tui/panel-lines.say").map(
      ([name, { task: facts, ...model }, lines]) =>
        [name, { ...model, ...(facts && task(facts)) }, lines] as const,
    ),
    [
      "one that waits for its provider",
      task({ state: "retrying", why: "retries: Too many", until: LATER, model: null }),
      ["↻ minerva until 14:32:05, Too many 5s"],
    ],
    [
      "one whose model says nothing",
      task({ silent: NOW - 68_000, since: -90_000 }),
      ["● minerva no answer for 1m08s glm-4.7"],
    ],
    [
      "GAIA's own provider",
      { wait: { until: LATER, why: "Too many requests" } },
      ["↻ goes on at 14:32:05: Too many…"],
    ],
  ] as const)("say: %s", (_name, model, lines) => {
    expect(textOf(model)).toEqual(["GAIA  supervised · standard", ...lines]);
  });

  it("never are wider than the sidebar", () => {
    const long = "x".repeat(100);
    const lines = textOf({
      unit: { slug: long, done: 100, total: 1_000 },
      wave: { id: long, approved: true },
      check: { passed: false, text: long },
      pause: { reason: "budget", detail: long },
      ...task({ agent: long, model: long }),
    });
    expect(lines).toHaveLength(6);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(37);
    expect(lines[1]).toMatch(/^x+… +100\/1000…$/);
  });
});
