import { lstat } from "node:fs/promises";
import type { FilePlace, PreparedCall } from "../../host/tool.ts";
import type { Clock } from "../../lib/clock.ts";
import { matchesParsed, parsePattern } from "../../lib/path-pattern.ts";
import { isRefusal, type Refusal, refuse } from "../../lib/refusal.ts";
import { isSensitivePath } from "../../policy/sensitive-path.ts";
import type { Vcs } from "../../vcs/port.ts";
import { prepareChange } from "../changes/change.ts";
import { locate, type Located } from "../changes/locate.ts";
import { findAstGrep } from "./program.ts";
import { count, renderChanges, renderMatches } from "./render.ts";
import { byFile, workOut, type Rewrite } from "./rewrite.ts";
import { type Found, searchTree } from "./search.ts";
import { findBroken } from "./syntax.ts";

/** A search for pieces of code, or a rewrite of them. */
export interface AstCall {
  readonly pattern: string;
  readonly lang: string;
  readonly paths?: readonly string[] | undefined;
  readonly globs?: readonly string[] | undefined;
  readonly rewrite?: string | undefined;
  readonly dry_run?: boolean | undefined;
}

export interface AstInput {
  readonly project: string;
  readonly worktree: string;
  readonly vcs: Pick<Vcs, "blobsBelow" | "isIgnored">;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly since: number;
  readonly allowSensitive: readonly string[];
}

const MAX_PATHS = 100;
/** Files that one call changes; the user is asked for all of them at once. */
const MAX_FILES = 500;
const LANGUAGES =
  "bash c cpp csharp css elixir go haskell hcl html java javascript json kotlin lua nix php python ruby rust scala solidity swift tsx typescript yaml";
/** What people and files call some of them, and ast-grep does not. */
const ALSO: ReadonlyMap<string, string> = new Map([
  ["sh", "bash"],
  ["shell", "bash"],
  ["zsh", "bash"],
  ["mjs", "js"],
  ["cjs", "js"],
  ["mts", "ts"],
  ["cts", "ts"],
  ["c#", "cs"],
  ["hpp", "cpp"],
  ["python3", "py"],
  ["htm", "html"],
  ["tf", "hcl"],
  ["h", "c"],
  ["typescriptreact", "tsx"],
  ["javascriptreact", "js"],
  ["shellscript", "bash"],
]);
/** ast-grep takes these files for another language than those beside them, in which the same name stands. */
const OTHER_FILES = /^(?:ts|typescript|mts|cts)$/u;
const NOT_INSTALLED = refuse(
  "ast-grep is not installed.",
  "The user installs it with `npm install -D @ast-grep/cli`, `brew install ast-grep` or `cargo install ast-grep --locked`, and restarts OpenCode; `sg` alone is another program. Use grep meanwhile.",
);

/** What stands for a node, or with three signs for any number. */
const NAME = /(?:(\$\$\$)|\$\$?)([A-Z_][A-Z0-9_]*)/gu;

interface Scope {
  readonly paths: readonly string[];
  /** Whether a glob names what is hidden. */
  readonly hidden: boolean;
  wants(file: string): boolean;
  /** Files with matches that were left out, because they may hold secrets. */
  readonly secret: ReadonlySet<string>;
}

/** Works out a call of `ast_gaia`. */
export async function prepareAst(
  call: AstCall,
  place: FilePlace,
  input: AstInput,
): Promise<PreparedCall | Refusal> {
  const scope = await readScope(call, place, input);
  if (isRefusal(scope)) return scope;
  const program = await findAstGrep(input);
  if (program === null) return NOT_INSTALLED;
  const { rewrite, pattern } = call;
  const name = call.lang.trim().replace(/^\./u, "").toLowerCase();
  const lang = ALSO.get(name) ?? name;
  const search = async (signal?: AbortSignal): Promise<Found> =>
    searchTree({
      ...input,
      ...scope,
      program,
      folder: place.project,
      pattern,
      lang,
      rewrite,
      ...(signal === undefined ? {} : { signal }),
    });
  const brokenBy = async (worked: Rewrite, signal?: AbortSignal): Promise<string> => {
    const more = signal === undefined ? {} : { signal };
    const files = await findBroken(worked, { ...input, ...more, program, lang });
    return files.length === 0 ? "" : `\nNot valid ${lang} after it: ${files.slice(0, 10).join(", ")}.`;
  };
  const find = (file: string): Located | Refusal =>
    locate(file, { ...place, directory: place.project }, input.allowSensitive);
  if (rewrite === undefined || call.dry_run !== false) {
    const effect = { kind: "read", paths: scope.paths, patterns: [], addresses: [], searches: true } as const;
    return {
      effect,
      async run({ abort }) {
        const found = await search(abort);
        if (!found.ok) throw new Error(explain(found.why));
        const title = titleOf(found, pattern);
        if (rewrite === undefined) return { title, text: listed(found, lang) + leftOut(scope), files: [] };
        const worked = await workOut(found.matches, find);
        if (isRefusal(worked)) throw new Error(`${worked.reason} ${worked.hint}`);
        const broken = await brokenBy(worked, abort);
        return { title, text: previewed(found, worked, lang) + broken + leftOut(scope), files: [] };
      },
    };
  }
  const found = await search();
  if (!found.ok) return refuse(explain(found.why));
  const files = byFile(found.matches).size;
  if (found.uncounted.matches > 0 || files > MAX_FILES)
    return refuse(
      `Too much for one call: more than ${Math.min(files, MAX_FILES)} files.`,
      "Name paths or globs.",
    );
  const worked = await workOut(found.matches, find);
  if (isRefusal(worked)) return worked;
  if (worked.changes.length === 0) return refuse(nothing(found, lang), "Nothing was changed.");
  const broken = await brokenBy(worked);
  const list = worked.changes.map(({ name }) => name).join("\n");
  return prepareChange(worked.changes, place, {
    title: `${placesOf(worked)} changed`,
    tell: () =>
      `Changed ${placesOf(worked)}:\n${list}${inside(worked)}${others(lang)}${broken}${leftOut(scope)}`,
    diff: worked.diffs.flat().join("\n"),
  });
}

async function readScope(call: AstCall, place: FilePlace, input: AstInput): Promise<Scope | Refusal> {
  const { paths = [], globs = [] } = call;
  if (call.pattern.trim() === "") return refuse("The pattern is empty.", "Give a piece of code.");
  const lost = lostNames(call);
  if (lost.length > 0)
    return refuse(
      `The rewrite names ${lost.join(", ")}, which the pattern does not: nothing would stand there.`,
      "A name has as many $ in both, and one that begins with _ holds nothing.",
    );
  if (paths.length > MAX_PATHS) return refuse(`More than ${MAX_PATHS} paths.`, "Name folders.");
  const read = globs.map((glob) => ({ glob, isNot: glob.startsWith("!"), steps: readGlob(glob) }));
  const wrong = read.find(({ steps }) => steps === null)?.glob;
  if (wrong !== undefined)
    return refuse(`The glob ${wrong} leads out of the project.`, "Globs are relative to it.");
  const names: string[] = [];
  for (const path of paths) {
    const located = locate(path, place, input.allowSensitive);
    if (isRefusal(located)) return located;
    const exists = await lstat(located.path).then(
      () => true,
      () => false,
    );
    if (!exists) return refuse(`There is no ${path}.`, "Look it up with glob.");
    if (located.name !== "" && (await input.vcs.isIgnored(located.name)))
      return refuse(`${path} is ignored by version control, so it is no source.`);
    names.push(located.name === "" ? "." : located.name);
  }
  const [only, but] = [false, true].map((isBut) => read.filter(({ isNot }) => isNot === isBut));
  const fits = (file: string, some: typeof read = []): boolean =>
    some.some(({ steps }) => matchesParsed(file, steps ?? []));
  const isWanted = (file: string): boolean => (only?.length === 0 || fits(file, only)) && !fits(file, but);
  const secret = new Set<string>();
  return {
    paths: names.length === 0 ? ["."] : names,
    hidden: only?.some(({ glob }) => /(?:^|[/{,])\.[^./]/u.test(glob)) === true,
    secret,
    wants(file) {
      if (!isWanted(file)) return false;
      const isSecret = isSensitivePath(file, input.allowSensitive);
      if (isSecret) secret.add(file);
      return !isSecret;
    },
  };
}

/** Of a rewrite the names for which the pattern finds no node: ast-grep writes nothing in their place. */
function lostNames({ pattern, rewrite = "" }: AstCall): string[] {
  const [known, named] = [pattern, rewrite].map((text) =>
    Array.from(text.matchAll(NAME), ([, three, name = ""]) => `${three === undefined ? "$" : "$$$"}${name}`),
  );
  return [...new Set(named)].filter((name) => known?.includes(name) !== true || /^\$+_/u.test(name));
}

/** As ast-grep and other tools have them: hidden names fit, a name alone is meant in any folder, and a folder's is all in it. */
function readGlob(glob: string): ReturnType<typeof parsePattern> {
  const bare = glob.replace(/^!/u, "").trim();
  if (bare === "") return null;
  const name = (bare.includes("/") ? bare : `**/${bare}`).replace(/\/+$/u, "");
  return parsePattern(/[*?[]/u.test(bare) ? name : `{${name},${name}/**}`, true);
}

type Answer = Extract<Found, { ok: true }>;

function titleOf({ matches, uncounted }: Answer, pattern: string): string {
  const all = matches.length + uncounted.matches;
  return `${all} ${all === 1 ? "match" : "matches"}: ${pattern.slice(0, 60)}`;
}

function listed(found: Answer, lang: string): string {
  return found.matches.length === 0 ? nothing(found, lang) : renderMatches(found.matches, found.uncounted);
}

function previewed(found: Answer, worked: Rewrite, lang: string): string {
  if (worked.changes.length === 0) return nothing(found, lang);
  const more =
    found.uncounted.matches === 0 ? "" : ` … ${found.uncounted.matches} more matches: too many for one call.`;
  return `${renderChanges(worked.diffs)}\n\nNothing is changed yet: ${placesOf(worked)}.${more} Call again with dry_run false to change them.${inside(worked)}${others(lang)}`;
}

function placesOf({ places, changes }: Rewrite): string {
  return `${count(places, "place")} in ${count(changes.length, "file")}`;
}

function inside({ nested }: Rewrite): string {
  return nested === 0
    ? ""
    : `\n${count(nested, "place")} inside of others ${nested === 1 ? "is" : "are"} left: call again for them.`;
}

function leftOut({ secret }: Scope): string {
  return secret.size === 0
    ? ""
    : `\nLeft out, as they may hold secrets: ${[...secret].slice(0, 10).join(", ")}.`;
}

function nothing({ matches, warning }: Answer, lang: string): string {
  if (matches.length > 0) return "What is found already reads like the rewrite.";
  return warning === "" ? `No match.${others(lang)}` : `No match. ${explain(warning)}`;
}

function others(lang: string): string {
  return OTHER_FILES.test(lang) ? "\n.tsx files are another language: tsx." : "";
}

/** In ast-grep's own words, and what to do. */
function explain(why: string): string {
  if (/not supported/u.test(why)) return `${why} Known: ${LANGUAGES}.`;
  if (/[Pp]attern|[Qq]uery|\bAST\b/u.test(why))
    return `${why} A pattern is one complete piece of code, such as \`foo($A, $$$REST)\`: $A stands for one node, $$$REST for any number.`;
  return why;
}
