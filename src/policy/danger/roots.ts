import type { Arg, Piece } from "../shell/arg.ts";

/** Folders at the top of a file system without which the machine or its users' work is lost. */
const TOP =
  /^(?:bin|boot|dev|etc|home|lib|lib32|lib64|libx32|media|mnt|opt|proc|root|run|sbin|srv|sys|usr|var|applications|library|network|system|users|volumes|cores|private|nix|snap|c|windows|program files.*|programdata)$/iu;
const NESTED =
  /^(?:usr\/(?:bin|sbin|lib|lib32|lib64|libexec|local|share|include|src)|usr\/local\/(?:bin|lib|share|etc)|var\/(?:lib|db|www|log|spool|mail)|private\/(?:etc|var)|system\/library|library\/\w+|etc\/\w+|mnt\/[a-z]|volumes\/[^/]+|nix\/store|boot\/efi|windows\/\w+)$/iu;
const HOMES = /^(?:home|users)\/[^/]+$/iu;
const PATTERN_ONLY = /^[.*?[\]!^@+()|{},]+$/u;

/** So many `..` in a row lead out of any project; twice as many are taken to reach the root. */
const CLIMB = 2;

/** An unknown stretch inside a path; no file name holds it. */
const HOLE = "\0";

/**
 * The text of a path with patterns as they stand. A variable that nothing sets counts as empty where only separators
 * and patterns follow; what stands below one otherwise is most likely meant to be below a real folder.
 */
function pathText(pieces: readonly Piece[]): string {
  let text = "";
  for (const piece of pieces.toReversed()) {
    if (typeof piece === "string") text = piece + text;
    else if (piece.kind === "glob") text = piece.text + text;
    else text = (piece.unset === true && /^[/.*?]*$/u.test(text) ? "" : HOLE) + text;
  }
  return text;
}

interface Resolved {
  readonly absolute: boolean;
  /** Steps above the start that `..` leads. */
  readonly up: number;
  readonly segments: readonly string[];
}

function resolve(path: string): Resolved {
  const absolute = path.startsWith("/");
  const segments: string[] = [];
  let up = 0;
  for (const segment of path.split(/\/+/u)) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) up++;
  }
  return { absolute, up: absolute ? 0 : up, segments };
}

function isTop(segments: readonly string[]): boolean {
  const path = segments.join("/");
  const [first = ""] = segments;
  if (segments.length === 0) return true;
  if (segments.length === 1) return TOP.test(first) || /[*?[{]/u.test(first);
  return NESTED.test(path) || HOMES.test(path);
}

/** True for a path that is, or may lead to, the root, a home or a folder of the system. */
export function isRootPath(path: string, folder = ""): boolean {
  if (/^(?:[a-z]:|\\\\)?[\\/]*\*?$/iu.test(path) && path !== "" && path !== "*") return true;
  if (/^[a-z]:[\\/]+(?:windows|users|program files[^\\/]*)[\\/*]*$/iu.test(path)) return true;
  const { absolute, up, segments } = resolve(
    path.startsWith("/") || folder === "" ? path : `${folder}/${path}`,
  );
  let end = segments.length;
  while (end > 0 && PATTERN_ONLY.test(segments[end - 1] ?? "")) end--;
  const kept = segments.slice(0, end);
  if (kept.some((segment) => segment.includes(HOLE))) return false;
  if (absolute) return isTop(kept);
  return kept.length === 0 ? up >= CLIMB : up >= CLIMB * 2 && isTop(kept);
}

/**
 * True when an argument names the root, a home or a folder of the system, wherever the command may run. A variable
 * that nothing sets counts as empty, so `"$X/"*` is the root.
 */
export function targetsRoot(arg: Arg, folders: readonly string[]): boolean {
  return [arg.pieces, ...filledIn(arg)].some((pieces) => {
    const path = pathText(pieces);
    return path !== "" && folders.some((folder) => isRootPath(path, folder));
  });
}

/** The argument with each of the texts that something unknown in it may be. */
function filledIn({ pieces }: Arg): Piece[][] {
  const open = pieces.findIndex((piece) => typeof piece === "object" && piece.samples !== undefined);
  const hole = pieces[open];
  if (typeof hole !== "object") return [];
  return (hole.samples ?? []).map((sample) => pieces.with(open, sample));
}
