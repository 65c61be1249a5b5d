import type { Cell } from "../support/screen.ts";

/** Of one character, in pixels. */
const [WIDTH, HEIGHT] = [8.4, 18];
const INK = "rgb(238 238 238)";
const PAPER = "rgb(10 10 10)";

/** A picture of a terminal: runs of characters of one style, each as wide as its cells whatever the font. */
export function renderSvg(cells: readonly (readonly Cell[])[]): string {
  const columns = cells[0]?.length ?? 0;
  const [width, height] = [columns * WIDTH, cells.length * HEIGHT];
  const rows = cells.flatMap((line, row) => runsOf(line).flatMap((run) => renderRun(run, row)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" shape-rendering="crispEdges">`,
    `<rect width="${width}" height="${height}" fill="${PAPER}"/>`,
    ...rows,
    "</svg>\n",
  ].join("\n");
}

interface Run {
  readonly column: number;
  readonly style: Cell;
  text: string;
}

/** What a run has in common. */
const styleOf = ({ color, background, isBold }: Cell): string => `${color}|${background}|${isBold}`;

function runsOf(line: readonly Cell[]): Run[] {
  const runs: Run[] = [];
  for (const [column, cell] of line.entries()) {
    const last = runs.at(-1);
    if (last !== undefined && styleOf(last.style) === styleOf(cell)) last.text += cell.character;
    else runs.push({ column, style: cell, text: cell.character });
  }
  return runs;
}

function renderRun({ column, style, text }: Run, row: number): string[] {
  const place = (of: number): string => `x="${round(of * WIDTH)}"`;
  const length = round(text.length * WIDTH);
  const top = row * HEIGHT;
  const { color, background, isBold } = style;
  const paper = `<rect ${place(column)} y="${top}" width="${length}" height="${HEIGHT}" fill="${background}"/>`;
  const words = text.trim();
  const first = column + text.length - text.trimStart().length;
  const ink = `<text ${place(first)} y="${top + 13}" textLength="${round(words.length * WIDTH)}" fill="${color || INK}"${isBold ? ' font-weight="bold"' : ""} xml:space="preserve">${escape(words)}</text>`;
  return [...(background === "" || background === PAPER ? [] : [paper]), ...(words === "" ? [] : [ink])];
}

const round = (pixels: number): number => Math.round(pixels * 10) / 10;
const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
