import { join, posix, resolve } from "node:path";
import type { FilePlace } from "../../host/tool.ts";
import { pathBelow } from "../../lib/folders.ts";
import { type Refusal, refuse } from "../../lib/error.ts";
import { realPathOf } from "../../policy/real-path.ts";
import { isSensitivePath } from "../../policy/sensitive-path.ts";

/** A file or folder of the project that a tool may work on. */
export interface Located {
  /** Absolute, links followed. */
  readonly path: string;
  /** Relative to the project, with `/` between names: as the model, the user and their rules call it. */
  readonly name: string;
  /** Relative to the top of its tree: as the host's permissions call it. */
  readonly ruled: string;
}

type Whereabouts = Omit<FilePlace, "sessionId" | "agent">;

/** Finds what a call names, in the project and nowhere else, links followed. @param allowSensitive the user's globs */
export function locate(
  named: string,
  place: Whereabouts,
  allowSensitive: readonly string[],
): Located | Refusal {
  const path = realPathOf(meant(resolve(place.directory, named), place.standsFor));
  const name = pathBelow(realPathOf(place.project), path);
  if (name === null) return refuse(`${named} is outside of the project.`);
  // By both its names: a link must not hide what it leads to.
  const isSensitive = [named, name].some((each) => isSensitivePath(each, allowSensitive));
  if (isSensitive)
    return refuse(`${named} may hold secrets.`, "The user can allow it under policy.allowSensitive.");
  return { path, name, ruled: posix.join(place.below, name) };
}

/** In a worktree, specialists call files as they are called in the tree that it stands for. */
function meant(path: string, standsFor: FilePlace["standsFor"]): string {
  const inside = standsFor === null ? null : pathBelow(standsFor.from, path);
  return standsFor === null || inside === null ? path : join(standsFor.to, inside);
}
