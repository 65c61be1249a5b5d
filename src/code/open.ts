import type { SandboxConfig } from "../config/sandbox.ts";
import type { Host } from "../host/port.ts";
import type { FilePlace, PreparedCall } from "../host/tool.ts";
import type { JsonRecord } from "../lib/json.ts";
import { lazy } from "../lib/lazy.ts";
import type { Refusal } from "../lib/refusal.ts";
import { type LazyContainment, loadContainment } from "../policy/load-containment.ts";
import type { Vcs } from "../vcs/port.ts";

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
  dispose(): Promise<void>;
}

export interface CodeInput {
  /** The top of the user's own tree, and the project in it. */
  readonly host: Pick<Host, "worktree" | "project">;
  readonly vcs: Pick<Vcs, "isIgnored">;
  readonly sandbox: SandboxConfig;
  /** What contains commands, in whatever tree. */
  readonly limits: Omit<Parameters<typeof loadContainment>[0], "project">;
}

/** What is given to those who speak to servers: they are packed, and share no modules with the rest. */
export interface CodeSurroundings extends CodeInput {
  containmentOf(top: string): LazyContainment;
  /** The user's own configuration of OpenCode, the strongest last. */
  settings(): Promise<readonly JsonRecord[]>;
}

/** Language servers for one instance. */
export function openCode(input: CodeInput): CodeCalls {
  let isLoaded = false;
  const load = lazy(async () => {
    isLoaded = true;
    const { createCodeServers, createCodeCalls } = await import("./code-servers.ts");
    return createCodeCalls(createCodeServers(surroundingsOf(input)), input.limits.clock);
  });
  return {
    prepare: async (...call) => (await load()).prepare(...call),
    begins: async (...edit) => (await load()).begins(...edit),
    ended: async (...edit) => (await load()).ended(...edit),
    async dispose() {
      if (isLoaded) await (await load()).dispose();
    },
  };
}

/** Everything that servers are started with. */
export function surroundingsOf(input: CodeInput): CodeSurroundings {
  const { limits } = input;
  return {
    ...input,
    containmentOf: (top) => loadContainment({ ...limits, project: top }),
    async settings() {
      const { usersSettings } = await import("../trust/options-origin.ts");
      return usersSettings(limits.clock, limits.environment);
    },
  };
}
