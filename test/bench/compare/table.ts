import type { Comparison, CurvePoint, Figures } from "./figures.ts";
import type { Traffic } from "./traffic.ts";

/** Roughly what a tokenizer makes of prompts and code. */
const BYTES_PER_TOKEN = 4;
/** What providers commonly bill for a byte that they have cached. */
const CACHED_PRICE = 0.1;

const number = (value: number): string => Math.round(value).toLocaleString("en-US");
const tokens = (bytes: number): string => `${number(bytes)} (≈ ${number(bytes / BYTES_PER_TOKEN)})`;
const kilobytes = (bytes: number): string => `${number(bytes / 1_000)} KB`;
const megabytes = (bytes: number): string =>
  bytes < 1_000_000 ? kilobytes(bytes) : `${(bytes / 1_000_000).toFixed(1)} MB`;
const milliseconds = (value: number): string => `${number(value)} ms`;

/** What the request of a table's cell costs: new bytes, and a tenth for those that the provider has cached. */
export function weigh({ bytes, cached }: Traffic): number {
  return bytes - cached + cached * CACHED_PRICE;
}

type Row = readonly [what: string, cell: (figures: Figures) => string | null];

function rowsFor({ featureFiles, idleStartUp }: Comparison): readonly Row[] {
  const some = <T>(value: T | null, render: (value: T) => string): string | null =>
    value === null ? null : render(value);
  return [
    ["first request, bytes (≈ tokens)", ({ first }) => some(first, ({ total }) => tokens(total))],
    ["… of that tool definitions", ({ first }) => some(first, ({ tools }) => number(tools))],
    ["`build`'s first request with it installed", ({ build }) => some(build, number)],
    ["first request of a subagent that reads", ({ reader }) => some(reader, number)],
    ["first request of a subagent that writes", ({ writer }) => some(writer, number)],
    [
      `a feature over ${featureFiles} files: requests`,
      ({ feature }) => some(feature, ({ requests }) => number(requests)),
    ],
    ["… bytes sent", ({ feature }) => some(feature, ({ bytes }) => kilobytes(bytes))],
    ["… of that cached prefix", ({ feature }) => some(feature, ({ cached }) => kilobytes(cached))],
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

/** Both tables, as markdown. */
export function renderComparison(comparison: Comparison): string {
  const { date, machine, openCode, figures, curve } = comparison;
  const rows = rowsFor(comparison).map(([what, cell]) => [what, ...figures.map((each) => cell(each) ?? "–")]);
  const head = ["", ...figures.map(({ contender: { name, version } }) => `${name} ${version}`)];
  return [
    `Measured on ${date} with OpenCode ${openCode} on ${machine}.`,
    "",
    table([head, ...rows]),
    "",
    table([
      [
        "files edited",
        "`build` alone: sent",
        "… new + cached / 10",
        "GAIA: sent",
        "… new + cached / 10",
        "GAIA / `build`",
      ],
      ...curve.map(renderPoint),
    ]),
  ].join("\n");
}

function renderPoint({ files, alone, gaia }: CurvePoint): string[] {
  const of = (traffic: Traffic): string[] => [kilobytes(traffic.bytes), kilobytes(weigh(traffic))];
  const ratios = [gaia.bytes / alone.bytes, weigh(gaia) / weigh(alone)].map((ratio) => ratio.toFixed(2));
  return [String(files), ...of(alone), ...of(gaia), ratios.join(" · ")];
}

function table([head, ...rows]: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = line((head ?? []).map((_cell, column) => (column === 0 ? "---" : "--:")));
  return [line(head ?? []), rule, ...rows.map(line)].join("\n");
}
