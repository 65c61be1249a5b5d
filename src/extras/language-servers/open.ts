import type { Host } from "../../host/port.ts";
import type { FilePlace, PreparedCall } from "../../host/tool.ts";
import type { JsonRecord } from "../../lib/json.ts";
import { lazy } from "../../lib/lazy.ts";
import type { Refusal } from "../../lib/refusal.ts";
import type { ContainedPrograms } from "../../sandbox/programs.ts";
import type { ContainmentInput } from "../../sandbox/port.ts";
import type { Vcs } from "../../vcs/port.ts";

export const CODE_OPS = ["diagnostics", "definition", "references", "symbols", "rename"] as const;

/** What a call asks of a language server. */
export interface CodeArguments {
  readonly op: (typeof CODE_OPS)[number];
  readonly file?: string | undefined;
  /** From 1, as `character`. */
  readonly line?: number | undefined;
  readonly character?: number | undefined;
  readonly query?: string | undefined;
  readonly new_name?: string | undefined;
}

/** What calls ask of language servers. Nothing is started or loaded before one does. */
export interface CodeCalls {
  /** Works a call out; changes nothing. */
  prepare(args: CodeArguments, place: FilePlace): Promise<PreparedCall | Refusal>;
  /** An edit is about to be made: remembers what its files hold. @param folder to which paths are relative */
  begins(callId: string, paths: readonly string[], folder: string): Promise<void>;
  /** It was made. @returns the errors that were not there before, a line each; empty where nobody can tell */
  ended(callId: string, place: FilePlace): Promise<readonly string[]>;
  /** Something runs, or ran, that may install packages or make files: what was known before it does not count any more. */
  disturbed(): void;
  /**
   * The errors that a tree has which it had not before, a line each, in a place that is about to be thrown away: what runs there
   * for it is ended. Null where a server that there is does not tell.
   * @param edited files by their absolute paths, with what they held before
   */
  brokenIn(edited: readonly EditedFile[], place: FilePlace): Promise<readonly string[] | null>;
  dispose(): Promise<void>;
}

/** A file that was changed. */
export interface EditedFile {
  /** As who changed it named it. */
  readonly path: string;
  /** What it held before; null where there was none. */
  readonly before: string | null;
}

export interface CodeInput {
  /** The top of the user's own tree, and the project in it. */
  readonly host: Pick<Host, "worktree" | "project">;
  readonly vcs: Pick<Vcs, "isIgnored">;
  readonly contained: ContainedPrograms;
  readonly limits: Pick<ContainmentInput, "environment" | "clock" | "allowSensitive">;
}

/** What language servers are started with. */
export interface CodeSurroundings extends CodeInput {
  /** The user's own configuration of OpenCode, the strongest last. */
  settings(): Promise<readonly JsonRecord[]>;
}

/** Language servers for one instance. */
export function openCode(input: CodeInput): CodeCalls {
  let isLoaded = false;
  let loaded: CodeCalls | null = null;
  const load = lazy(async () => {
    isLoaded = true;
    const { createCodeServers, createCodeCalls } = await import("./code-servers.ts");
    return (loaded = createCodeCalls(createCodeServers(surroundingsOf(input)), input.limits.clock));
  });
  return {
    prepare: async (...call) => (await load()).prepare(...call),
    begins: async (...edit) => (await load()).begins(...edit),
    ended: async (...edit) => (await load()).ended(...edit),
    disturbed() {
      loaded?.disturbed();
    },
    brokenIn: async (...tree) => (await load()).brokenIn(...tree),
    async dispose() {
      if (isLoaded) await (await load()).dispose();
    },
  };
}

export function surroundingsOf(input: CodeInput): CodeSurroundings {
  const { limits } = input;
  return {
    ...input,
    async settings() {
      const { usersSettings } = await import("../../trust/options-origin.ts");
      return usersSettings(limits.clock, limits.environment);
    },
  };
}
