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

/** As much of a terminal as OpenCode's TUI needs: it places the cursor and writes, colours aside. */
export interface Screen {
  /** What the program wrote; the answers to what it asked. */
  write(output: string): string[];
  /** What stands on the screen, lines without trailing spaces. */
  text(): string;
}

/** An empty screen. */
export function createScreen(columns: number, rows: number): Screen {
  const blank = (): string[] => Array.from({ length: columns }, () => " ");
  let cells = Array.from({ length: rows }, blank);
  let [row, column, rest] = [0, 0, ""];

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
    if (final === "K") cells[row]?.fill(" ", column);
  };
  const draw = (character: string): void => {
    const line = cells[row];
    if (line !== undefined && column < columns) line[column] = character;
    column += 1;
  };

  return {
    write(output) {
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
    text: () => cells.map((line) => line.join("").trimEnd()).join("\n"),
  };
}
