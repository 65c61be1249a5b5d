import type { UserDenies } from "../config/user-denies.ts";
import type { Clock } from "../lib/async.ts";

/** Whether commands can be contained. It counts as ready after one was. */
export type ContainmentState =
  | {
      readonly kind: "ready";
      /** Why system calls are not filtered, where they could be elsewhere. */
      readonly unfiltered?: string;
    }
  | { readonly kind: "unavailable"; readonly why: string };

export interface ContainmentInput {
  /** What this machine is; as the process says by default. */
  readonly platform?: NodeJS.Platform;
  readonly architecture?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The user's; HOME by default. */
  readonly home?: string;
  /** What may be written: the worktree. */
  readonly project: string;
  readonly clock: Clock;
  shell(): string;
  /** Places that the user denies to everybody: hidden, or read-only; relative ones lie in the project. */
  denied?(): Pick<UserDenies, "read" | "edit">;
  /** Paths outside of the project that the user allows. */
  readonly writable: readonly string[];
  readonly allowSensitive: readonly string[];
  /** Where the wrapper is looked for; the system's folders and those of PATH. */
  readonly wrapperFolders?: readonly string[];
  /** Which sockets and open pipes of this machine's are hidden; all of them. */
  readonly hides?: (path: string) => boolean;
}
