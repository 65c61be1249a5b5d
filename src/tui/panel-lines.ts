import { columnsOf, lengthWithin } from "./columns.ts";
import { clockTime, renderShortDuration, shortCount } from "../lib/figures.ts";
import { excerpt } from "../lib/text.ts";
import type { PanelModel } from "./panel-model.ts";

/** Columns of OpenCode's sidebar. */
const WIDTH = 37;
const MAX_UNIT = 26;

/** How a piece of text looks; each is a colour of the user's theme. */
export type Tone = "title" | "text" | "muted" | "info" | "success" | "warning" | "error";

/** A line of the panel: pieces that stand one behind the other, at most as wide as the sidebar together. */
export type Line = readonly Piece[];

interface Piece {
  readonly text: string;
  readonly tone: Tone;
}

const piece = (text: string, tone: Tone): Piece => ({ text, tone });

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
const STAGES: Readonly<Record<NonNullable<PanelModel["stage"]>, string>> = {
  planning: "planning: you approve the plan",
  spec: "a spec is written",
  review: "a review for advice",
};
const SILENT = { mark: "●", words: "no answer for", tone: "warning" } as const;
const RUNNING = { mark: "●", words: "", tone: "info" } as const;

/** The panel of a conversation. Pure. @param now milliseconds since the epoch */
export function panelLines(model: PanelModel, now: number): Line[] {
  const { knobs, unit, wave, pause, check, budgets } = model;
  const left = budgets.map((budget) => `${budget.left} ${BUDGET_WORDS[budget.which] ?? budget.which}`);
  // A profile that pairs says so by its name.
  const pairs = knobs.interaction === "pair" && !knobs.profile.startsWith("pair");
  const lines: Line[] = [
    [
      piece("GAIA  ", "title"),
      piece(knobs.mode, MODE_TONES[knobs.mode] ?? "text"),
      piece(` · ${knobs.profile}${pairs ? " · pair" : ""}`, "muted"),
    ],
    ...model.told.map((line) => [line]),
    ...when(model.stage, (stage) => [piece(STAGES[stage], "info")]),
    ...when(unit, ({ slug, done, total }) => [
      piece(excerpt(slug, MAX_UNIT), "text"),
      piece(total === 0 ? "" : `  ${done}/${total} tasks`, "muted"),
    ]),
    ...evidenceLine(unit),
    ...when(wave, ({ id, approved }) => [
      piece(`wave ${id}`, "text"),
      ...(approved ? [piece(" · approved", "success")] : []),
    ]),
    ...model.tasks.map((task) => taskLine(task, now)),
    ...(model.more > 0 ? [[piece(`  and ${model.more} more`, "muted")]] : []),
    ...when(check, ({ passed, text }) => [
      passed ? piece(`✓ ${text}`, "success") : piece(`✗ ${text}`, "error"),
    ]),
    ...(left.length > 0 ? [[piece(`left: ${left.join(", ")}`, "muted")]] : []),
    ...when(model.wait, (wait) => [piece(waitWords(wait), "warning")]),
    ...when(pause, ({ reason, detail }) => [piece(pauseWords(reason, detail), "warning")]),
  ];
  return lines.map((line) => fit(line));
}

/** The same in one line, what is wrong or waits for the user first. Pure. @param width columns that it may take */
export function oneLine(
  { knobs, pause, check, stage, unit, wave, tasks, more, wait }: PanelModel,
  width: number,
): Line {
  const working = tasks.length + more;
  const retrying = tasks.filter(({ state }) => state === "retrying").length;
  const limited = tasks.flatMap(({ until }) => until ?? []);
  const soonest = limited.length === 0 ? "" : ` until ${clockTime(Math.min(...limited))}`;
  const asking = tasks.find(({ state }) => state === "waiting-for-human");
  const silent = tasks.find((each) => each.silent !== null);
  const settings: Line = [
    piece(knobs.mode, MODE_TONES[knobs.mode] ?? "text"),
    ...(knobs.interaction === "pair" ? [piece("pair", "muted")] : []),
  ];
  const urgent: Line = [
    ...when(pause, ({ reason, detail }) => [piece(pauseWords(reason, detail), "warning")]).flat(),
    ...when(wait, (each) => [piece(waitWords(each), "warning")]).flat(),
    ...(asking === undefined ? [] : [piece(`◆ ${asking.agent} asks you`, "warning")]),
    ...(silent === undefined ? [] : [piece(`● ${silent.agent}: no answer`, "warning")]),
    ...(check?.passed === false ? [piece(`✗ ${check.text}`, "error")] : []),
  ];
  const rest: Line = [
    ...(stage === null ? [] : [piece(stage, "info")]),
    ...(unit === null ? [] : [piece(`${unit.slug} ${unit.done}/${unit.total}`, "text")]),
    ...(wave === null ? [] : [piece(wave.id, wave.approved ? "success" : "text")]),
    ...(working === 0 ? [] : [piece(`● ${working}`, "info")]),
    ...(retrying === 0 ? [] : [piece(`↻ ${retrying}${soonest}`, "warning")]),
  ];
  const pieces = [piece("GAIA ", "title"), ...urgent, ...settings, ...rest];
  const apart = pieces.map(({ text, tone }, at) => ({ text: at < 2 ? text : ` · ${text}`, tone }));
  return fit(apart, width);
}

/** What of the plan is proven, and what is not. */
function evidenceLine(unit: PanelModel["unit"]): Line[] {
  const counts = Object.entries(unit?.evidence ?? {}).filter(([, count]) => count > 0);
  if (counts.length === 0) return [];
  const shown = (isGreen: boolean): string[] =>
    counts
      .filter(([standing]) => (standing === "proven" || standing === "passes") === isGreen)
      .map(([standing, count]) => `${count} ${standing}`);
  const [green, doubts] = [shown(true), shown(false)];
  const doubtful = doubts.map((each) => ` · ${each}`).join("");
  return [[piece(green.join(" · ") || "0 proven", "success"), piece(doubtful, "warning")]];
}

function when<T extends object | string>(value: T | null | undefined, line: (value: T) => Line): Line[] {
  return value ? [line(value)] : [];
}

function taskLine(
  { agent, state, why, until, since, silent, model, tokens }: PanelModel["tasks"][number],
  now: number,
): Line {
  const { mark, words, tone } = silent === null ? (STATES[state] ?? RUNNING) : SILENT;
  const told = until === null ? why || words : `until ${clockTime(until)}, ${why.replace(/^retries: /, "")}`;
  const facts = [
    silent === null ? told : words,
    since === null ? "" : renderShortDuration(now - (silent ?? since)),
    tokens === 0 ? "" : shortCount(tokens),
    model?.slice(model.lastIndexOf("/") + 1) ?? "",
  ];
  return [
    { text: `${mark} `, tone },
    piece(agent, "text"),
    piece(` ${facts.filter((fact) => fact !== "").join(" ")}`, "muted"),
  ];
}

/** GAIA goes on by itself, so that when is told first, and why as far as there is room. */
function waitWords({ until, why }: { readonly until: number; readonly why: string }): string {
  return `↻ goes on at ${clockTime(until)}: ${why}`;
}

function pauseWords(reason: string, detail: string): string {
  if (reason === "budget") return `‖ stopped: ${detail}`;
  if (reason === "blocked") return `‖ blocked: ${detail}`;
  return `‖ ${reason === "abort" ? "stopped" : "check-in"}: /next goes on`;
}

/** Cuts the first piece that does not fit, behind a word of it, so that no line is wrapped; nothing comes behind that. */
function fit(line: Line, width = WIDTH): Line {
  let room = width;
  return line.map(({ text, tone }) => {
    const length = lengthWithin(text, room);
    if (length === text.length) {
      room -= columnsOf(text);
      return { text, tone };
    }
    // With a sign in front, for the space that sets it apart would be trimmed.
    const shown = excerpt(`.${text}`, length + 1).slice(1);
    room = 0;
    return { text: /[\p{L}\p{N}]/u.test(shown) ? shown : "", tone };
  });
}
