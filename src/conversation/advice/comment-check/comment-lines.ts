/** A comment that has its line for itself, with the line of code below it. */
export interface CommentLine {
  /** Without its mark. */
  readonly text: string;
  /** With its mark, as written. */
  readonly raw: string;
  /** The next line; empty when there is none. */
  readonly below: string;
  /** Several comment lines in a row explain something together. */
  readonly inParagraph: boolean;
  /** It stands above a declaration, in a language that documents those with line comments. */
  readonly documents: boolean;
}

interface Language {
  readonly extensions: string;
  readonly mark: "//" | "#" | "--";
  /** A line comment above a declaration is its documentation. */
  readonly lineIsDoc?: true;
  /** Opens and closes a text of several lines: after an odd number of them nothing is a comment. */
  readonly quote?: RegExp;
  /** Opens one whose end is not looked for: after it nothing counts. */
  readonly hides?: RegExp;
}

const LANGUAGES: readonly Language[] = [
  { extensions: "js jsx ts tsx mjs cjs mts cts", mark: "//", quote: /(?<!\\)`/g },
  { extensions: "java kt kts scala swift cs dart groovy", mark: "//", quote: /"""/g },
  { extensions: "c h cc cpp cxx hpp hh proto php jsonc json5 zig", mark: "//", lineIsDoc: true },
  { extensions: "go", mark: "//", lineIsDoc: true, quote: /`/g },
  { extensions: "rs", mark: "//", quote: /(?<!\\)"/g },
  { extensions: "py pyi toml", mark: "#", quote: /"""|'''/g },
  { extensions: "rb ex exs pl r", mark: "#", lineIsDoc: true, hides: /<<[-~]?["'A-Z]|"""/ },
  { extensions: "sh bash zsh", mark: "#", lineIsDoc: true, quote: /(?<!\\)["']/g, hides: /<<-?\s*["']?\w/ },
  { extensions: "makefile dockerfile", mark: "#", lineIsDoc: true, hides: /<<-?\s*["']?\w/ },
  { extensions: "yaml yml", mark: "#", hides: /[|>][-+\d]*\s*(?:#.*)?$/ },
  { extensions: "sql", mark: "--", lineIsDoc: true, quote: /\$\$/g },
  { extensions: "lua", mark: "--", lineIsDoc: true, hides: /\[\[/ },
];
const DECLARATION =
  /^\s*(?:(?:export|public|private|protected|static|async|pub|extern|inline|local|abstract|final|const)\s+)*(?:func|function|def|fn|class|struct|type|interface|enum|module|message|service|rpc|create|[\w:]+\s*\(\)\s*\{)/i;

/** The whole-line comments of a text or a fragment of one; none for prose and for what is not known by its name. */
export function commentLines(path: string, text: string): CommentLine[] {
  const extension = /[^./\\]*$/.exec(path.toLowerCase())?.[0] ?? "";
  const language = LANGUAGES.find(({ extensions }) => extensions.split(" ").includes(extension));
  if (language === undefined) return [];
  const { mark, quote, hides, lineIsDoc = false } = language;
  const isComment = (line = ""): boolean => line.trimStart().startsWith(mark);
  const lines = text.split("\n");
  let quotes = 0;
  const found: CommentLine[] = [];
  for (const [index, line] of lines.entries()) {
    if (quotes % 2 > 0 || !isComment(line)) {
      if (hides?.test(line) === true) break;
      quotes += quote === undefined ? 0 : (line.match(quote)?.length ?? 0);
      continue;
    }
    const raw = line.trim();
    const below = lines[index + 1] ?? "";
    found.push({
      raw,
      text: raw.replace(/^(?:\/\/+|#+|--+)/, "").trim(),
      below,
      inParagraph: isComment(below) || isComment(lines[index - 1]),
      documents: lineIsDoc && DECLARATION.test(below),
    });
  }
  return found;
}
