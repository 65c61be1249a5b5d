import * as z from "zod/mini";
import { excerpt } from "../lib/excerpt.ts";
import { isRecord, listOf, numberOf, recordOf, textOf, type JsonRecord } from "../lib/json.ts";
import { preprocess } from "../lib/schema.ts";

/** A command that a specialist says it ran, and how it ended; null where that is not said. */
export interface RanCheck {
  readonly command: string;
  readonly exit_code: number | null;
}

/** More than these are not read, and no longer ones. */
const MAX_CHECKS = 50;
const MAX_COMMAND = 400;
const COMMANDS = ["command", "cmd", "check", "run", "script", "name"];
/** Without case and separators, the most telling first. */
const CODES = "exitcode exitstatus returncode exit code status result outcome passed ok".split(" ");
const LINES = "line linenumber lineno lines startline range".split(" ");
const PLACES = "where location path file filepath filename".split(" ");
/** That nothing was run. */
const NOTHING = /^\W*(?:(?:none|nothing|n\/?a|no checks)(?: (?:were )?run)?|not run)?\W*$/i;
const MAX_NOTHING = 30;
/** `npm test: 0`, `npm test -> exit code 1`, `npm test (passed)`. */
const ENDS =
  /^(.*?\S)\s*(?:[:=(,→–—]|[-=]>|\s-)\s*(?:(?:exit(?:ed|s)?|code|status|rc)\b[\s:=]*)*(-?\d{1,3}|\d*\s*[a-z]+)\)?\.?$/i;
const SAYS =
  /^(.*?\S)\s+(?:exited\s+(?:with\s+)?)?(?:(?:exit\s+)?code\s+)?(-?\d{1,3}|passe[sd]|succeeded|fail(?:s|ed))\.?$/i;

/** What an editor or checker ran: asked for as objects of command and exit code, and read however it is written. */
export const checksRun = (): z.ZodMiniType<RanCheck[]> =>
  preprocess(readChecks, z.array(z.object({ command: z.string(), exit_code: z.nullable(z.number()) })));

/** A list of texts that a model may leave out, or give as one. */
export const lenientTexts = (): z.ZodMiniType<string[]> =>
  preprocess(
    (value) => (typeof value === "string" ? [value].filter(Boolean) : (value ?? [])),
    z.array(z.string()),
  );

/** A text that a model may leave out. */
export const lenientText = (): z.ZodMiniType<string> => preprocess((value) => value ?? "", z.string());

/** An object with a `where`, `path:line`, out of whatever keys say it. @param shape the other fields */
export const located = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  preprocess(
    (value) => (isRecord(value) ? { ...value, where: placeOf(value) } : value),
    z.object({ ...shape, where: z.string() }),
  );

/** The checks in anything that stands where they are asked for; what cannot be read is left out. */
export function checksIn(value: unknown): RanCheck[] {
  return listOf(readChecks(value)).flatMap((each) => {
    const { command, exit_code: code } = recordOf(each);
    return typeof command === "string" ? [{ command, exit_code: numberOf(code) ?? null }] : [];
  });
}

/** What failed before the work began and is told apart: whether it is this check that did. */
export function isToldApart({ command }: RanCheck, data: JsonRecord): boolean {
  const told = ["failed_before", "known_issues"].flatMap((key) => data[key] ?? []);
  return told.some((text) => typeof text === "string" && text.includes(command));
}

function readChecks(value: unknown): unknown {
  if (value === undefined || value === null) return [];
  if (typeof value === "string") return value.split("\n").flatMap(readCheck).slice(0, MAX_CHECKS);
  if (Array.isArray(value)) return value.slice(0, MAX_CHECKS).flatMap(readCheck);
  if (!isRecord(value)) return value;
  if (COMMANDS.some((key) => key in value)) return readCheck(value);
  return Object.entries(value)
    .slice(0, MAX_CHECKS)
    .map(([command, end]) => ({
      command: cleaned(command),
      exit_code: isRecord(end) ? codeIn(end) : codeOf(end),
    }));
}

function readCheck(value: unknown): unknown[] {
  if (typeof value === "string") {
    const text = excerpt(value.trim(), MAX_COMMAND);
    return text.length <= MAX_NOTHING && NOTHING.test(text) ? [] : [readText(text)];
  }
  if (!isRecord(value)) return [value];
  const command = COMMANDS.map((key) => textOf(value[key])).find((text) => text !== undefined);
  return command === undefined ? [value] : [{ command: cleaned(command), exit_code: codeIn(value) }];
}

function readText(text: string): RanCheck {
  for (const form of [ENDS, SAYS]) {
    const [, command = "", end = ""] = form.exec(text) ?? [];
    const code = codeOf(end);
    if (code !== null) return { command: cleaned(command), exit_code: code };
  }
  return { command: cleaned(text), exit_code: null };
}

function codeIn(value: JsonRecord): number | null {
  const [found] = valuesOf(value, CODES);
  return isRecord(found) ? codeIn(found) : codeOf(found);
}

function codeOf(value: unknown): number | null {
  if (typeof value === "boolean") return value ? 0 : 1;
  if (typeof value === "number") return numberOf(value) ?? null;
  const text = textOf(value)?.trim() ?? "";
  if (/^-?\d{1,3}$/.test(text)) return Number(text);
  if (
    /^(?:exit (?:code )?)?0\b|^\d*\s*(?:pass(?:ed|es|ing)?|ok|success(?:ful)?|succeeded|green)$/i.test(text)
  )
    return 0;
  return /^(?:[1-9]\d*\s*)?(?:fail(?:ed|s|ing|ures?)?|errors?|red)$/i.test(text) ? 1 : null;
}

function cleaned(command: string): string {
  return excerpt(command.replace(/^\s*\$\s+/, "").replaceAll("`", ""), MAX_COMMAND);
}

function placeOf(value: JsonRecord): string {
  const [found = ""] = valuesOf(value, PLACES);
  if (Array.isArray(found))
    return found.map((each) => (isRecord(each) ? placeOf(each) : String(each))).join(", ");
  if (isRecord(found)) return placeOf(found);
  const path = textOf(found) ?? "";
  const [line] = valuesOf(value, LINES).map((each) => (Array.isArray(each) ? each.join("-") : each));
  const isLine = typeof line === "number" || typeof line === "string";
  return path === "" || !isLine || /[:#]L?\d/.test(path) ? path : `${path}:${line}`;
}

/** What stands under these names, however they are spelled, in their order. */
function valuesOf(value: JsonRecord, names: readonly string[]): unknown[] {
  const given = new Map(
    Object.entries(value).map(([key, each]) => [key.toLowerCase().replaceAll(/[^a-z]/g, ""), each]),
  );
  return names.map((name) => given.get(name)).filter((each) => each !== undefined && each !== null);
}
