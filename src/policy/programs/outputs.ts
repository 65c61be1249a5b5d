import { posix } from "node:path";
import type { Finding } from "../examination.ts";
import { type Arg, leading, literal, shown, textOf } from "../shell/arg.ts";
import { pathsOf } from "../shell/walk-state.ts";
import type { Call } from "./program.ts";

/** What programs call the file that they write to, in full; dashes inside do not matter, and most take short forms. */
const COMMON = ["output", "outfile", "outputfile"];
/** How a compressed file is called after what is in it. */
export const PACKED = /\.(?:gz|bz2|xz|zst)$/u;
/** The name of the last operand among the outputs of a usage line. */
export const LAST = ">";

function isCommon(head: string): boolean {
  const name = head.replaceAll("-", "").replace("F", "f");
  return head.startsWith("-") && name !== "" && COMMON.some((word) => word.startsWith(name));
}

/** What an address is kept as, which names a file of its own. */
function kept(value: Arg): Arg {
  const [, name] = /^\w+:\/\/[^?#]*\/([^/?#]+)/u.exec(textOf(value) ?? "") ?? [];
  return name === undefined ? value : literal(name);
}

/** The values of an argument that may name a file to write to; of a letter, what is run together with it or follows. */
function valuesOf(arg: Arg, next: Arg | undefined, names: readonly string[]): (Arg | undefined)[] {
  const text = leading(arg);
  const [head = ""] = text.split("=", 1);
  const isNamed = names.includes(head) || names.includes(head.replace(/^--/u, "-")) || isCommon(head);
  if (isNamed) return [head === text ? next : literal(shown(arg).slice(head.length + 1))];
  if (!/^-[^-]/u.test(text)) return [];
  const letters = ["-o", ...names].filter((name) => /^-[^-]$/u.test(name)).map((name) => name.charAt(1));
  const places = letters.map((letter) => text.indexOf(letter, 1)).filter((at) => at > 0);
  return places.map((at) => (at === text.length - 1 ? next : literal(shown(arg).slice(at + 1))));
}

/**
 * Files in the place of which a call puts something of its own: values of options that programs commonly name so, and of
 * those that are named here.
 * @param names options with their dashes, words that stand before such a file, and `LAST`
 */
function outputsOf({ args }: Pick<Call, "args">, names: readonly string[]): Arg[] {
  const end = args.findIndex((arg) => textOf(arg) === "--");
  const options = end === -1 ? args : args.slice(0, end);
  const last = names.includes(LAST) ? args.findLast((arg) => !leading(arg).startsWith("-")) : undefined;
  return [last, ...options.flatMap((arg, at) => valuesOf(arg, args[at + 1], names))]
    .filter((file) => file !== undefined)
    .map((file) => kept(file));
}

/** What a call does, with the files that its options have it replace. */
export function withOutputs(does: Finding, call: Call, names: readonly string[] = []): Finding {
  const files = outputsOf(call, names).flatMap((file) => pathsOf(file, call.walk));
  return files.length === 0 ? does : { ...does, replaces: [...(does.replaces ?? []), ...files] };
}

/** The same of what is unpacked: members by the names that they are given, or archives of one file each. */
export function withUnpacked(does: Finding, call: Call, members: readonly Arg[], folder: Arg): Finding {
  const names = members.map((member) => shown(member).replace(PACKED, ""));
  const places = pathsOf(folder, call.walk);
  const files = places.flatMap((place) => names.map((name) => posix.join(place, name)));
  return { ...does, replaces: [...(does.replaces ?? []), ...files] };
}
