/** How the demo stresses words. Without color every function gives the text back unchanged. */
export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  /** What the demo does in the user's place. */
  user(text: string): string;
  /** A line of a diff, by its first character. */
  diff(line: string): string;
}

const ESCAPE = "\u001B[";
const CODES = { bold: "1", dim: "2", good: "32", bad: "31", user: "33", place: "36" } as const;

export function createPaint(colored: boolean): Paint {
  const style =
    (code: string) =>
    (text: string): string =>
      colored && text !== "" ? `${ESCAPE}${code}m${text}${ESCAPE}0m` : text;
  const [good, bad, place] = [style(CODES.good), style(CODES.bad), style(CODES.place)];
  return {
    bold: style(CODES.bold),
    dim: style(CODES.dim),
    good,
    bad,
    user: style(CODES.user),
    diff(line) {
      if (line.startsWith("+")) return good(line);
      if (line.startsWith("-")) return bad(line);
      return line.startsWith("@@") ? place(line) : line;
    },
  };
}

/** Color only where a person looks at it and did not say no (https://no-color.org). */
export function wantsColor(isTerminal: boolean, environment: NodeJS.ProcessEnv): boolean {
  return isTerminal && (environment["NO_COLOR"] ?? "") === "" && environment["TERM"] !== "dumb";
}
