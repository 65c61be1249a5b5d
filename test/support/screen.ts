const ESCAPE = "\u001B";
/** Questions that a program asks its terminal before it draws, and what a plain one answers. */
const ANSWERS: readonly [question: string, answer: string][] = [
  [`${ESCAPE}[6n`, `${ESCAPE}[1;1R`],
  [`${ESCAPE}[c`, `${ESCAPE}[?62;22c`],
  [`${ESCAPE}]4;0;?\u0007`, `${ESCAPE}]4;0;rgb:0000/0000/0000\u0007`],
  [`${ESCAPE}]10;?\u0007`, `${ESCAPE}]10;rgb:ffff/ffff/ffff\u0007`],
  [`${ESCAPE}]11;?\u0007`, `${ESCAPE}]11;rgb:0000/0000/0000\u0007`],
];
/** One control sequence, or one character to draw. */
const TOKEN =
  // oxlint-disable-next-line no-control-regex -- terminals are steered by control characters
  /\u001B\[([0-9;:?<=>]*)[ -/]*([@-~])|\u001B[\]P_][^\u0007\u001B]*(?:\u0007|\u001B\\)|\u001B[^[\]P_]|[\r\n\b]|[\u0000-\u001F]|./gsu;
/** The end of a chunk may be the beginning of a sequence. */
// oxlint-disable-next-line no-control-regex -- as above
const UNFINISHED = /\u001B(?:\[[0-9;:?<=>]*[ -/]*|[\]P_][^\u0007\u001B]*\u001B?)?$/;

/** How a character is drawn; a colour as `rgb(1 2 3)`, "" for the terminal's own. */
export interface Style {
  readonly color: string;
  readonly background: string;
  readonly isBold: boolean;
}

/** One character of the screen. */
export interface Cell extends Style {
  readonly character: string;
}

const PLAIN: Style = { color: "", background: "", isBold: false };
const BLANK: Cell = { ...PLAIN, character: " " };

/** What a sequence of SGR parameters makes of a style; only true colours are known. */
function restyle(style: Style, parameters: string): Style {
  const codes = parameters.split(/[;:]/u).map(Number);
  let next = style;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if ((code === 38 || code === 48) && codes[at + 1] === 2) {
      const color = `rgb(${codes.slice(at + 2, at + 5).join(" ")})`;
      next = code === 38 ? { ...next, color } : { ...next, background: color };
      at += 4;
    } else if (code === 0) next = PLAIN;
    else if (code === 1 || code === 22) next = { ...next, isBold: code === 1 };
    else if (code === 39) next = { ...next, color: "" };
    else if (code === 49) next = { ...next, background: "" };
  }
  return next;
}

/** As much of a terminal as OpenCode's TUI needs: it places the cursor, and writes in true colours. It begins empty. */
export function createScreen(width: number, height: number) {
  let columns = width;
  const blank = (): Cell[] => Array.from({ length: columns }, () => BLANK);
  let cells = Array.from({ length: height }, blank);
  let [row, column, rest] = [0, 0, ""];
  let style = PLAIN;

  const erase = (mode: string): void => {
    if (mode === "2" || mode === "3") cells = cells.map(blank);
    else if (mode === "") cells = cells.map((line, index) => (index > row ? blank() : line));
  };
  const control = (parameters: string, final: string): void => {
    const [first = "", second = ""] = parameters.split(";");
    if (final === "H" || final === "f") [row, column] = [Number(first || 1) - 1, Number(second || 1) - 1];
    if (final === "G") column = Number(first || 1) - 1;
    if (final === "A") row -= Number(first || 1);
    if (final === "B") row += Number(first || 1);
    if (final === "C") column += Number(first || 1);
    if (final === "D") column -= Number(first || 1);
    if (final === "J") erase(first);
    if (final === "K") cells[row]?.fill(BLANK, column);
    if (final === "m") style = restyle(style, parameters);
  };
  const draw = (character: string): void => {
    const line = cells[row];
    if (line !== undefined && column < columns) line[column] = { ...style, character };
    column += 1;
  };

  return {
    /** What the program wrote. @returns the answers to what it asked */
    write(output: string): string[] {
      const text = rest + output;
      rest = UNFINISHED.exec(text)?.[0] ?? "";
      const whole = text.slice(0, text.length - rest.length);
      for (const [token, parameters, final] of whole.matchAll(TOKEN)) {
        if (final !== undefined) control(parameters ?? "", final);
        else if (token === "\r") column = 0;
        else if (token === "\n") row += 1;
        else if (token === "\b") column -= 1;
        else if (token >= " ") draw(token);
      }
      return ANSWERS.flatMap(([question, answer]) =>
        Array.from({ length: whole.split(question).length - 1 }, () => answer),
      );
    },
    /** What stands on the screen, lines without trailing spaces. */
    text: () =>
      cells
        .map((line) =>
          line
            .map(({ character }) => character)
            .join("")
            .trimEnd(),
        )
        .join("\n"),
    /** The same, with colours. */
    cells: (): readonly (readonly Cell[])[] => cells,
    /** Empties it, at another size: the program draws all of it again. */
    resize(toColumns: number, toRows: number): void {
      columns = toColumns;
      cells = Array.from({ length: toRows }, blank);
    },
  };
}
