import { lstat } from "node:fs/promises";
import type { ResolvedConfig } from "../../config/schema.ts";
import type { FilePlace, PreparedCall } from "../../host/tool.ts";
import type { Clock } from "../../lib/async.ts";
import { counted } from "../../lib/figures.ts";
import { excerpt } from "../../lib/text.ts";
import { MAX_SOURCE_BYTES, readRegular } from "../../lib/read-source.ts";
import { isRefusal, type Refusal, refuse } from "../../lib/error.ts";
import { isSensitivePath } from "../../policy/sensitive-path.ts";
import { type FileChange, prepareChange, renderDiff } from "../changes/change.ts";
import { lineEndOf } from "../../lib/line-diff.ts";
import { locate, type Located } from "../changes/locate.ts";
import { contain, findInstalled, type ProgramNeeds, programsAt } from "../programs.ts";
import {
  argumentsFor,
  type AstCall,
  type AstFound,
  type AstSearch,
  HOW,
  type Match,
  runSearch,
} from "./search.ts";

export interface AstNeeds extends Pick<ProgramNeeds, "host" | "vcs" | "contained"> {
  readonly clock: Clock;
  readonly config: { readonly policy: Pick<ResolvedConfig["policy"], "allowSensitive"> };
  /** When OpenCode came to this project. */
  readonly began: { readonly day: number };
  readonly environment?: NodeJS.ProcessEnv;
}

const MAX_PATHS = 100;
/** Files that one call changes; the user is asked for all of them at once. */
const MAX_FILES = 500;
/** Characters of what is shown of matches or changes, of one of its lines, and of a title. */
const MAX_SHOWN = 12_000;
const MAX_LINE = 200;
const MAX_TITLE = 60;
const MAX_NAMED = 10;
/** Where the npm package has its program, on any system: its own entry is a script where install scripts may not run. */
const OWN = [
  ...["", "-gnu", "-musl", "-msvc"].map(
    (library) =>
      `node_modules/@ast-grep/cli-${process.platform}-${process.arch}${library}/ast-grep${process.platform === "win32" ? ".exe" : ""}`,
  ),
  "node_modules/.bin/ast-grep",
];
const NOT_INSTALLED = refuse(
  "ast-grep is not installed.",
  "The user installs it with `npm install -D @ast-grep/cli`, `brew install ast-grep` or `cargo install ast-grep --locked`, and restarts OpenCode; `sg` alone is another program. Use grep meanwhile.",
);
/** Works out a call of `ast_gaia`. */
export async function prepareAst(
  call: AstCall,
  place: FilePlace,
  needs: AstNeeds,
): Promise<PreparedCall | Refusal> {
  const { contained, began, config, environment = process.env, clock } = needs;
  const { allowSensitive } = config.policy;
  /** Files with matches that were left out, because they may hold secrets. */
  const secret = new Set<string>();
  const wants = (file: string): boolean => {
    const isSecret = isSensitivePath(file, allowSensitive);
    if (isSecret) secret.add(file);
    return !isSecret;
  };
  const search = await readSearch(call, place, needs);
  if (isRefusal(search)) return search;
  const places = programsAt(place, { ...needs, environment, since: began.day });
  const program = await findInstalled("ast-grep", OWN, places.project, places);
  if (program === null) return NOT_INSTALLED;
  const find = (file: string): Located | Refusal =>
    locate(file, { ...place, directory: place.project }, allowSensitive);
  /** What is found, and what a rewrite makes of it; null for a search alone. */
  const workOutCall = async (
    signal?: AbortSignal,
  ): Promise<{ readonly found: AstFound; readonly worked: Rewrite | null } | Refusal> => {
    const tree = { top: places.top, folder: place.project, project: "read" } as const;
    const { command } = await contain(contained, tree, [program, ...argumentsFor(search)]);
    const found = await runSearch(command, place.project, wants, { environment, clock, signal });
    if (isRefusal(found)) return found;
    const worked = call.rewrite === undefined ? null : await workOut(found.matches, find);
    return worked !== null && isRefusal(worked) ? worked : { found, worked };
  };
  const leftOut = (): string =>
    secret.size === 0
      ? ""
      : `\nLeft out, as they may hold secrets: ${[...secret].slice(0, MAX_NAMED).join(", ")}.`;

  if (call.rewrite === undefined || call.dry_run !== false)
    return {
      effect: { kind: "read", paths: search.paths, patterns: [], addresses: [], searches: true },
      async run({ abort }) {
        const done = await workOutCall(abort);
        if (isRefusal(done)) throw new Error(`${done.reason} ${done.hint}`.trim());
        const { found, worked } = done;
        const title = `${matches(found.matches.length + found.more)}: ${call.pattern.slice(0, MAX_TITLE)}`;
        const text = worked === null ? listed(found) : previewed(found, worked);
        return { title, text: text + leftOut(), files: [] };
      },
    };
  const done = await workOutCall();
  if (isRefusal(done)) return done;
  const { found, worked } = done;
  const changes = worked?.changes ?? [];
  if (found.more > 0 || changes.length > MAX_FILES)
    return refuse(`Too much for one call: more than ${MAX_FILES} files.`, "Name paths.");
  if (worked === null || changes.length === 0) return refuse(nothing(found), "Nothing was changed.");
  const list = changes.map(({ name }) => name).join("\n");
  return prepareChange(changes, {
    title: `${placesOf(worked)} changed`,
    tell: () => `Changed ${placesOf(worked)}:\n${list}${besides(worked)}${leftOut()}`,
  });
}

interface Rewrite {
  readonly changes: readonly FileChange[];
  readonly places: number;
  /** Matches inside of others, which the same call cannot change as well. */
  readonly nested: number;
}

/** Works out a rewrite in the files as they are now. @param find tells where a file lies, or why it is left alone */
async function workOut(
  matches: readonly Match[],
  find: (file: string) => Located | Refusal,
): Promise<Rewrite | Refusal> {
  const changes: FileChange[] = [];
  let [places, nested] = [0, 0];
  for (const file of new Set(matches.map((match) => match.file))) {
    const located = find(file);
    if (isRefusal(located)) return located;
    const before = await readRegular(located.path, MAX_SOURCE_BYTES);
    if (before === null) return refuse(`${file} cannot be read any more.`, "Call again.");
    const lineEnd = lineEndOf(before);
    const parts: (Buffer | string)[] = [];
    let at = 0;
    for (const { start, end, text, replacement } of matches.filter((match) => match.file === file)) {
      if (start < at) nested += 1;
      if (start < at) continue;
      if (before.toString("utf8", start, end) !== text)
        return refuse(`${file} changed while it was searched.`, "Nothing was changed; call again.");
      const fresh = replacement === null ? text : replacement.replaceAll(/\r?\n/gu, lineEnd);
      if (replacement !== text && fresh !== text) places += 1;
      parts.push(before.subarray(at, start), replacement === text ? text : fresh);
      at = end;
    }
    const after = Buffer.concat([...parts, before.subarray(at)].map((part) => Buffer.from(part)));
    if (!after.equals(before)) changes.push({ ...located, before, after });
  }
  return { changes, places, nested };
}

async function readSearch(
  { pattern, rewrite, lang, paths = [] }: AstCall,
  place: FilePlace,
  { config, vcs }: AstNeeds,
): Promise<AstSearch | Refusal> {
  if (pattern.trim() === "") return refuse("The pattern is empty.", "Give a piece of code.");
  if (paths.length > MAX_PATHS) return refuse(`More than ${MAX_PATHS} paths.`, "Name folders.");
  const names: string[] = [];
  for (const path of paths) {
    const located = locate(path, place, config.policy.allowSensitive);
    if (isRefusal(located)) return located;
    if ((await lstat(located.path).catch(() => null)) === null)
      return refuse(`There is no ${path}.`, "Look it up with glob.");
    if (located.name !== "" && (await vcs.isIgnored(located.name)))
      return refuse(`${path} is ignored by version control, so it is no source.`);
    names.push(located.name || ".");
  }
  return {
    pattern,
    rewrite,
    lang: lang.trim().replace(/^\./u, "").toLowerCase(),
    paths: names.length === 0 ? ["."] : names,
  };
}

/** Matches as a search shows them, `file:line: text`, with what is left out counted. */
function listed(found: AstFound): string {
  if (found.matches.length === 0) return nothing(found);
  const lines = found.matches.map(({ file, line, lines: all }) => {
    const [first = "", ...rest] = all.replace(/\r?\n?$/u, "").split(/\r?\n/u);
    return `${file}:${line}: ${first}${rest.length === 0 ? "" : ` … (+${counted(rest.length, "line")})`}`;
  });
  const shown = fitting(lines);
  const more = lines.length - shown.length + found.more;
  const cut = `… ${matches(more, "more ")}. Name paths to see them.`;
  return [...shown, ...(more === 0 ? [] : [cut])].join("\n");
}

function previewed(found: AstFound, worked: Rewrite): string {
  if (worked.changes.length === 0) return nothing(found);
  const lines = worked.changes.flatMap(renderDiff);
  const shown = fitting(lines);
  const cut =
    lines.length === shown.length ? "" : `\n… ${counted(lines.length - shown.length, "more line")}.`;
  const more = found.more === 0 ? "" : ` … ${found.more} more matches: too many for one call.`;
  return `${shown.join("\n")}${cut}\n\nNothing is changed yet: ${placesOf(worked)}.${more} Call again with dry_run false to change them.${besides(worked)}`;
}

/** Lines as far as there is room for them, none of them long. */
function fitting(lines: readonly string[]): string[] {
  let room = MAX_SHOWN;
  const short = lines.map((line) => (line.length > MAX_LINE ? excerpt(line, MAX_LINE) : line));
  const end = short.findIndex((line) => (room -= Buffer.byteLength(line) + 1) < 0);
  return end === -1 ? short : short.slice(0, end);
}

function besides({ nested }: Rewrite): string {
  return nested === 0 ? "" : `\n${counted(nested, "place")} inside of others left: call again for them.`;
}

function nothing({ matches, warning }: AstFound): string {
  if (matches.length > 0) return "What is found already reads like the rewrite.";
  return warning === "" ? "No match." : `No match. ${warning} ${HOW}`;
}

function placesOf({ places, changes }: Rewrite): string {
  return `${counted(places, "place")} in ${counted(changes.length, "file")}`;
}

function matches(count: number, which = ""): string {
  return `${count} ${which}match${count === 1 ? "" : "es"}`;
}
