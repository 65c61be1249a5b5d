/** A kind of string in which nothing is a comment. */
export interface StringSyntax {
  open: string;
  close: string;
  /** How the closing mark can occur inside: behind a backslash, doubled, or not at all. */
  escape: "backslash" | "doubled" | "none";
  multiline: boolean;
}

/** How a language family writes comments, as far as finding them needs it. */
export interface CommentSyntax {
  line: readonly string[];
  block: readonly (readonly [open: string, close: string])[];
  strings: readonly StringSyntax[];
  /** `#` starts a comment only behind a space, as in `$#` or `a#b`. */
  spaced: boolean;
  /** A line comment above a declaration is its documentation. */
  lineIsDoc: boolean;
  /** What else can hide a comment mark. */
  quirk?: "javascript" | "rust" | "shell" | "yaml";
}

function quoted(open: string, escape: StringSyntax["escape"] = "backslash", multiline = false): StringSyntax {
  return { open, close: open, escape, multiline };
}

const SLASHES = { line: ["//"], block: [["/*", "*/"]], spaced: false, lineIsDoc: false } as const;
const HASH = { line: ["#"], block: [], spaced: false, lineIsDoc: false } as const;
const QUOTES = [quoted('"'), quoted("'")];
const TRIPLE = [quoted('"""', "backslash", true), quoted("'''", "backslash", true)];

const JAVASCRIPT: CommentSyntax = { ...SLASHES, strings: QUOTES, quirk: "javascript" };
const JAVA: CommentSyntax = { ...SLASHES, strings: [quoted('"""', "backslash", true), ...QUOTES] };
const C: CommentSyntax = { ...SLASHES, strings: QUOTES, lineIsDoc: true };
const GO: CommentSyntax = { ...SLASHES, strings: [...QUOTES, quoted("`", "none", true)], lineIsDoc: true };
const RUST: CommentSyntax = { ...SLASHES, strings: [quoted('"', "backslash", true)], quirk: "rust" };
const PYTHON: CommentSyntax = { ...HASH, strings: [...TRIPLE, ...QUOTES] };
const RUBY: CommentSyntax = { ...HASH, strings: QUOTES, spaced: true, lineIsDoc: true };
const SHELL: CommentSyntax = {
  ...HASH,
  strings: [quoted('"', "backslash", true), quoted("'", "none", true)],
  spaced: true,
  lineIsDoc: true,
  quirk: "shell",
};
const YAML: CommentSyntax = {
  ...HASH,
  strings: [quoted('"', "backslash", true), quoted("'", "doubled", true)],
  spaced: true,
  quirk: "yaml",
};
const DASHES = { line: ["--"], spaced: false, lineIsDoc: true } as const;
const SQL: CommentSyntax = {
  ...DASHES,
  block: [["/*", "*/"]],
  strings: [quoted("'", "doubled", true), quoted('"', "doubled"), quoted("$$", "none", true)],
};
const LUA: CommentSyntax = {
  ...DASHES,
  block: [["--[[", "]]"]],
  strings: [...QUOTES, { open: "[[", close: "]]", escape: "none", multiline: true }],
};
const CSS: CommentSyntax = { ...SLASHES, line: [], strings: QUOTES };
const HTML: CommentSyntax = { ...HASH, line: [], block: [["<!--", "-->"]], strings: [] };

const FAMILIES: readonly (readonly [CommentSyntax, string])[] = [
  [JAVASCRIPT, "js jsx ts tsx mjs cjs mts cts"],
  [JAVA, "java kt kts scala swift cs dart groovy"],
  [C, "c h cc cpp cxx hpp hh proto php jsonc json5 zig"],
  [GO, "go"],
  [RUST, "rs"],
  [PYTHON, "py pyi toml"],
  [RUBY, "rb ex exs pl r"],
  [SHELL, "sh bash zsh"],
  [YAML, "yaml yml"],
  [SQL, "sql"],
  [LUA, "lua"],
  [CSS, "css scss less"],
  [HTML, "html htm xml svg vue svelte"],
];
const BY_EXTENSION = new Map(
  FAMILIES.flatMap(([syntax, names]) => names.split(" ").map((name) => [name, syntax] as const)),
);

/** The comment syntax of a file by its name; null for prose and for what is not known. */
export function syntaxOf(path: string): CommentSyntax | null {
  const name = (path.split(/[\\/]/).at(-1) ?? "").toLowerCase();
  if (name === "makefile" || name === "dockerfile" || name.startsWith("dockerfile.")) return SHELL;
  return BY_EXTENSION.get(/\.([^.]+)$/.exec(name)?.[1] ?? "") ?? null;
}
