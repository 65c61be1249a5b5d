import { relative, resolve } from "node:path";
import type { StagingCall } from "../../policy/staging.ts";
import type { UsersFile } from "./ledger.ts";

/** What of the user's own a command would take into a commit. */
export interface TakenIn {
  /** Together with others: everything, a folder, a pattern, what is staged already. */
  readonly inBulk: readonly string[];
  /** By its own name. */
  readonly byName: readonly string[];
}

/** What the decision depends on, besides the command. */
export interface Holdings {
  /** The absolute path of the project. */
  readonly project: string;
  readonly users: readonly UsersFile[];
  /** What a plain commit would take. */
  readonly staged: ReadonlySet<string>;
}

/** Options that take the next argument as their value. */
const VALUED =
  /^(?:-[^-]*[mFCct]|--(?:message|file|author|date|template|reuse-message|reedit-message|fixup|squash|trailer|cleanup|chmod|reuse|from|to|into|revision|cacheinfo))$/u;
const MAGIC = /^:(?:\/|\(top\))/u;
const EXCLUDES = /^:(?:[!^]|\((?:[^)]*,)?exclude(?:,[^)]*)?\))/u;

interface Parsed {
  readonly options: readonly string[];
  readonly paths: readonly (string | null)[];
}

/**
 * Which files with the user's own work a command would take into a commit, the index or a stash. What cannot be told of it
 * takes everything.
 */
export function takesIn(call: StagingCall, holdings: Holdings): TakenIn {
  const parsed = parse(call.args);
  const { users, staged } = holdings;
  const known = users.filter(({ isNew }) => !isNew);
  const alreadyStaged = users.filter(({ path }) => staged.has(path));
  const named = matches(call, parsed.paths, holdings);
  const all = (files: readonly UsersFile[]): TakenIn => ({
    inBulk: files.map(({ path }) => path),
    byName: [],
  });
  const has = (short: string, ...long: string[]): boolean =>
    parsed.options.some(
      (option) =>
        long.includes(option.split("=")[0] ?? "") || new RegExp(`^-[a-zA-Z]*${short}`, "u").test(option),
    );
  if (parsed.options.some((option) => option.startsWith("--pathspec-from-file") || option === "--stdin"))
    return all(users);
  if (call.program === "jj") return parsed.paths.length > 0 ? named : all(users);
  if (has("n", "--dry-run") && call.verb !== "commit") return all([]);
  switch (call.verb) {
    case "commit":
      if (has("a", "--all")) return all(users.filter((file) => !file.isNew || staged.has(file.path)));
      if (parsed.paths.length === 0) return all(alreadyStaged);
      return has("i", "--include")
        ? { ...named, inBulk: [...new Set([...named.inBulk, ...alreadyStaged.map(({ path }) => path)])] }
        : named;
    case "stash":
      return stashes(parsed, named, {
        users,
        known,
        all,
        withNew: has("u", "--include-untracked") || has("a", "--all"),
      });
    case "update-index":
      return has("g", "--again") ? all(users) : named;
    default:
      if (parsed.paths.length > 0) return named;
      if (has("A", "--all", "--no-ignore-removal")) return all(users);
      return has("u", "--update") ? all(known) : all([]);
  }
}

function stashes(
  { options, paths }: Parsed,
  named: TakenIn,
  {
    users,
    known,
    all,
    withNew,
  }: {
    users: readonly UsersFile[];
    known: readonly UsersFile[];
    all: (files: readonly UsersFile[]) => TakenIn;
    withNew: boolean;
  },
): TakenIn {
  const [verb, ...rest] = paths;
  const takes =
    verb === undefined || verb === null || verb === "push" || verb === "save" || options[0] === "--";
  if (!takes) return all([]);
  // What follows `push` are files; of `save` it is a message.
  if (verb === "push" && rest.length > 0) return named;
  return all(withNew ? users : known);
}

function parse(args: readonly (string | null)[]): Parsed {
  const options: string[] = [];
  const paths: (string | null)[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? null;
    if (arg === "--") {
      paths.push(...args.slice(index + 1));
      break;
    }
    if (arg?.startsWith("-") === true && arg !== "-") {
      options.push(arg);
      if (VALUED.test(arg)) index += 1;
    } else paths.push(arg);
  }
  return { options, paths };
}

/** The user's files that path specifications of git mean. */
function matches(
  { folders }: StagingCall,
  paths: readonly (string | null)[],
  { project, users }: Holdings,
): TakenIn {
  const isUnknown = paths.includes(null) || folders.includes("") || folders.length === 0;
  const places = folders.filter((folder) => folder !== "");
  const specs = paths.filter((path) => path !== null);
  const out = specs.filter((spec) => EXCLUDES.test(spec)).map((spec) => spec.replace(EXCLUDES, ""));
  const wanted = specs.filter((spec) => !EXCLUDES.test(spec));
  const inBulk: string[] = [];
  const byName: string[] = [];
  for (const { path } of users) {
    const isMeant = (spec: string, folder: string): "name" | "bulk" | null =>
      means(spec, folder, path, project);
    const isOut = places.some((folder) => out.some((spec) => isMeant(spec, folder) !== null));
    if (isOut && !isUnknown) continue;
    const found = new Set(places.flatMap((folder) => wanted.map((spec) => isMeant(spec, folder))));
    if (found.has("name")) byName.push(path);
    else if (isUnknown || found.has("bulk") || (wanted.length === 0 && out.length > 0)) inBulk.push(path);
  }
  return { inBulk, byName };
}

/** Whether a path specification, written in a folder, means a file: by its name, or as one of several. */
function means(spec: string, folder: string, path: string, project: string): "name" | "bulk" | null {
  // The top of the repository may lie above the project; then everything in it is meant as well.
  if (MAGIC.test(spec)) {
    const rest = spec.replace(MAGIC, "");
    return rest === path || (path.endsWith("/") && `${rest}/`.startsWith(path))
      ? "name"
      : rest === "" || path.startsWith(`${rest}/`) || isPattern(rest)
        ? "bulk"
        : null;
  }
  if (spec.startsWith(":")) return "bulk";
  const place = relative(project, resolve(folder, spec));
  if (place === path || path === `${place}/`) return "name";
  // A folder that stands for its files: some of them, or some that a pattern may mean.
  if (path.endsWith("/") && place.startsWith(path)) return "name";
  if (path.endsWith("/") && isPattern(place) && mayLead(place, path)) return "bulk";
  const isAbove = place === "" || place.startsWith("..");
  if (isAbove || path.startsWith(`${place}/`))
    return place.startsWith("..") && !climbs(place) ? null : "bulk";
  return isPattern(place) && toPattern(place).test(path) ? "bulk" : null;
}

/** Whether a path relative to the project leads to a folder above it, and to nothing beside it. */
function climbs(place: string): boolean {
  return /^\.\.(?:\/\.\.)*$/u.test(place);
}

/** Whether a pattern may mean something in a folder. */
function mayLead(pattern: string, folder: string): boolean {
  const start = /^[^*?[]*/u.exec(pattern)?.[0] ?? "";
  return start.startsWith(folder) || folder.startsWith(start);
}

function isPattern(text: string): boolean {
  return /[*?[]/u.test(text);
}

/** Git's own patterns cross folders. */
function toPattern(glob: string): RegExp {
  const body = glob
    .replaceAll(/[.+^${}()|\\]/gu, String.raw`\$&`)
    .replaceAll(/\[[^\]]*\]?/gu, ".")
    .replaceAll("?", ".")
    .replaceAll(/\*+/gu, ".*");
  return new RegExp(`^${body}(?:/.*)?$`, "u");
}
