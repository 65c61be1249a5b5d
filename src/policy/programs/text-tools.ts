import { type Arg, leading, literal, shown, textOf } from "../shell/arg.ts";
import { atMost, optionReader, withOptions } from "./options.ts";
import { hiddenOption, type Program } from "./program.ts";

const SORT = {
  short: "bdfghiMnRrVcCsmuz k: t: S:",
  long: "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort ignore-nonprinting month-sort numeric-sort random-sort reverse version-sort check? stable unique zero-terminated key= field-separator= buffer-size= parallel= sort= debug help version",
};

/** `uniq in out` overwrites its second operand. */
const uniq = withOptions(
  {
    short: "cdDuiz f: s: w:",
    long: "count repeated all-repeated? unique ignore-case zero-terminated skip-fields= skip-chars= check-chars= group? help version",
    digits: true,
  },
  ({ operands }) => atMost(1, operands),
);

/** ripgrep runs what `--pre` and `--hostname-bin` name. */
const rg: Program = ({ args }) => {
  const hidden = hiddenOption(args);
  if (hidden !== undefined) return hidden;
  const runs = args
    .map((arg) => textOf(arg))
    .find((text) => /^--(?:pre(?:=|$)|hostname-bin)/u.test(text ?? ""));
  return runs === undefined ? undefined : `${runs} names a program to run`;
};

/** `%n` assigns a variable; everything after the format is text to print. */
export const printf: Program = ({ args }) => {
  const [first, second] = args;
  const format = textOf(first) === "--" ? second : first;
  if (format === undefined) return undefined;
  if (args.some((arg) => /\[[^\]]*(?:\$\(|`)/u.test(textOf(arg) ?? "")))
    return "printf may evaluate a subscript here";
  const assigns = hiddenOption([format]) !== undefined || /^-[^-]|%[-+ #0\d.*'l]*n/u.test(shown(format));
  return assigns ? "printf may assign a variable here" : undefined;
};

/** `xxd in out` writes its second operand; its options have one dash and may be words. */
const xxd: Program = ({ args }) => {
  const operands: Arg[] = [];
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? literal("");
    const text = textOf(arg) ?? "";
    if (/^-(?:[abeEipPruv]|ps|plain|[cglso]\d+)$/u.test(text)) continue;
    const takesNumber = /^-[cglso]$/u.test(text) && /^[-+]?\w+$/u.test(textOf(args[index + 1]) ?? "");
    if (takesNumber) index++;
    else if (hiddenOption([arg]) !== undefined || /^-./u.test(text))
      return "xxd has an option here that is not known to be harmless";
    else operands.push(arg);
  }
  return atMost(1, operands);
};

/** yq edits in place and splits into files; both of its versions share these letters. */
const yq = withOptions(
  {
    short: "erCMPNjcn o: p: I:",
    long: "output-format= input-format= prettyPrint no-doc colors no-colors tojson null-input indent= unwrapScalar? raw-output version help",
  },
  ({ operands }) => {
    const expression = operands.map((arg) => textOf(arg) ?? "").find((text) => /\bsystem\b/u.test(text));
    return expression === undefined ? undefined : "the expression may run a program";
  },
);

const tree = withOptions({
  short: "adfilxpshugDFqNvtcUrACSnJX L: P: I:",
  long: "noreport dirsfirst filesfirst gitignore du si prune matchdirs ignore-case inodes device sort? filelimit= charset= timefmt= version help",
});

/** `-C` compiles a file of its own; what a pattern stands for is not taken for that. */
const file: Program = ({ args }) => {
  const compiles = args.some((arg) => /^-(?:\w*C|-co)/u.test(leading(arg)));
  const hidden = args.some(
    (arg) =>
      hiddenOption([arg]) !== undefined &&
      arg.pieces.some((piece) => typeof piece !== "string" && piece.kind !== "glob"),
  );
  return compiles || hidden ? "file may write a compiled magic file" : undefined;
};

const shuf = withOptions({
  short: "ezr i: n:",
  long: "echo zero-terminated repeat input-range= head-count= help version",
});

/** Binutils load what `--plugin` names. */
const objdump = withOptions({
  short: "adfhprtxsSTgCDwlzeHGWLgnuAPov j: M: b: m:",
  long: "disassemble disassemble-all headers syms dynamic-syms section= demangle? full-contents source line-numbers reloc dynamic-reloc private-headers help version no-show-raw-insn dynamic extern-only defined-only undefined-only print-size size-sort numeric-sort",
});

const base64 = withOptions({
  short: "dDi w: b:",
  long: "decode ignore-garbage wrap= break= help version",
});

const iconv = withOptions({ short: "f: t: lcs", long: "from-code= to-code= list silent help version" });

/** Paginating or writing a page at a time needs a terminal; without one these two only print. */
const pager = withOptions({ short: "NSRFXiIMmrs", long: "version help" }, ({ operands }) =>
  operands.some((arg) => /^\+(?![gGF]$|\d+$)/u.test(textOf(arg) ?? ""))
    ? "a command to run at the start"
    : undefined,
);

const bat = withOptions({
  short: "pnAS l: r: H:",
  long: "plain number language= line-range= highlight-line= style= color= decorations= paging= wrap= show-all version help list-languages",
});

/** Without a file, `tee` only passes on what it reads. */
const tee: Program = ({ args }) => {
  const harmless = args.every((arg) =>
    /^(?:-[aip]|\/dev\/(?:null|stderr|stdout|tty))$/u.test(textOf(arg) ?? ""),
  );
  return harmless ? undefined : "tee writes to a file";
};

const printing = optionReader({
  short: "cdlqtvkn123456789 S:",
  long: "stdout to-stdout list test decompress uncompress quiet verbose keep help version",
});

/** Compressors replace their operand unless told to print, list or test. */
const compressor: Program = ({ name, args }) => {
  const options = printing(args);
  if ("problem" in options) return options.problem;
  const printed = ["c", "l", "t", "stdout", "to-stdout", "list", "test", "help", "version"].some((key) =>
    options.given.has(key),
  );
  const streaming = options.operands.length === 0 || name === "zstdcat";
  return printed || streaming ? undefined : `${name} replaces the file it is given`;
};

const unzip: Program = ({ args }) => {
  const mode = textOf(args[0]) ?? "";
  const listing = /^-[lvtpZ][lvtpqcCahmsZ12]*$/u.test(mode) || mode === "-c";
  return listing ? hiddenOption(args) : "unzip extracts files";
};

/** Programs that look at text and files, with the options that keep them at it. */
export const textTools: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["sort", withOptions(SORT)],
  ["uniq", uniq],
  ["rg", rg],
  ["xxd", xxd],
  ["yq", yq],
  ["tree", tree],
  ["file", file],
  ["shuf", shuf],
  ["nm", objdump],
  ["objdump", objdump],
  ["base64", base64],
  ["iconv", iconv],
  ["less", pager],
  ["more", pager],
  ["bat", bat],
  ["batcat", bat],
  ["tee", tee],
  ["size", objdump],
  ["addr2line", withOptions({ short: "afipsC e: j:" })],
  ...["gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "unzstd", "zstdcat"].map(
    (name): [string, Program] => [name, compressor],
  ),
  ["unzip", unzip],
]);
