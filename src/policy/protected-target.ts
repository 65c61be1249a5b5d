import { isAbsolute, resolve } from "node:path";
import { isOwnServer, type OwnAddress } from "./addresses.ts";
import { isHookPath, isProtectedPath } from "./protected-path.ts";

/** What a call would change, or call, although only a person may. */
export interface ProtectedTarget {
  /** `address`: OpenCode's own server. `hook`: what git may run by itself, which a person is asked about. */
  readonly kind: "path" | "address" | "hook";
  /** As the call names it. */
  readonly text: string;
}

export interface ProtectionContext {
  /** The absolute path of the folder that relative paths start from. */
  readonly folder: string;
  /** Absolute paths of the user's folders of OpenCode and of this plugin. */
  readonly userFolders: readonly string[];
  readonly server: OwnAddress | null;
  /** Names and addresses of this machine. */
  readonly machine: readonly string[];
  /** Gives the real path of a file that may not exist yet. */
  realPath(path: string): string;
}

/** The first protected file or folder among those that are changed, links followed. */
export function findProtected(paths: readonly string[], context: ProtectionContext): ProtectedTarget | null {
  let hook: ProtectedTarget | null = null;
  for (const text of paths) {
    const full = resolve(context.folder, text);
    // A shell leaves `..` to the system, for which it leads out of where a link points.
    const written = isAbsolute(text) ? text : `${context.folder}/${text}`;
    const places = [full, context.realPath(full), context.realPath(written)];
    if (places.some((path) => isProtectedPath(path, context.userFolders))) return { kind: "path", text };
    if (places.some(isHookPath)) hook ??= { kind: "hook", text };
  }
  return hook;
}

/** The first address of OpenCode's own among those that are called. */
export function findOwnAddress(
  addresses: readonly string[],
  { server, machine }: ProtectionContext,
): ProtectedTarget | null {
  const text = addresses.find((address) => isOwnServer(address, server, machine));
  return text === undefined ? null : { kind: "address", text };
}
