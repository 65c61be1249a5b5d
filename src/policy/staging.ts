import { type Arg, textOf } from "./shell/arg.ts";
import type { Invocation, Visitor } from "./shell/walk-state.ts";
import { gitCommand } from "./programs/git/globals.ts";

/** A command that takes files of the folder into the index, a commit or a stash. */
export interface StagingCall {
  readonly program: "git" | "jj";
  readonly verb: string;
  /** As they are written, patterns included; null for one that is only known at run time. */
  readonly args: readonly (string | null)[];
  /** Folders that it may run in; "" where that is not known. */
  readonly folders: readonly string[];
}

const GIT_VERBS = new Set(["add", "stage", "commit", "stash", "update-index"]);
const JJ_VERBS = new Set(["commit", "ci", "squash", "split"]);
/** A line that stages more often than this is judged by the beginning, and as one that takes everything. */
const MAX_CALLS = 20;

/** Finds what a command line puts into commits, inside of wrappers and shells as well. */
export class StagingVisitor implements Pick<Visitor, "onInvocation"> {
  readonly calls: StagingCall[] = [];

  onInvocation({ argv, walk }: Invocation): undefined {
    const program = textOf(argv[0])?.split("/").at(-1);
    if (program !== "git" && program !== "jj") return undefined;
    const { verb, args, places } = gitCommand(argv.slice(1));
    const name = textOf(verb);
    const isStaging = name !== undefined && (program === "git" ? GIT_VERBS : JJ_VERBS).has(name);
    // A verb that is only known at run time may be any.
    const isUnknown = verb !== undefined && name === undefined;
    if (!isStaging && !isUnknown) return undefined;
    const isFull = this.calls.length >= MAX_CALLS;
    if (isFull) this.calls.pop();
    this.calls.push({
      program,
      verb: name ?? "add",
      args: isUnknown || isFull ? ["-A"] : args.map(written),
      folders: foldersOf(walk.scope.folders, places),
    });
    return undefined;
  }
}

function foldersOf(folders: readonly string[], places: readonly Arg[]): string[] {
  if (places.length === 0) return [...folders];
  const [place] = places.map(textOf);
  if (places.length > 1 || place === undefined) return [""];
  if (place.startsWith("/")) return [place];
  return folders.map((folder) => (folder === "" ? "" : `${folder}/${place}`));
}

/** An argument as it stands, patterns of the shell included: git reads them alike. */
function written(arg: Arg): string | null {
  const isKnown = arg.pieces.every((piece) => typeof piece === "string" || piece.kind === "glob");
  return isKnown
    ? arg.pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("")
    : null;
}
