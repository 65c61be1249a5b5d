import type { UserDenies } from "../config/user-denies.ts";
import type { Clock } from "../lib/clock.ts";
import type { View } from "../commit/commit.ts";
import type { ContainmentProfile } from "./profile.ts";

/** Whether commands can be contained. It counts as ready after one was. */
export type ContainmentState =
  | { readonly kind: "unproven" }
  | {
      readonly kind: "ready";
      /** Why system calls are not filtered, where they could be elsewhere. */
      readonly unfiltered?: string;
    }
  | { readonly kind: "unavailable"; readonly why: string };

export interface FinishedContainment {
  readonly profile: ContainmentProfile;
  /** Whether its shell took part; one that did not has run the command as it was. */
  readonly isProven: boolean;
  /** Files that only the user makes, and that the call had made. */
  readonly setAside: readonly { readonly path: string; readonly to: string }[];
}

/** Contains the commands of one project (SPEC 9). */
export interface Containment {
  /** Of commands in the user's shell. */
  state(): ContainmentState;
  /** Whether commands in the user's shell can be contained: tried out once, in that very shell. Never rejects. */
  ready(): Promise<ContainmentState>;
  /** The same for what the plugin runs itself, which needs no shell of the user's. */
  hostReady(): Promise<ContainmentState>;
  /**
   * Prepares a call: the variables with which the shell of the host hands its command over.
   * @throws when the call must not run, because it would not be contained
   */
  wrap(call: {
    readonly callId: string;
    readonly folder: string;
    readonly profile: ContainmentProfile;
  }): Promise<Readonly<Record<string, string>>>;
  /** A call is over; null for one that was not wrapped. */
  finish(callId: string): FinishedContainment | null;
  /** A command as a program and its arguments, contained, for what the plugin runs itself. @throws as `wrap` */
  command(
    profile: ContainmentProfile,
    folder: string,
    command: string,
    view?: View,
  ): Promise<[string, ...string[]]>;
  dispose(): void;
}

export interface ContainmentInput {
  readonly platform: NodeJS.Platform;
  readonly architecture: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
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
