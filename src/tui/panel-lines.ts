import { clockTime, renderShortDuration } from "../lib/duration.ts";
import { excerpt } from "../lib/excerpt.ts";
import { shortCount } from "../lib/short-count.ts";
import type { PanelModel } from "./panel-model.ts";

/** Columns of OpenCode's sidebar. */
const WIDTH = 37;
const MAX_UNIT = 26;

/** How a piece of text looks; each is a colour of the user's theme. */
export type Tone = "title" | "text" | "muted" | "info" | "success" | "warning" | "error";

/** A line of the panel: pieces that stand one behind the other, at most as wide as the sidebar together. */
export type Line = readonly { readonly text: string; readonly tone: Tone }[];

const MODE_TONES: Readonly<Record<string, Tone>> = { autopilot: "warning", locked: "error" };
const BUDGET_WORDS: Readonly<Record<string, string>> = {
  "tool calls": "calls",
  minutes: "min",
  "consecutive failures": "failures",
};
/** What a specialist that does not simply run is doing. */
const STATES: Readonly<Record<string, { mark: string; words: string; tone: Tone }>> = {
  queued: { mark: "○", words: "queued", tone: "muted" },
  retrying: { mark: "↻", words: "next model", tone: "warning" },
  repairing: { mark: "↻", words: "corrects", tone: "info" },
  "waiting-for-human": { mark: "◆", words: "asks you", tone: "warning" },
};
/** What a command holds the conversation to. */
const STAGES: Readonly<Record<string, string>> = {
  planning: "planning: you approve the plan",
  spec: "a spec is written",
  review: "a review for advice",
  closing: "closing: you decide",
};
const RUNNING = { mark: "●", words: "", tone: "info" } as const;

/** The panel of a conversation. Pure. @param now milliseconds since the epoch */
export function panelLines(model: PanelModel, now: number): Line[] {
  const { knobs, unit, wave, pause, check, budgets } = model;
  const left = budgets.map((budget) => `${budget.left} ${BUDGET_WORDS[budget.which] ?? budget.which}`);
  // A profile that pairs says so by its name.
  const pairs = knobs.interaction === "pair" && !knobs.profile.startsWith("pair");
  const lines: Line[] = [
    [
      { text: "GAIA  ", tone: "title" },
      { text: knobs.mode, tone: MODE_TONES[knobs.mode] ?? "text" },
      { text: ` · ${knobs.profile}${pairs ? " · pair" : ""}`, tone: "muted" },
    ],
    ...model.told.map((line) => [line]),
    ...when(STAGES[model.stage], (words) => [{ text: words, tone: "info" }]),
    ...when(unit, ({ slug, done, total }) => [
      { text: excerpt(slug, MAX_UNIT), tone: "text" },
      { text: total === 0 ? "" : `  ${done}/${total} tasks`, tone: "muted" },
    ]),
    ...evidenceLine(unit),
    ...when(wave, ({ id, approved }) => [
      { text: `wave ${id}`, tone: "text" },
      ...(approved ? [{ text: " · approved", tone: "success" } as const] : []),
    ]),
    ...model.tasks.map((task) => taskLine(task, now)),
    ...(model.more > 0 ? [[{ text: `  and ${model.more} more`, tone: "muted" } as const]] : []),
    ...when(check, ({ passed, text }) => [
      passed ? { text: `✓ ${text}`, tone: "success" } : { text: `✗ ${text}`, tone: "error" },
    ]),
    ...(left.length > 0 ? [[{ text: `left: ${left.join(", ")}`, tone: "muted" } as const]] : []),
    ...when(model.wait, (wait) => [{ text: waitWords(wait), tone: "warning" }]),
    ...when(pause, ({ reason, detail }) => [{ text: pauseWords(reason, detail), tone: "warning" }]),
  ];
  return lines.map((line) => fit(line));
}

/**
 * The same in one line, what is wrong or waits for the user first, for a terminal without a sidebar. Pure.
 * @param width columns that it may take
 */
export function oneLine(
  { knobs, pause, check, stage, unit, wave, tasks, more, wait }: PanelModel,
  width: number,
): Line {
  const working = tasks.length + more;
  const retrying = tasks.filter(({ state }) => state === "retrying").length;
  const limited = tasks.flatMap(({ until }) => until ?? []);
  const soonest = limited.length === 0 ? "" : ` until ${clockTime(Math.min(...limited))}`;
  const asking = tasks.find(({ state }) => state === "waiting-for-human");
  const pieces: Line = [
    { text: "GAIA ", tone: "title" },
    { text: knobs.mode, tone: MODE_TONES[knobs.mode] ?? "text" },
    ...when(pause, ({ reason, detail }) => [{ text: pauseWords(reason, detail), tone: "warning" }]).flat(),
    ...when(wait, (each) => [{ text: waitWords(each), tone: "warning" }]).flat(),
    ...(asking === undefined ? [] : [{ text: `◆ ${asking.agent} asks you`, tone: "warning" } as const]),
    ...(check?.passed === false ? [{ text: `✗ ${check.text}`, tone: "error" } as const] : []),
    ...(STAGES[stage] === undefined ? [] : [{ text: stage, tone: "info" } as const]),
    ...(unit === null ? [] : [{ text: `${unit.slug} ${unit.done}/${unit.total}`, tone: "text" } as const]),
    ...(wave === null ? [] : [{ text: wave.id, tone: wave.approved ? "success" : "text" } as const]),
    ...(working === 0 ? [] : [{ text: `● ${working}`, tone: "info" } as const]),
    ...(retrying === 0 ? [] : [{ text: `↻ ${retrying}${soonest}`, tone: "warning" } as const]),
  ];
  const apart = pieces.map(({ text, tone }, index) => ({ text: index < 2 ? text : ` · ${text}`, tone }));
  return fit(apart, width);
}

/** What of the plan is proven, and what is not. */
function evidenceLine(unit: PanelModel["unit"]): Line[] {
  const { proven = 0, claimed = 0, stale = 0 } = unit?.evidence ?? {};
  if (proven + claimed + stale === 0) return [];
  const doubts = [claimed > 0 ? ` · ${claimed} claimed` : "", stale > 0 ? ` · ${stale} stale` : ""].join("");
  return [
    [
      { text: `${proven} proven`, tone: "success" },
      { text: doubts, tone: "warning" },
    ],
  ];
}

function when<T extends object | string>(value: T | null | undefined, line: (value: T) => Line): Line[] {
  return value ? [line(value)] : [];
}

function taskLine(
  { agent, state, why, until, since, model, tokens }: PanelModel["tasks"][number],
  now: number,
): Line {
  const { mark, words, tone } = STATES[state] ?? RUNNING;
  const facts = [
    until === null ? why || words : `until ${clockTime(until)}, ${why.replace(/^retries: /, "")}`,
    since === null ? "" : renderShortDuration(now - since),
    tokens === 0 ? "" : shortCount(tokens),
    model?.slice(model.lastIndexOf("/") + 1) ?? "",
  ];
  return [
    { text: `${mark} `, tone },
    { text: agent, tone: "text" },
    { text: ` ${facts.filter((fact) => fact !== "").join(" ")}`, tone: "muted" },
  ];
}

/** She goes on by herself, so that when is told first, and why as far as there is room. */
function waitWords({ until, why }: { readonly until: number; readonly why: string }): string {
  return `↻ goes on at ${clockTime(until)}: ${why}`;
}

function pauseWords(reason: string, detail: string): string {
  if (reason === "budget") return `‖ stopped: ${detail}`;
  if (reason === "blocked") return `‖ blocked: ${detail}`;
  return reason === "abort" ? "‖ stopped: /next goes on" : "‖ check-in: /next goes on";
}

/** Cuts the last piece that does not fit, so that no line is wrapped. */
function fit(line: Line, width = WIDTH): Line {
  let room = width;
  return line.map(({ text, tone }) => {
    const shown = text.length <= room ? text : `${text.slice(0, Math.max(0, room - 1))}…`.slice(0, room);
    room -= shown.length;
    return { text: shown, tone };
  });
}
