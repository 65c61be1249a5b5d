import { posix } from "node:path";
import { type Effect, isGraver } from "../examination.ts";
import { isMadeAnew } from "../made-anew.ts";
import { type Arg, leading, literal, shown, textOf } from "../shell/arg.ts";
import { pathsOf } from "../shell/walk-state.ts";
import { worst } from "./effects.ts";
import { PACKED, withOutputs, withUnpacked } from "./outputs.ts";
import { namesPathOutside } from "./paths.ts";
import { type Call, found, hiddenOption, type Program } from "./program.ts";
import { effectOn, HERE, into, replacing, split, TARGET, valueOf, whole, writes } from "./written-files.ts";

/** What holds everything else. */
const HOLDING = /(?:^|\/)(?:\.git|\.jj|\.hg|\.svn|\.gaia)(?:\/|$)/iu;

/**
 * As a program judges itself, with what holds for all of them: an argument that may be an option hides anything, and the
 * value of an option may be a file as well.
 */
function guarded(name: string, program: Program): Program {
  return (call) => {
    const hidden = hiddenOption(call.args);
    if (hidden !== undefined) return hidden;
    const options = call.args.filter(
      (arg, index) =>
        leading(arg).startsWith("-") || VALUED.test(`${name} ${shown(call.args[index - 1] ?? HERE)}`),
    );
    const unread = WITH_TARGET.test(name)
      ? options.find((arg) => OTHER_TARGET.test(leading(arg)))
      : undefined;
    if (unread !== undefined) return `${name} ${shown(unread)} is not taken apart`;
    const judged = program(call);
    const does = typeof judged === "object" ? withOutputs(judged, call) : judged;
    const leaves =
      typeof does === "object" && namesPathOutside({ ...call, args: options.map((arg) => into(bare(arg))) });
    return leaves && isGraver("outside", does.effect) ? found("outside", call) : does;
  };
}

/** An option's value where one is attached to a letter, else the argument as it is. */
function bare(arg: Arg): Arg {
  const value = /^-[a-zA-Z]([^=].*)$/su.exec(textOf(arg) ?? "")?.[1];
  return value === undefined ? arg : literal(value);
}

/** Options that name the folder to write to in a way that is not taken apart: run together, attached or shortened. */
const OTHER_TARGET = /^-(?:[a-zA-Z]+t|t.)|^--t(?!arget-directory(?:=|$))/u;
const WITH_TARGET = /^(?:cp|mv|install|ln|ditto)$/u;
/** Options whose value stands behind them and may be a file that is written, or the folder to work in. */
const VALUED =
  /^(?:patch -[dorBDYz]|patch --(?:directory|output|reject-file)|unzip -d|csplit -f|install -t|(?:cp|mv|ln) -t) ?$/u;
/** Whether an operand is a device, which keeps nothing of what is moved there. */
function isDevice(file: Arg, { walk }: Call): boolean {
  return walk.placeOf(file, walk.scope.folders) === "device";
}

/** Copies write their last operand, or the folder that an option names. */
const copies = replacing(
  writes((given) => {
    const target = valueOf(given, TARGET) ?? (given.operands.length > 1 ? given.operands.at(-1) : undefined);
    return [target === undefined ? (given.operands[0] ?? HERE) : into(target)];
  }, TARGET),
);

/**
 * A link gives a further name to what it leads to, which a write there changes; a symbolic one is read from the folder in
 * which it lies.
 */
const links = replacing(
  writes((given) => {
    const [from, to, more] = given.operands.map((arg) => textOf(arg));
    const isOne = from !== undefined && to !== undefined && more === undefined && !from.startsWith("/");
    if (!isOne || !given.options.some((option) => /^(?:-[a-zA-Z]*s|--symbolic$)/u.test(leading(option))))
      return [...given.operands, valueOf(given, TARGET) ?? HERE];
    return [to, ...[posix.dirname(to), to].map((folder) => `${folder}/${from}`)].map((path) => literal(path));
  }, TARGET),
);

/** A move takes away what it moves; into a device it is gone. */
const moves = replacing((call) => {
  const given = split(call.args, TARGET);
  const [target = given.operands.at(-1) ?? HERE, moved] = [valueOf(given, TARGET), given.operands];
  const files = [...(target === moved.at(-1) ? moved.slice(0, -1) : moved), into(target)];
  const isGone = files.some((file) => isDevice(file, call));
  const effect = worst([isGone ? "lossy" : "project", effectOn(files, call)]);
  return found(effect, call, isGone ? undefined : files.flatMap((file) => pathsOf(file, call.walk)));
});

const tee = whole(writes(), /^(?:-[a-z]*a|--append$)/u);

const dd = whole(
  writes(({ operands }) =>
    operands.filter((arg) => leading(arg).startsWith("of=")).map((arg) => literal(shown(arg).slice(3))),
  ),
  /^(?:conv=.*notrunc|oflag=.*append)/u,
);

/** Options with which tar runs a program, or writes where the archive says. */
const TAR_UNSURE =
  /^--(?:us|to-c|checkpoint-a|in(?:fo|$)|new-v|rs|rm|ab|rem|options)|^-[a-zA-Z]*[IFP]|^-[a-zA-Z]+[^a-zA-Z]/u;

/** tar writes an archive, or what is in one below the folder that an option names. */
const tar: Program = (call) => {
  const given = split(
    call.args,
    /^(?:-[A-Za-z]*[fCXT]|--(?:file|directory|exclude-from|files-from|exclude))$/u,
  );
  const [first, second] = call.args;
  const isBundle = /^[a-zA-Z]+$/u.test(leading(first ?? HERE));
  const letters = isBundle ? leading(first ?? HERE) : "";
  // Values of a bundle stand in its order, and one folder is seen from the one before it.
  const folders = given.options.filter((option) => /^(?:-[A-Za-z]*C|--directory)/u.test(leading(option)));
  const isUnsure = /[IFPC]/u.test(letters) || folders.length > 1;
  if (isUnsure || given.options.some((option) => TAR_UNSURE.test(leading(option)))) return undefined;
  const packs =
    /[cruA]/u.test(letters) ||
    given.options.some((option) =>
      /^(?:-[a-zA-Z]*[cruA]|--(?:create|append|update|concatenate|catenate))/u.test(leading(option)),
    );
  const archive = isBundle && letters.includes("f") ? second : valueOf(given, /^(?:-[A-Za-z]*f|--file)$/u);
  const folder = valueOf(given, /^(?:-[A-Za-z]*C|--directory)$/u) ?? HERE;
  const target = packs ? archive : into(folder);
  const effect = worst(["project", effectOn([target ?? HERE], call)]);
  const does = found(effect, call, pathsOf(target ?? HERE, call.walk));
  return packs ? { ...does, replaces: does.paths ?? [] } : withUnpacked(does, call, given.operands, folder);
};

/** What unpacks writes below the folder that an option names, or the one it runs in. */
const unpacks =
  (names: RegExp): Program =>
  (call) => {
    const given = split(call.args, names);
    const folder = valueOf(given, names) ?? HERE;
    const does = writes(() => [into(folder)])(call);
    return typeof does === "object" ? withUnpacked(does, call, given.operands, folder) : does;
  };

/**
 * Deleting: what lies outside is outside, what tools make anew or is temporary can be had back; of the rest nothing tells
 * here whether anything else holds it.
 */
const losing =
  (valued?: RegExp): Program =>
  (call) => {
    const { operands } = split(call.args, valued);
    if (operands.length === 0) return `${call.name} names nothing to delete`;
    const lost = operands.filter((file) => effectOfDeleting(file, call) === "lossy");
    const effect = worst(["project", ...operands.map((file) => effectOfDeleting(file, call))]);
    const isTold = lost.every((file) => textOf(file) !== undefined);
    return found(
      effect,
      call,
      isTold && effect === "lossy" ? lost.flatMap((file) => pathsOf(file, call.walk)) : undefined,
    );
  };

export const deletes = losing();

/** Cutting a file short takes as much away as deleting it. */
const truncates = losing(/^(?:-[sr]|--size|--reference)$/u);

/** A temporary folder itself, or all that is in it: what other programs keep there goes as well. */
const WHOLE_TEMPORARY =
  /^["']?(?:(?:\/private)?(?:\/var)?\/tmp|\/dev\/shm|\$\{?(?:TMPDIR|TMP|TEMP)\}?)["']?(?:\/+\.?\*?)*["']?$/u;

function effectOfDeleting(file: Arg, { walk }: Call): Effect {
  const text = shown(file);
  const { folders } = walk.scope;
  if ([text, ...folders.map((folder) => `${folder}/${text}`)].some((path) => WHOLE_TEMPORARY.test(path)))
    return "outside";
  const place = walk.placeOf(file, folders);
  if (place === "temporary") return "project";
  if (place !== "project") return place === "device" ? "outside" : place;
  const paths = folders.map((folder) => (text.startsWith("/") || folder === "" ? text : `${folder}/${text}`));
  if (paths.some((path) => HOLDING.test(path))) return "lossy";
  const inside = paths.map((path) =>
    path.startsWith(`${walk.project}/`) ? path.slice(walk.project.length) : path,
  );
  return inside.every((path) => isMadeAnew(path)) ? "project" : "lossy";
}

/** In-place editing, and everything else that ends in the files that are named. */
const named = writes();

/** A compressed file gives way to what is in it. */
const compressors: Program = (call) => {
  const does = named(call);
  const archives = split(call.args).operands.filter((file) => PACKED.test(shown(file)));
  return typeof does === "object" ? withUnpacked(does, call, archives, HERE) : does;
};

/** A bit that lets a program run as its owner gives rights away. */
const GIVING = /(?:^|,)[ugoa]*[+=][rwxXt]*s|^[2467]\d{3}$/u;
/** Rights that everyone has, or nobody: nothing tells which they were. */
const OPENING =
  /^0?[0-7]{2}[2367]$|^0+$|(?:^|,)[ug]*[oa][ugoa]*[+=][rxX]*w|(?:^|,)[a]?(?:=(?:,|$)|-[wxX]*r)/u;

/** Rights of files. */
const rights: Program = (call) => {
  const isMode = (arg: Arg): boolean => /^-[rwxXst]+(?:,|$)/u.test(leading(arg));
  const { options, operands } = split(call.args, /^--reference$/u);
  const modes = options.filter((option) => isMode(option));
  const given = modes.length > 0 || options.some((option) => leading(option).startsWith("--reference"));
  const [mode, files] = given ? [modes[0] ?? HERE, operands] : [operands[0] ?? HERE, operands.slice(1)];
  if (files.length === 0) return `${call.name} names no file`;
  if (GIVING.test(shown(mode))) return found("outside", call);
  const isDeep = options.some((option) => /^(?:-[a-zA-Z]*R|--rec)/u.test(leading(option)) && !isMode(option));
  const effect = isDeep || OPENING.test(shown(mode)) ? "lossy" : "project";
  return found(worst([effect, effectOn(files, call)]), call);
};

/** With more than a file and a prefix, it is another program of that name. */
const splits: Program = (call) =>
  split(call.args, SPLIT_VALUED).operands.length > 2
    ? "split takes a file and a prefix"
    : writes(undefined, SPLIT_VALUED)(call);
const SPLIT_VALUED = /^-[abClnt]$/u;

/** A colon among its letters lets an archive write beside the folder. */
const unzip: Program = (call) =>
  call.args.some((arg) => /^-[a-zA-Z]*:/u.test(leading(arg)))
    ? found("outside", call)
    : unpacks(/^-d$/u)(call);

const PROGRAMS: readonly (readonly [string, Program])[] = [
  ["split", splits],
  ["tee", tee],
  ...["touch", "mkdir", "mkfifo", "patch", "unexpand"].map((name): [string, Program] => [
    name,
    writes(undefined, /^-[msdrbnali]$/u),
  ]),
  ...["gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd"].map((name): [string, Program] => [
    name,
    compressors,
  ]),
  ...["cp", "install", "ditto"].map((name): [string, Program] => [name, copies]),
  ["ln", links],
  // The value of an option is what its files are called.
  ["csplit", writes(({ options, operands }) => [...options, ...operands], /^(?:-[fbnk]|--prefix)$/u)],
  ["mv", moves],
  ["truncate", truncates],
  ["dd", dd],
  ["rmdir", named],
  ...["rm", "unlink", "rimraf", "del-cli", "trash", "shred", "srm"].map((name): [string, Program] => [
    name,
    deletes,
  ]),
  ["chmod", rights],
  ["chown", (call) => found("outside", call)],
  ["chgrp", (call) => found("outside", call)],
  ["unzip", unzip],
  ...["tar", "gtar", "bsdtar"].map((name): [string, Program] => [name, tar]),
];

/** Programs that change the files they are given. */
export const files: ReadonlyMap<string, Program> = new Map(
  PROGRAMS.map(([name, program]) => [name, guarded(name, program)]),
);
