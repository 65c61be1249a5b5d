import * as z from "zod/mini";
import type { Host } from "../../host/port.ts";
import { defineFileTool, type FilePlace, type FileTool, type PreparedCall } from "../../host/tool.ts";
import { lazy } from "../../lib/async.ts";
import type { Refusal } from "../../lib/error.ts";
import { describe } from "../../lib/schema.ts";
import type { ContainedPrograms } from "../../sandbox/load.ts";
import type { ContainmentInput } from "../../sandbox/port.ts";
import type { Vcs } from "../../snapshot/vcs.ts";
import { type Extra, worksOnFiles } from "../extra.ts";

const tool = {
  name: "code_gaia",
  description: "Ask the language server. rename changes every file that uses the symbol.",
  args: {
    op: z.enum(["diagnostics", "rename"]),
    file: z.string(),
    name: z.optional(describe(z.string(), "of the symbol")),
    line: z.optional(describe(z.int().check(z.gte(1)), "where it stands, from 1")),
    new_name: z.optional(z.string()),
  },
};

export const LANGUAGE_SERVERS: Extra<typeof tool> = {
  tool,
  isOn: ({ code }) => code === "on",
  isFor: worksOnFiles,
};

export type CodeArguments = z.infer<z.ZodMiniObject<typeof tool.args>>;

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
  /** When OpenCode came to this project, in milliseconds since 1970. */
  readonly since: number;
  readonly limits: Pick<ContainmentInput, "environment" | "clock" | "allowSensitive">;
}

/** `code_gaia` (SPEC 5): asks language servers, and renames what they know. */
export function createCodeTool({ code }: { readonly code: Pick<CodeCalls, "prepare"> }): FileTool {
  return defineFileTool({ ...tool, prepare: code.prepare });
}

export function openCode(input: CodeInput): CodeCalls {
  let isLoaded = false;
  const load = lazy(async () => {
    isLoaded = true;
    const { createCodeCalls } = await import("./calls.ts");
    return createCodeCalls(input);
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
