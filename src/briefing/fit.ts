import { linesWithin } from "../lib/text.ts";
import { listed } from "../lib/figures.ts";
import { lettersOf, parseMarkdown, textIn, withoutComments } from "../lib/markdown.ts";

interface Source {
  readonly text: string;
  /** Where all of it stands, as its reader can open it. */
  readonly where: string;
  /** For all but what must be told, in bytes. */
  readonly budget: number;
  /** Titles of sections that are told whatever their size, with all below them. */
  readonly must?: readonly string[];
  /** Titles of sections that are not told; empty for what stands before the first. */
  readonly but?: readonly string[];
  /** What goes first where room is short: the beginning by default. */
  readonly newestFirst?: boolean;
}

interface Piece {
  readonly titles: readonly string[];
  readonly text: string;
}

/** A section that must be told and is longer than this is a document of its own, in bytes. */
const MAX_MUST = 12_000;
const MAX_TITLES = 20;

/**
 * As many sections of a markdown text as fit, each whole, and the names of the others with where they stand. What stands under no
 * heading is told by whole lines. Pure.
 */
export function fit({ text, where, budget, must = [], but = [], newestFirst = false }: Source): string {
  const isAmong = ({ titles }: Piece, wanted: readonly string[]): boolean =>
    wanted.some((each) => titles.some((title) => lettersOf(title) === lettersOf(each)));
  const pieces = piecesOf(withoutComments(text)).filter((piece) => !isAmong(piece, but));
  const told = new Map<Piece, string>();
  let room = budget;
  const tell = (piece: Piece, shown: string): void => {
    told.set(piece, shown);
    room -= Buffer.byteLength(shown);
  };
  for (const piece of pieces) if (isAmong(piece, must)) tell(piece, linesWithin(piece.text, MAX_MUST));
  for (const piece of newestFirst ? pieces.toReversed() : pieces) {
    if (told.has(piece)) continue;
    const isBare = piece.titles.at(-1) === "";
    if (Buffer.byteLength(piece.text) <= room) tell(piece, piece.text);
    else if (isBare) tell(piece, linesWithin(piece.text, room));
  }
  const left = pieces.filter((piece) => told.get(piece) !== piece.text);
  const names = left.map(({ titles }) => titles.at(-1) || "the rest");
  const shown = pieces.map((piece) => told.get(piece) ?? "").filter(Boolean);
  return [
    ...shown,
    ...(left.length === 0 ? [] : [`Not shown here, read it there: ${listed(names, MAX_TITLES)} (${where})`]),
  ].join("\n");
}

function piecesOf(text: string): Piece[] {
  const document = parseMarkdown(text);
  const { sections, lines } = document;
  const heads = [{ level: 0, title: "", start: 0 }, ...sections];
  return heads.flatMap((head, at) => {
    const next = heads[at + 1];
    const said = textIn(document, {
      start: head.start,
      end: next === undefined ? lines.length : next.start - 1,
    });
    if (said === "") return [];
    const around = sections.filter(({ start, end }) => start <= head.start && head.start <= end);
    const isTitle = head.level <= 1;
    const titles = isTitle ? [""] : around.filter(({ level }) => level > 1).map(({ title }) => title);
    return [{ titles, text: isTitle ? said : `${"#".repeat(head.level)} ${head.title}\n${said}` }];
  });
}
