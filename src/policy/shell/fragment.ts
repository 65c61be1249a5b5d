import type { DoubleQuotedChild, ParameterExpansionPart, Word, WordPart } from "unbash";
import type { Hole, HoleKind } from "./arg.ts";
import { mayExpandBraces } from "./braces.ts";
import { isFolderQuery, outputKind, outputText } from "./output-kind.ts";
import { HOME, type Scope } from "./scope.ts";
import { samplesOf, type Value } from "./value.ts";

/** A stretch of a word: text as it stands, text that came out of an unquoted expansion, or something unknown. */
export type Fragment = { readonly text: string; readonly expanded: boolean } | Hole;

/** The alternatives for one stretch of a word. */
export type Choice = readonly Fragment[];

const plain = (text: string): Choice => [{ text, expanded: false }];

function hole(kind: HoleKind, text: string, quoted: boolean, samples: readonly string[] = []): Choice {
  const split = !quoted && kind !== "number" && kind !== "name" && kind !== "glob";
  return [{ kind, text, split, ...(samples.length === 0 ? {} : { samples }) }];
}

function fromValue(value: Value, text: string, quoted: boolean): Choice {
  if ("texts" in value) return value.texts.map((known) => ({ text: known, expanded: !quoted }));
  const split = !quoted && value.kind !== "number" && value.kind !== "name";
  return [{ ...value, text, split }];
}

function fromParameter(name: string, text: string, scope: Scope, quoted: boolean): Choice {
  if (name === "@" || name === "*")
    return hole("any", text, quoted && name === "*", samplesOf(scope.lookup("@")));
  return fromValue(scope.lookup(name), text, quoted);
}

/** The text of a default value, when nothing in it is decided at run time. */
function defaultText(word: Word): string | undefined {
  return word.parts === undefined || word.parts.every((part) => "value" in part && part.type !== "Glob")
    ? word.value
    : undefined;
}

function fromExpansion(part: ParameterExpansionPart, scope: Scope, quoted: boolean): Choice {
  const { operation, text } = part;
  if (part.prefix === "#") return hole("number", text, quoted);
  if (part.prefix === "!" || part.index !== undefined) {
    const held = samplesOf(scope.lookup(part.parameter));
    const samples = part.prefix === "!" ? held.flatMap((name) => samplesOf(scope.lookup(name))) : held;
    return hole("any", text, quoted && part.index?.value !== "@", samples);
  }
  const value = fromParameter(part.parameter, text, scope, quoted);
  if (operation === undefined) return value;
  if (operation.type === "Remove" && operation.operator.startsWith("%")) {
    return value.map((fragment) =>
      "expanded" in fragment ? shortened(fragment.text, part, quoted) : fragment,
    );
  }
  if (operation.type !== "Default") return hole("any", text, quoted);
  const given = value.map((fragment) => ("kind" in fragment ? { ...fragment, unset: false } : fragment));
  if (operation.operator.endsWith("?")) return given;
  const fallback = defaultText(operation.operand);
  const other: Fragment =
    fallback === undefined ? { kind: "any", text, split: !quoted } : { text: fallback, expanded: !quoted };
  return operation.operator.endsWith("+") ? [other, { text: "", expanded: !quoted }] : [...given, other];
}

/** What is left of a known text without its end: it still begins in the same way. */
function shortened(text: string, part: ParameterExpansionPart, quoted: boolean): Fragment {
  const kind = text.startsWith("-") || text === "" ? "any" : "operand";
  return { kind, text: part.text, split: !quoted };
}

function fromQuoted(part: DoubleQuotedChild, scope: Scope): Choice {
  return part.type === "Literal" ? plain(part.value) : choiceOf(part, scope, true);
}

function fromLiteral(value: string, source: string, first: boolean, scope: Scope): Choice {
  const tilde = first && source.startsWith("~") ? /^~([\w.-]*)/u.exec(source) : null;
  if (tilde !== null) {
    const home = tilde[1] === "" ? HOME : `/home/${tilde[1] ?? ""}`;
    return plain(home + value.slice(tilde[0].length));
  }
  if (first && /^~[+-]/u.test(source))
    return hole("name", value, true, samplesOf(scope.lookup(source.startsWith("~+") ? "PWD" : "OLDPWD")));
  return mayExpandBraces(source) ? hole("any", source, false) : plain(value);
}

function choiceOf(part: WordPart, scope: Scope, quoted: boolean): Choice {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return plain(part.value);
    case "SimpleExpansion":
      return fromParameter(part.text.slice(1), part.text, scope, quoted);
    case "ParameterExpansion":
      return fromExpansion(part, scope, quoted);
    case "ArithmeticExpansion":
      return hole("number", part.text, quoted);
    case "CommandExpansion": {
      if (isFolderQuery(part.script)) return fromValue(scope.lookup("PWD"), part.text, quoted);
      const text = outputText(part.script);
      return text === undefined
        ? hole(outputKind(part.script), part.text, quoted)
        : [{ text, expanded: !quoted }];
    }
    case "ProcessSubstitution":
      return plain("/dev/fd/63");
    case "Glob":
    case "ExtendedGlob":
      return hole("glob", part.text, quoted);
    case "DoubleQuoted":
    case "LocaleString":
    case "BraceExpansion":
      return hole("any", part.text, false);
    default:
      return hole("any", "", false);
  }
}

/**
 * The stretches of a word in order, each with what it may be.
 * @param quoted treat the whole word as the right side of an assignment: nothing is split, patterns stay text
 */
export function choicesOf(
  word: Word,
  parts: readonly WordPart[] | undefined,
  scope: Scope,
  quoted: boolean,
): Choice[] {
  if (parts === undefined) return [fromLiteral(word.value, word.text, true, scope)];
  return parts.flatMap((part, index): Choice[] => {
    if (part.type === "DoubleQuoted" || part.type === "LocaleString") {
      return part.parts.length === 0 ? [plain("")] : part.parts.map((child) => fromQuoted(child, scope));
    }
    if (part.type === "Literal") return [fromLiteral(part.value, part.text, index === 0, scope)];
    if (part.type === "Glob" && quoted) return [plain(part.value)];
    return [choiceOf(part, scope, quoted)];
  });
}
