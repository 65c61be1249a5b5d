import { type Arg, leading, literal, textOf } from "../shell/arg.ts";
import { optionReader } from "./options.ts";
import type { Program } from "./program.ts";

const read = optionReader({
  short: "tcxvzjJaOnhp f: C: X:",
  long: "list verbose gzip bzip2 xz zstd lzma auto-compress file= directory= exclude= wildcards no-wildcards full-time utc numeric-owner quoting-style= totals",
});

/** Writes the old form without a dash, whose letters take their values in turn, in the one with dashes. */
function withDashes(args: readonly Arg[]): readonly Arg[] {
  const bundle = textOf(args[0]) ?? "";
  if (!/^[a-zA-Z]+$/u.test(bundle)) return args;
  const rest = args.slice(1);
  const options = bundle.split("").flatMap((letter) => {
    const value = /[fCXTbIKNVgLHF]/u.test(letter) ? rest.splice(0, 1) : [];
    return [literal(`-${letter}`), ...value];
  });
  return [...options, ...rest];
}

/** An archive name with a colon is fetched through a remote shell. */
function isLocal(arg: Arg): boolean {
  const known = arg.pieces.every(
    (piece) => typeof piece === "string" || piece.kind === "operand" || piece.kind === "name",
  );
  return known && !leading(arg).includes(":");
}

/** tar lists, or writes what it packs or unpacks to its standard output. */
export const tar: Program = ({ args }) => {
  const options = read(withDashes(args));
  if ("problem" in options) return options.problem;
  const { given } = options;
  const archives = [...(given.get("f") ?? []), ...(given.get("file") ?? [])];
  const lists = given.has("t") || given.has("list");
  const printed = given.has("x") ? given.has("O") : /^(?:-|\/dev\/null)$/u.test(textOf(archives[0]) ?? "");
  const passesOn = given.has("x") !== given.has("c") && archives.length === 1 && printed;
  if (lists ? given.has("x") || given.has("c") : !passesOn)
    return "tar does more than list an archive or pass one on";
  return archives.every((arg) => isLocal(arg)) ? undefined : "the archive may be on another machine";
};
