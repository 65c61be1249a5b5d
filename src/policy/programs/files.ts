import type { Effect } from "../examination.ts";
import { type Arg, leading, literal, shown, textOf } from "../shell/arg.ts";
import { effectOfWriting, pathsOf } from "../shell/walk-state.ts";
import { worst } from "./effects.ts";
import { type Call, found, type Program } from "./program.ts";

/** Folders and files that tools make anew: deleting them loses nothing. */
const MADE_ANEW =
  /(?:^|\/)(?:node_modules|bower_components|dist|build|out|target|obj|coverage|htmlcov|\.coverage|\.nyc_output|\.next|\.nuxt|\.svelte-kit|\.turbo|\.parcel-cache|\.vite|\.cache|\.gradle|__pycache__|\.pytest_cache|\.mypy_cache|\.ruff_cache|\.tox|\.nox|\.venv|venv|\.eggs|[^/]*\.egg-info|_build|tmp|temp|\.tmp|storybook-static|test-results|playwright-report|[^/]*\.(?:pyc|pyo|o|obj|a|so|class|log|tmp|tsbuildinfo|bak|orig|swp)|\.DS_Store|[^/]*\.lock-wscript|nohup\.out)(?:\/|$)/u;
/** What holds everything else. */
const HOLDING = /(?:^|\/)(?:\.git|\.jj|\.hg|\.svn|\.gaia)(?:\/|$)/iu;

interface Split {
  readonly options: readonly Arg[];
  readonly operands: readonly Arg[];
}

/** Options and operands of a program whose options take these letters or names with a value. */
function split(args: readonly Arg[], valued: RegExp = /^$/u): Split {
  const options: Arg[] = [];
  const operands: Arg[] = [];
  let ended = false;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? literal("");
    const text = leading(arg);
    if (ended || !/^-./u.test(text)) operands.push(arg);
    else if (textOf(arg) === "--") ended = true;
    else {
      options.push(arg);
      if (valued.test(text)) options.push(args[++index] ?? literal(""));
    }
  }
  return { options, operands };
}

function effectOn(files: readonly Arg[], call: Call): Effect {
  return worst(files.map((file) => effectOfWriting(file, call.walk)));
}

/** A program that writes what it is given, or the part of it that `written` picks. */
function writes(
  written: (given: Split, call: Call) => readonly Arg[] = ({ operands }) => operands,
  valued?: RegExp,
): Program {
  return (call) => {
    const files = written(split(call.args, valued), call);
    const effect = effectOn(files, call);
    return effect === "read"
      ? undefined
      : found(
          effect,
          call,
          files.flatMap((file) => pathsOf(file, call.walk)),
        );
  };
}

/** The value of an option, attached or behind it. */
function valueOf({ options }: Split, names: RegExp): Arg | undefined {
  const at = options.findIndex((arg) => names.test(leading(arg).split("=", 1)[0] ?? ""));
  const option = options[at];
  if (option === undefined) return undefined;
  const [, value] = shown(option).split("=", 2);
  return value === undefined ? options[at + 1] : literal(value);
}

const TARGET = /^(?:-t|--target-directory)$/u;
const HERE = literal(".");

/** Copies and links write their last operand, or the folder that an option names. */
const copies = writes((given, call) => {
  const target = valueOf(given, TARGET) ?? (given.operands.length > 1 ? given.operands.at(-1) : undefined);
  return [target ?? (call.name === "ln" ? HERE : (given.operands[0] ?? HERE))];
}, TARGET);

/** A move takes away what it moves. */
const moves = writes((given) => [...given.operands, ...[valueOf(given, TARGET) ?? []].flat()], TARGET);

const dd = writes(({ operands }) =>
  operands.filter((arg) => leading(arg).startsWith("of=")).map((arg) => literal(shown(arg).slice(3))),
);

/** What unpacks writes below the folder that an option names, or the one it runs in. */
const unpacks = (names: RegExp): Program => writes((given) => [valueOf(given, names) ?? HERE], names);

/**
 * Deleting: what lies outside is outside, what tools make anew or is temporary can be had back; of the rest nothing tells
 * here whether anything else holds it.
 */
export const deletes: Program = (call) => {
  const { operands } = split(call.args);
  const lost = operands.filter((file) => effectOfDeleting(file, call) === "lossy");
  const effect = worst(["project", ...operands.map((file) => effectOfDeleting(file, call))]);
  const isTold = lost.every((file) => textOf(file) !== undefined);
  return found(
    effect,
    call,
    isTold && effect === "lossy" ? lost.flatMap((file) => pathsOf(file, call.walk)) : undefined,
  );
};

function effectOfDeleting(file: Arg, { walk }: Call): Effect {
  const place = walk.placeOf(file, walk.scope.folders);
  if (place === "temporary" || place === "device") return "project";
  if (place !== "project") return place;
  const text = shown(file);
  const paths = walk.scope.folders.map((folder) =>
    text.startsWith("/") || folder === "" ? text : `${folder}/${text}`,
  );
  if (paths.some((path) => HOLDING.test(path))) return "lossy";
  const inside = paths.map((path) =>
    path.startsWith(`${walk.project}/`) ? path.slice(walk.project.length) : path,
  );
  return inside.every((path) => MADE_ANEW.test(path)) ? "project" : "lossy";
}

/** In-place editing, and everything else that ends in the files that are named. */
const named = writes();

/** Rights of files; a bit that lets a program run as its owner gives rights away. */
const rights: Program = (call) => {
  const { operands } = split(call.args, /^--(?:reference|from)$/u);
  const effect = effectOn(operands.slice(1), call);
  const isGiving = /^(?:[ugoa]*[+=][rwxXt]*s|[2467]\d{3}$)/u.test(shown(operands[0] ?? HERE));
  return found(isGiving ? "outside" : worst(["project", effect]), call);
};

/** Programs that change the files they are given. */
export const files: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...["touch", "mkdir", "mkfifo", "tee", "patch", "truncate", "split", "csplit", "unexpand"].map(
    (name): [string, Program] => [name, writes(undefined, /^-[msdrbnali]$/u)],
  ),
  ...["gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd"].map((name): [string, Program] => [
    name,
    named,
  ]),
  ...["cp", "install", "ln", "ditto"].map((name): [string, Program] => [name, copies]),
  ["mv", moves],
  ["dd", dd],
  ["rmdir", named],
  ...["rm", "unlink", "rimraf", "del-cli", "trash", "shred", "srm"].map((name): [string, Program] => [
    name,
    deletes,
  ]),
  ["chmod", rights],
  ["chown", rights],
  ["chgrp", rights],
  ["unzip", unpacks(/^-d$/u)],
  ["tar", unpacks(/^(?:-C|--directory)$/u)],
  ["bsdtar", unpacks(/^(?:-C|--directory)$/u)],
]);
