import type { View } from "../commit/commit.ts";

/** What a contained command may do beside reading (SPEC 9). */
export interface ContainmentProfile {
  readonly project: "write" | "read";
  /** The host's network, its loopback included; without it, a loopback of the command's own. */
  readonly network: boolean;
  /** Whether tools are given caches of their own to write, apart from the user's. */
  readonly caches: boolean;
}

/** Where a contained command runs: absolute real paths, all of which exist. */
export interface Places {
  /** The project, or the lane: what is written in the profile `write`. */
  readonly project: string;
  readonly folder: string;
  /** Kept from call to call, and shared with nothing outside of the containment. */
  readonly temp: string;
  /** The caches that tools are given in place of the user's. */
  readonly caches: string;
  /** A file with nothing in it, shown in place of a hidden one. */
  readonly empty: string;
  readonly hiddenFolders: readonly string[];
  readonly hiddenFiles: readonly string[];
  /** Below hidden folders, and to be read all the same. */
  readonly shown: readonly string[];
  /** Outside of the project, and written like it: what the user allows. */
  readonly writable: readonly string[];
  /** Folders in which something protected lies: they cannot be moved away together with it. */
  readonly pinned: readonly string[];
  /** Never written. */
  readonly readOnly: readonly string[];
  /** What only the user makes in the project, whether it is there or not. */
  readonly guarded: readonly string[];
  /** Shown in place of what is there, on top of everything else. */
  readonly mounts?: View["mounts"];
}

export interface EnvironmentChange {
  readonly set: Readonly<Record<string, string>>;
  readonly unset: readonly string[];
}

/** An argument of the wrapper, or several that count only where a path is still there when it starts. */
export type WrapperWord = string | { readonly whileThere: string; readonly words: readonly string[] };

/** The wrapper's program and its arguments, behind which the command's stand. */
export type WrapperCommand = readonly [program: string, ...WrapperWord[]];

/** What holds from a path down, until another layer that lies deeper. */
export interface Layer {
  readonly path: string;
  readonly kind: "hidden-folder" | "hidden-file" | "read-only" | "writable";
}

/** The rules of a containment by place, the outer ones first: the deepest that fits a path counts. */
export function layersOf({ project, caches }: ContainmentProfile, places: Places): Layer[] {
  const isWritten = project === "write";
  const own = isWritten ? "writable" : "read-only";
  const layers: Layer[] = [
    ...places.hiddenFolders.map((path) => ({ path, kind: "hidden-folder" as const })),
    ...places.shown.map((path) => ({ path, kind: "read-only" as const })),
    { path: places.project, kind: own },
    ...[...places.writable, ...places.pinned].map((path) => ({ path, kind: own }) as const),
    ...places.readOnly.map((path) => ({ path, kind: "read-only" as const })),
    ...places.hiddenFiles.map((path) => ({ path, kind: "hidden-file" as const })),
    ...(caches ? [{ path: places.caches, kind: "writable" as const }] : []),
  ];
  // Of one path the last word counts, and equally deep ones keep their order.
  const last = new Map(layers.map((layer) => [layer.path, layer]));
  const sorted = [...last.values()].toSorted((a, b) => depthOf(a.path) - depthOf(b.path));
  const pinned = isWritten ? new Set(places.pinned) : new Set();
  return sorted.filter((layer) => pinned.has(layer.path) || !isHeldAround(layer, sorted));
}

/** Folders that a command has others of its own in place of. */
export const REPLACED = ["/tmp", "/var/tmp", "/run", "/dev", "/proc"];

/** Whether a path is as its layer says without it; each one costs about half a millisecond. */
function isHeldAround(layer: Layer, sorted: readonly Layer[]): boolean {
  const around = kindAround(layer, sorted);
  return layer.kind === around || (layer.kind === "hidden-file" && around === "hidden-folder");
}

function kindAround({ path }: Layer, sorted: readonly Layer[]): Layer["kind"] {
  const around = sorted.findLast((other) => other.path !== path && isWithin(path, other.path));
  if (around !== undefined) return around.kind;
  // Neither of the disk nor read-only: whatever lies there has to be put there.
  return REPLACED.some((folder) => isWithin(path, folder)) ? "hidden-file" : "read-only";
}

function depthOf(path: string): number {
  return path === "/" ? 0 : path.split("/").length - 1;
}

/** Whether a path is a folder or lies below it; both absolute, without a slash at the end. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);
}
