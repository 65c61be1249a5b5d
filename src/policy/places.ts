import { tmpdir } from "node:os";
import { posix } from "node:path";
import { type Arg, type Piece } from "./shell/arg.ts";

/**
 * Where a file lies: below a `temporary` folder and not in the project, on a `device` that keeps nothing, `unknown` when it
 * cannot be told. The temporary folders themselves are outside.
 */
export type Place = "project" | "temporary" | "device" | "outside" | "unknown";

/** What the place of a file depends on. */
export interface PlaceContext {
  /** The absolute path of the project; without it, relative paths that do not climb lie in it. */
  readonly project?: string;
  /** Gives the real path of a file that may not exist yet. */
  readonly realPath?: (path: string) => string;
}

/** Tells where the file is that an argument names, from the gravest of the folders that the command may run in. */
export type PlaceOf = (arg: Arg, folders: readonly string[]) => Place;

const DEVICE = /^\/dev\/(?:null|zero|stdout|stderr|tty|fd\/\d+)$/u;
const TEMPORARY = [...new Set(["/tmp", "/var/tmp", "/private/tmp", "/dev/shm", tmpdir()])];
/** Variables and commands that name a temporary folder. */
const NAMES_TEMPORARY = /^(?:\$\{?(?:TMPDIR|TMP|TEMP)\}?|["']?(?:\$\(|`)mktemp\b.*)$/su;
/** Variables that name the project. */
const NAMES_PROJECT =
  /^\$\{?(?:PWD|GITHUB_WORKSPACE)\}?$|^["']?(?:\$\(|`)(?:pwd|git rev-parse --show-toplevel)[)`]["']?$/u;
const CLIMBING = /(?:^|\/)\.\.(?:\/|$)/u;
/** Real paths that are looked up for one line. */
const MAX_LOOKUPS = 256;

/** Makes what tells where files lie, for one line. */
export function createPlaces({ project, realPath }: PlaceContext): PlaceOf {
  const root = project === undefined ? undefined : plain(project);
  let homes: readonly string[] | undefined;
  const known = new Map<string, Place>();

  const placeOf = (path: string): Place => {
    if (DEVICE.test(path)) return "device";
    if (!path.startsWith("/")) return path === ".." || path.startsWith("../") ? "outside" : "project";
    if (root !== undefined && isWithin(path, root)) return "project";
    return TEMPORARY.some((folder) => path !== folder && isWithin(path, folder)) ? "temporary" : "outside";
  };
  const followed = (path: string): Place => {
    const place = placeOf(plain(path));
    if (place === "device" || place === "outside" || realPath === undefined) return place;
    if (known.size >= MAX_LOOKUPS) return "unknown";
    const target = realPath(path);
    if (placeOf(target) !== "outside") return place;
    // The project, or a temporary folder, may itself be reached through a link.
    homes ??= [...TEMPORARY, root ?? "."].map((folder) => realPath(folder));
    return homes.some((folder) => isWithin(target, folder)) ? place : "outside";
  };
  const lookUp = (path: string): Place => {
    const found = known.get(path) ?? followed(path);
    known.set(path, found);
    return found;
  };

  return (arg, folders) => {
    const text = pathOf(arg);
    if (text === undefined) return "unknown";
    if (/^[a-z]:[\\/]|^\\\\/iu.test(text)) return "outside";
    const places = new Set(
      folders.map((folder) =>
        // As it is: behind a link, `..` leads out of where that points.
        lookUp(text.startsWith("/") || folder === "" ? text : `${folder}/${text}`),
      ),
    );
    return (
      (["unknown", "outside", "project", "temporary", "device"] as const).find((place) =>
        places.has(place),
      ) ?? "unknown"
    );
  };
}

/** The path that an argument names, with a name in the place of what is one; undefined when it cannot be told. */
function pathOf({ pieces, many }: Arg): string | undefined {
  let text = "";
  for (const [index, piece] of pieces.entries()) {
    const part = typeof piece === "string" ? piece : partOf(piece, index === 0);
    if (part === undefined) return undefined;
    text += part;
  }
  // Nobody knows where a variable's folder leads up to.
  const [first] = pieces;
  if (first !== undefined && typeof first !== "string" && text.startsWith("/tmp/x") && CLIMBING.test(text))
    return undefined;
  return many && pieces.every((piece) => typeof piece !== "string" && piece.kind !== "glob")
    ? undefined
    : text;
}

function partOf(piece: Exclude<Piece, string>, isFirst: boolean): string | undefined {
  if (piece.kind === "glob") return piece.text.replaceAll("/", "x");
  if (piece.kind === "number" || piece.kind === "name") return "x";
  if (!isFirst) return undefined;
  if (NAMES_TEMPORARY.test(piece.text)) return "/tmp/x";
  return NAMES_PROJECT.test(piece.text) ? "." : undefined;
}

function plain(path: string): string {
  const normal = posix.normalize(path);
  return normal.length > 1 ? normal.replace(/\/$/u, "") : normal;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
