import { clip, duration, WIDTH, wrap } from "./layout.ts";
import type { Paint } from "./paint.ts";

/** `▶` a task begins, `✓` and `✗` how something ended, `?` the user is asked; without a sign it is news in between. */
export type Sign = "▶" | "✓" | "✗" | "?";

/** One thing that happened. */
export interface Row {
  /** An agent, or `you`. */
  readonly who: string;
  readonly sign?: Sign;
  readonly text: string;
  /** Longer text goes on in further lines; without it, it is cut. */
  readonly whole?: boolean;
}

/** The columns before the text: time, agent, sign. */
const INDENT = 25;
/** How wide a row's text may be, in characters. */
export const ROW_WIDTH = WIDTH - INDENT;

/** @param elapsedMs since the request was made */
export function renderRow(
  { who, sign, text, whole = false }: Row,
  elapsedMs: number,
  paint: Paint,
): string[] {
  const lines = whole ? wrap(text, ROW_WIDTH) : [clip(text, ROW_WIDTH)];
  const style = styleOf(sign, whole, paint);
  const head = `${paint.dim(duration(elapsedMs).padStart(8))}  ${paint.bold(who.padEnd(11))}`;
  const [first = "", ...rest] = lines.map(style);
  return [`${head} ${renderSign(sign, paint)}  ${first}`, ...rest.map((line) => " ".repeat(INDENT) + line)];
}

function styleOf(sign: Sign | undefined, whole: boolean, paint: Paint): (text: string) => string {
  if (sign === "?") return paint.user;
  return sign === undefined && !whole ? paint.dim : (text) => text;
}

function renderSign(sign: Sign | undefined, paint: Paint): string {
  switch (sign) {
    case undefined:
      return " ";
    case "▶":
      return paint.bold(sign);
    case "✓":
      return paint.good(sign);
    case "✗":
      return paint.bad(sign);
    case "?":
      return paint.user(sign);
  }
}
