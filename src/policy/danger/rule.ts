import type { Arg } from "../shell/arg.ts";
import type { StdinSource } from "../shell/walk-state.ts";

/** A command about to be checked for what no mode allows. */
export interface Suspect {
  /** The program's file name in lower case, without `.exe`; empty when it is only known at run time. */
  readonly name: string;
  readonly args: readonly Arg[];
  /** Folders it may run in, as `Scope.folders`. */
  readonly folders: readonly string[];
  readonly stdin: StdinSource;
}

/** Says what is dangerous about a command, or undefined. */
export type DangerRule = (suspect: Suspect) => string | undefined;
