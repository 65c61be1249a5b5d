import type { Measured } from "../../support/simulated-model/measure.ts";
import { renderTable } from "../figures.ts";
import type { Installed } from "./contenders.ts";

/** Roughly what a tokenizer makes of prompts and code. */
const BYTES_PER_TOKEN = 4;

const number = (value: number): string => Math.round(value).toLocaleString("en-US");
const tokens = (bytes: number): string => `${number(bytes)} (≈ ${number(bytes / BYTES_PER_TOKEN)})`;
const kilobytes = (bytes: number): string => `${number(bytes / 1_000)} KB`;
const megabytes = (bytes: number): string =>
  bytes < 1_000_000 ? kilobytes(bytes) : `${(bytes / 1_000_000).toFixed(1)} MB`;
const milliseconds = (value: number): string => `${number(value)} ms`;

/** What was measured of one contender; null where it could not be. Bytes are bytes of JSON, times milliseconds. */
export interface Figures {
  readonly contender: Installed;
  /** The first request of the agent that the user speaks to, and its tool definitions. */
  readonly first: { readonly total: number; readonly tools: number } | null;
  /** The first request of OpenCode's own `build`, while this is installed. */
  readonly build: number | null;
  /** The first requests of an agent that reads and of one that writes, their tasks included. */
  readonly reader: number | null;
  readonly writer: number | null;
  /** Median wall time that it adds to `opencode run`, with `build` and with its own orchestrator. */
  readonly startUp: number | null;
  readonly firstTurn: number | null;
  /** Median from an orchestrator's answer that delegates to its next request, the child answering at once. */
  readonly delegation: number | null;
}

/**
 * What each is, and what it adds to the wait.
 * @param idleStartUp the median wall time that a plugin which does nothing adds to `opencode run`
 */
export function renderComparison(figures: readonly Figures[], idleStartUp: number | null): string {
  const row = (
    what: string,
    of: (figures: Figures) => number | null | undefined,
    render: (value: number) => string,
  ): string[] => {
    const cell = (value: number | null | undefined): string => (value == null ? "–" : render(value));
    return [what, ...figures.map((each) => cell(of(each)))];
  };
  const idle = idleStartUp === null ? "" : ` (by a plugin that does nothing: ${milliseconds(idleStartUp)})`;
  const sizes = ({ contender: { ownBytes, allBytes } }: Figures): string =>
    allBytes === 0 ? "–" : `${megabytes(ownBytes)} / ${megabytes(allBytes)}`;
  return renderTable(1, [
    ["", ...figures.map(({ contender: { name, version } }) => `${name} ${version}`)],
    row("first request, bytes (≈ tokens)", ({ first }) => first?.total, tokens),
    row("… of that tool definitions", ({ first }) => first?.tools, number),
    row("`build`'s first request with it installed", ({ build }) => build, number),
    row("first request of a subagent that reads", ({ reader }) => reader, number),
    row("first request of a subagent that writes", ({ writer }) => writer, number),
    row(`added to \`opencode run --agent build\`${idle}`, ({ startUp }) => startUp, milliseconds),
    row("… with its orchestrator", ({ firstTurn }) => firstTurn, milliseconds),
    row("one delegation, instant model", ({ delegation }) => delegation, milliseconds),
    ["on disk: package / with what npm installs along", ...figures.map(sizes)],
  ]);
}

/** A piece of work, by everyone; null for one who did not do it. */
export interface WorkFigures {
  readonly what: string;
  readonly measured: readonly { readonly name: string; readonly cost: Measured | null }[];
}

/** What pieces of work cost, everyone in a row, against the first. */
export function renderWorks(works: readonly WorkFigures[]): string {
  const head = ["work", "by", "requests", "sent", "billed as", "time", "billed / `build`", "time / `build`"];
  const rows = works.flatMap(({ what, measured }) => {
    const build = measured[0]?.cost ?? null;
    return measured.map(({ name, cost }, row) => {
      const words = [row === 0 ? what : "", name];
      if (cost === null) return [...words, ...Array<string>(6).fill("–")];
      const against = (of: "billed" | "seconds") =>
        build === null ? "–" : (cost[of] / build[of]).toFixed(2);
      const { requests, bytes, billed, seconds } = cost;
      const own = [number(requests), kilobytes(bytes), kilobytes(billed), `${number(seconds)} s`];
      return [...words, ...own, against("billed"), against("seconds")];
    });
  });
  return renderTable(2, [head, ...rows]);
}
