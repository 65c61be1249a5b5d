import { isLabel, leadsOutside } from "../programs/paths.ts";
import { literal, textOf, type Arg } from "../shell/arg.ts";
import type { Walk } from "../shell/walk-state.ts";

/** Options whose values are names, patterns, definitions or places that are read: no place to work in. */
const NO_PLACE =
  /^(?:-[tgkemnIL]|-D.*|-run|-isystem|--(?:grep|tags?|filter|name|prefix|sysroot|ignore|exclude|define|destination|test-?\w+-?patterns?))$/iu;
/** What looks like an absolute path and is an expression. */
const EXPRESSION = /[\\^$*|()[\]\s]|^\/[^/]*\/?$/u;
/** Folders there are those of the container. */
const CONTAINERS = /^(?:docker|podman|docker-compose|podman-compose)$/u;
const MAX_ARGUMENTS = 64;

/**
 * Whether a tool is told to work in another project: by an operand or the value of an option that lies outside. What is only
 * read there, or looks like a path and is none, does not count.
 */
export function worksOutside(argv: readonly Arg[], walk: Walk): boolean {
  const { placeOf, scope } = walk;
  const name = textOf(argv[0]) ?? "";
  const inContainer = CONTAINERS.test(name);
  const args = argv.slice(1, MAX_ARGUMENTS);
  if (args.some((arg) => textOf(arg) === undefined && leadsOutside(arg, walk))) return true;
  const texts = args.map((arg) => textOf(arg) ?? "");
  return texts.some((text, index) => {
    const [option = "", attached] = /^(-{1,2}[\w.-]*)=(.*)$/su.exec(text)?.slice(1) ?? [];
    if (isLabel(name, text)) return false;
    if (NO_PLACE.test(attached === undefined ? (texts[index - 1] ?? "") : option)) return false;
    const value = attached ?? text.replace(/^-[A-CE-HJKM-Za-z](?=[./])/u, "");
    const isAbsolute = value.startsWith("/") && !inContainer && !EXPRESSION.test(value);
    const isPlace = isAbsolute || /^(?:[\w.-]+\/)*\.\.(?:\/|$)/u.test(value);
    return isPlace && placeOf(literal(value), scope.folders) === "outside";
  });
}
