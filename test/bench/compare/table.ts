import type { Comparison, Figures, WorkFigures } from "./figures.ts";

/** Roughly what a tokenizer makes of prompts and code. */
const BYTES_PER_TOKEN = 4;

const number = (value: number): string => Math.round(value).toLocaleString("en-US");
const tokens = (bytes: number): string => `${number(bytes)} (≈ ${number(bytes / BYTES_PER_TOKEN)})`;
const kilobytes = (bytes: number): string => `${number(bytes / 1_000)} KB`;
const megabytes = (bytes: number): string =>
  bytes < 1_000_000 ? kilobytes(bytes) : `${(bytes / 1_000_000).toFixed(1)} MB`;
const milliseconds = (value: number): string => `${number(value)} ms`;

type Row = readonly [what: string, cell: (figures: Figures) => string | null];

function rowsFor({ idleStartUp }: Comparison): readonly Row[] {
  const some = <T>(value: T | null, render: (value: T) => string): string | null =>
    value === null ? null : render(value);
  return [
    ["first request, bytes (≈ tokens)", ({ first }) => some(first, ({ total }) => tokens(total))],
    ["… of that tool definitions", ({ first }) => some(first, ({ tools }) => number(tools))],
    ["`build`'s first request with it installed", ({ build }) => some(build, number)],
    ["first request of a subagent that reads", ({ reader }) => some(reader, number)],
    ["first request of a subagent that writes", ({ writer }) => some(writer, number)],
    [
      `added to \`opencode run --agent build\`${idleStartUp === null ? "" : ` (by a plugin that does nothing: ${milliseconds(idleStartUp)})`}`,
      ({ startUp }) => some(startUp, milliseconds),
    ],
    ["… with its orchestrator", ({ firstTurn }) => some(firstTurn, milliseconds)],
    ["one delegation, instant model", ({ delegation }) => some(delegation, milliseconds)],
    [
      "on disk: package / with what npm installs along",
      ({ contender: { ownBytes, allBytes } }) =>
        allBytes === 0 ? null : `${megabytes(ownBytes)} / ${megabytes(allBytes)}`,
    ],
  ];
}

/** What each is, and what it adds to the wait, as markdown. */
export function renderComparison(comparison: Comparison): string {
  const { date, machine, openCode, figures } = comparison;
  const rows = rowsFor(comparison).map(([what, cell]) => [what, ...figures.map((each) => cell(each) ?? "–")]);
  const head = ["", ...figures.map(({ contender: { name, version } }) => `${name} ${version}`)];
  return [`Measured on ${date} with OpenCode ${openCode} on ${machine}.`, "", table(1, [head, ...rows])].join(
    "\n",
  );
}

/** What pieces of work cost, as markdown. */
export function renderWorks({ date, openCode, works }: Comparison): string {
  const head = ["work", "by", "requests", "sent", "billed as", "time", "billed / `build`", "time / `build`"];
  return [
    `Computed from what was sent on ${date} with OpenCode ${openCode}.`,
    "",
    table(2, [head, ...works.flatMap(rowsOfWork)]),
  ].join("\n");
}

/** Everyone in a row, against the first. */
function rowsOfWork({ what, measured }: WorkFigures): string[][] {
  const build = measured[0]?.cost ?? null;
  return measured.map(({ name, cost }, row) => {
    const head = [row === 0 ? what : "", name];
    if (cost === null) return [...head, "–", "–", "–", "–", "–", "–"];
    const against = (of: "billed" | "seconds"): string =>
      build === null ? "–" : (cost[of] / build[of]).toFixed(2);
    const { requests, bytes, billed, seconds } = cost;
    const own = [number(requests), kilobytes(bytes), kilobytes(billed), `${number(seconds)} s`];
    return [...head, ...own, against("billed"), against("seconds")];
  });
}

/** @param words how many columns, from the left, hold words and no figures */
function table(words: number, [head, ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = line((head ?? []).map((_cell, column) => (column < words ? "---" : "--:")));
  return [line(head ?? []), rule, ...rows.map(line)].join("\n");
}
