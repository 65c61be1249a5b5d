import { describe, expect, it } from "vitest";
import { columnsOf } from "../../src/lib/columns.ts";
import { oneLine, panelLines } from "../../src/tui/panel-lines.ts";
import type { PanelModel } from "../../src/tui/panel-model.ts";
import { readCases } from "../support/cases.ts";

const NOW = 10_000_000;
const PLAIN: PanelModel = {
  knobs: {
    profile: "standard",
    mode: "supervised",
    visibility: "checkpoint",
    interaction: "standard",
    checkinCadence: "wave",
    reviewDepth: "diff",
  },
  wave: null,
  pause: null,
  unit: null,
  tasks: [],
  more: 0,
  check: null,
  budgets: [],
  status: null,
  stage: null,
  wait: null,
  told: [],
  checkin: "",
};
const LATER = new Date(2026, 4, 6, 14, 32, 5).getTime();
type TaskFacts = Partial<PanelModel["tasks"][number]>;
/** @param since before or after now */
const task = ({ since = -5_000, ...rest }: TaskFacts): Partial<PanelModel> => ({
  tasks: [
    {
      agent: "minerva",
      session: "s",
      state: "running",
      why: "",
      until: null,
      since: since === null ? null : NOW + since,
      model: "a/b/glm-4.7",
      tokens: 0,
      ...rest,
    },
  ],
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

  it("colour what needs the user's eye", () => {
    const tones = (model: Partial<PanelModel>) =>
      panelLines({ ...PLAIN, ...model }, NOW).map((line) => line.find(({ tone }) => tone !== "title")?.tone);
    expect(tones({ knobs: { ...PLAIN.knobs, mode: "locked" } })).toEqual(["error"]);
    expect(tones({ knobs: { ...PLAIN.knobs, mode: "autopilot" } })).toEqual(["warning"]);
    expect(tones({ check: { passed: false, text: "" }, pause: { reason: "step", detail: "" } })).toEqual([
      "text",
      "error",
      "warning",
    ]);
  });
});

describe("the one line of a narrow terminal", () => {
  const lineOf = (model: Partial<PanelModel>, width = 60): string =>
    oneLine({ ...PLAIN, ...model }, width)
      .map(({ text }) => text)
      .join("");

  it("says until when the first of those who wait for a provider waits", () => {
    const [first] = task({ state: "retrying", why: "retries: 429", until: LATER }).tasks ?? [];
    const tasks = first === undefined ? [] : [{ ...first, until: LATER + 60_000 }, first];
    expect(lineOf({ tasks })).toBe("GAIA supervised · ● 2 · ↻ 2 until 14:32:05");
    expect(lineOf({ wait: { until: LATER, why: "429" } })).toBe(
      "GAIA ↻ goes on at 14:32:05: 429 · supervised",
    );
  });

  it("is no wider than there is room, and ends behind a word", () => {
    expect(lineOf({ wait: { until: LATER, why: "429 of this" } }, 36)).toBe(
      "GAIA ↻ goes on at 14:32:05: 429 of…",
    );
  });

  it("has the settings give way to what waits for the user, and nothing behind what is cut", () => {
    const told: Partial<PanelModel> = {
      knobs: { ...PLAIN.knobs, interaction: "pair" },
      pause: { reason: "wave", detail: "" },
      unit: { slug: "signup", done: 1, total: 4 },
    };
    expect(lineOf(told, 80)).toBe("GAIA ‖ check-in: /next goes on · supervised · pair · signup 1/4");
    expect(lineOf(told, 44)).toBe("GAIA ‖ check-in: /next goes on · supervised");
    expect(lineOf(told, 24)).toBe("GAIA ‖ check-in: /next…");
    expect(lineOf({ ...told, pause: null }, 24)).toBe("GAIA supervised · pair");
  });

  it("says that they pair", () => {
    expect(lineOf({ knobs: { ...PLAIN.knobs, interaction: "pair" } })).toBe("GAIA supervised · pair");
  });

  it("counts what a terminal shows in two columns as such", () => {
    const why = "您的账户已达到速率限制，请稍后再试。🚀";
    const cut = lineOf({ wait: { until: LATER, why } }, 52);
    expect(cut).toBe("GAIA ↻ goes on at 14:32:05: 您的账户已达到速率…");
    expect(columnsOf(cut)).toBeLessThanOrEqual(52);
    expect(columnsOf("a🚀é验👩‍👩‍👧")).toBe(8);
  });
});
