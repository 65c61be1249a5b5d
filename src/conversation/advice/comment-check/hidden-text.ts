import type { CommentSyntax } from "./syntax.ts";

/**
 * The end of a piece of text that looks like code with comments and is none: template literals and regular
 * expressions, raw strings and lifetimes, here-documents, block scalars. Null when none starts at `at`.
 */
export function skipHidden(text: string, at: number, syntax: CommentSyntax): number | null {
  if (syntax.quirk === "javascript") return skipTemplate(text, at) ?? skipRegex(text, at);
  if (syntax.quirk === "rust") return skipRust(text, at);
  if (syntax.quirk === "shell") return skipHeredoc(text, at);
  return syntax.quirk === "yaml" ? skipBlockScalar(text, at) : null;
}

/** With its `${…}`, which may hold templates again. */
function skipTemplate(text: string, start: number): number | null {
  if (text[start] !== "`") return null;
  // One entry per open template: the depth of braces inside its current `${…}`, 0 in its text.
  const open = [0];
  let at = start + 1;
  while (at < text.length && open.length > 0) {
    const depth = open.at(-1) ?? 0;
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === "`" && depth === 0) open.pop();
    else if (character === "`") open.push(0);
    else if (depth === 0 && text.startsWith("${", at)) {
      open[open.length - 1] = 1;
      at += 1;
    } else if (depth > 0 && character === "{") open[open.length - 1] = depth + 1;
    else if (depth > 0 && character === "}") open[open.length - 1] = depth - 1;
    at += 1;
  }
  return at;
}

const SLASH_IS_REGEX = /(?:^|[=([{,;:!&|?+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|void|throw))\s*$/;
const REGEX = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//y;

function skipRegex(text: string, at: number): number | null {
  if (text[at] !== "/" || !SLASH_IS_REGEX.test(text.slice(Math.max(0, at - 40), at))) return null;
  REGEX.lastIndex = at;
  return REGEX.test(text) ? REGEX.lastIndex : null;
}

const RUST_RAW = /b?r(#*)"[\s\S]*?"\1/y;
const RUST_CHARACTER = /'(?:\\(?:u\{[^}]*\}|x..|.)|[^\\'\n])'/y;

function skipRust(text: string, at: number): number | null {
  for (const pattern of [RUST_RAW, RUST_CHARACTER]) {
    pattern.lastIndex = at;
    if (pattern.test(text)) return pattern.lastIndex;
  }
  return null;
}

const HEREDOC = /<<-?\s*(["']?)([A-Za-z_]\w*)\1/y;

function skipHeredoc(text: string, at: number): number | null {
  HEREDOC.lastIndex = at;
  const word = text[at] === "<" ? HEREDOC.exec(text)?.[2] : undefined;
  if (word === undefined) return null;
  const body = text.indexOf("\n", at);
  if (body < 0) return text.length;
  const end = new RegExp(`^\\t*${word}$`, "m").exec(text.slice(body + 1));
  return end ? body + 1 + end.index + end[0].length : text.length;
}

/** A `|` or `>` at the end of a line hides everything that is indented deeper than the line itself. */
function skipBlockScalar(text: string, at: number): number | null {
  if (text[at] !== "|" && text[at] !== ">") return null;
  const mark = /^[|>][-+\d]*[ \t]*(?:#[^\n]*)?\n/.exec(text.slice(at, at + 80));
  if (!mark || !/\s/.test(text[at - 1] ?? "")) return null;
  const lineStart = text.lastIndexOf("\n", at) + 1;
  const indent = /^\s*/.exec(text.slice(lineStart, at))?.[0].length ?? 0;
  let end = at + mark[0].length;
  while (end < text.length) {
    const next = text.indexOf("\n", end);
    const line = text.slice(end, next < 0 ? text.length : next);
    if (line.trim() !== "" && line.length - line.trimStart().length <= indent) break;
    if (next < 0) return text.length;
    end = next + 1;
  }
  return end;
}
