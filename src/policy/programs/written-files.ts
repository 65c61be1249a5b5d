import { posix } from "node:path";
import type { Effect } from "../examination.ts";
import { type Arg, leading, literal, shown, textOf } from "../shell/arg.ts";
import { effectOfWriting, pathsOf } from "../shell/walk-state.ts";
import { worst } from "./effects.ts";
import { type Call, found, type Program } from "./program.ts";

/** What a program is given, by kind. */
export interface Split {
  readonly options: readonly Arg[];
  readonly operands: readonly Arg[];
}

/** Options and operands of a program whose options take these letters or names with a value. */
export function split(args: readonly Arg[], valued: RegExp = /^$/u): Split {
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

/** The folder that a program runs in. */
export const HERE = literal(".");

/** Options that name the folder to write to. */
export const TARGET = /^(?:-t|--target-directory)$/u;

/** The value of an option, attached or behind it. */
export function valueOf({ options }: Split, names: RegExp): Arg | undefined {
  const at = options.findIndex((arg) => names.test(leading(arg).split("=", 1)[0] ?? ""));
  const option = options[at];
  if (option === undefined) return undefined;
  const [, value] = shown(option).split("=", 2);
  return value === undefined ? options[at + 1] : literal(value);
}

/** What is put into a temporary folder is a file in it. */
export function into(folder: Arg): Arg {
  const text = textOf(folder) ?? "";
  return /^(?:(?:\/private)?(?:\/var)?\/tmp|\/dev\/shm)\/*$/u.test(text) ? literal(`${text}/x`) : folder;
}

/** What writing all of these files does. */
export function effectOn(files: readonly Arg[], call: Call): Effect {
  return worst(files.map((file) => effectOfWriting(file, call.walk)));
}

/** A program that writes what it is given, or the part of it that `written` picks. */
export function writes(
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

/** A program that puts what it is given in the place of its last operand, or of a file of that name in it. */
export function replacing(program: Program): Program {
  return (call) => {
    const does = program(call);
    if (typeof does !== "object") return does;
    const given = split(call.args, TARGET);
    const target = valueOf(given, TARGET) ?? given.operands.at(-1) ?? HERE;
    const places = pathsOf(target, call.walk);
    const names = given.operands.map((file) => posix.basename(textOf(file) ?? ""));
    const inside = places.flatMap((place) => names.map((name) => posix.join(place, name)));
    return { ...does, replaces: [...places, ...inside] };
  };
}

/** A program of whose files nothing stays that was in them, unless an argument says otherwise. */
export function whole(program: Program, adding: RegExp): Program {
  return (call) => {
    const does = program(call);
    if (typeof does !== "object" || call.args.some((arg) => adding.test(leading(arg)))) return does;
    return { ...does, replaces: does.paths ?? [] };
  };
}
