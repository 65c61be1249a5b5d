import { editLines, type Markdown, parseMarkdown, renderMarkdown, textIn } from "../../lib/markdown.ts";
import { KNOWLEDGE_FOLDER } from "../gaia-path.ts";
import type { GaiaFiles } from "../store/gaia-files.ts";
import { entryKey, parseLearning, renderKnowledge } from "./entry.ts";

/** One thing in a list, and the lines that it stands in. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly text: string;
}

/** The lists of earlier versions: learnings have a line each, patterns a section. */
const LISTS: readonly (readonly [name: string, piecesIn: (document: Markdown) => Piece[]])[] = [
  [
    "learnings.md",
    ({ lines, kinds }) =>
      lines.flatMap(({ text: line }, at) => {
        const learning = kinds[at] === "text" && line.startsWith("- ") ? parseLearning(line) : null;
        return learning === null || learning.text === "" ? [] : [{ ...learning, start: at, end: at + 1 }];
      }),
  ],
  [
    "patterns.md",
    (document) =>
      document.sections
        .filter(({ level, title }) => level === 2 && title !== "")
        .map((section) => ({
          kind: "pattern",
          text: `## ${section.title}\n\n${textIn(document, section)}`,
          start: section.start - 1,
          end: section.end,
        })),
  ],
];

/** Proposes what stands in these lists, and takes it out of them; all else in them stays. @throws as the files */
export async function takeEarlier(files: GaiaFiles): Promise<void> {
  const there = await Promise.all(LISTS.map(async ([name]) => files.exists(name)));
  if (!there.includes(true)) return;
  await files.exclusive(async (writer) => {
    for (const [name, piecesIn] of LISTS) {
      const text = (await writer.read(name)) ?? "";
      const document = parseMarkdown(text);
      const pieces = piecesIn(document);
      // Entries first: a kill between loses nothing.
      for (const piece of pieces) {
        const { slug, file } = entryOf(piece);
        await writer.change(`${KNOWLEDGE_FOLDER}/${slug}.md`, (known) => ({
          text: known ?? file,
          result: null,
        }));
      }
      const rest = pieces.reduceRight(
        (next, { start, end }) => editLines(next, start, end - start, []),
        document,
      );
      await writer.change(name, (now) => ({
        text: now === text && pieces.length > 0 ? renderMarkdown(rest) : null,
        result: null,
      }));
    }
  });
}

/** By nothing but what it says: two clones make the same file of it, and git has nothing to merge. */
function entryOf({ kind, text }: Piece): { slug: string; file: string } {
  // What nobody has accepted is not in a name either, which models may see.
  const id = `learnt-${entryKey(text)}`;
  const unsaid = { source: "", evidence: "", about: [], supersedes: [], by: "", at: "", reason: "" };
  const file = renderKnowledge({ ...unsaid, id, kind, scope: "project", status: "proposed", body: text });
  return { slug: id, file };
}
