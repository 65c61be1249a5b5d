import { isUtf8 } from "node:buffer";
import { resolve } from "node:path";
import { isInFolder } from "../lib/folders.ts";
import { hasEndless, readRegular } from "../lib/read-source.ts";
import type { ToolEffect } from "../host/tool-call.ts";
import { type CommandContext, examineCommand, findIgnored, allows } from "./examine-command.ts";
import { type Examination, examination } from "./examination.ts";
import { findOwnAddress, findProtected, isMetadataService } from "./protected-target.ts";
import { isSensitivePath } from "./sensitive-path.ts";

export interface CallContext extends CommandContext {
  /** The plugin's own tools: they guard themselves, and raise the dialog where a person is needed. */
  readonly own: readonly string[];
  /** The host's programs that run on a file once its own tools have written it, outside of any sandbox. */
  formatters(path: string): Promise<readonly string[]>;
  /** Whether the host's own language servers run behind what is read and changed: they start programs of the project. */
  languageServers(): boolean;
}

/** The key of the host's configuration that turns them on, by which the user's own patterns name them. */
const LANGUAGE_SERVERS = "lsp";
const WAITS = examination("forbidden", "it would wait for a pipe or a device");

/**
 * Examines a tool call (SPEC 9). What is not known, an MCP tool or another plugin's for instance, is unknown.
 * @param effect what the call does, read from arguments that nobody has checked
 */
export async function examineCall(
  tool: string,
  effect: ToolEffect,
  context: CallContext,
): Promise<Examination> {
  switch (effect.kind) {
    case "command": {
      const folder = resolve(context.folder, effect.workdir ?? "");
      if (effect.command === "") return examination("unknown", `${tool} is given no command`);
      const examined = await examineCommand(effect.command, { ...context, folder });
      return { ...examined, escapes: context.languageServers() && !mayRun(LANGUAGE_SERVERS, ".", context) };
    }
    case "question":
    case "todos":
      return examination("read", `${tool} only reads`);
    case "subtask":
      return examination("read", `${tool} is held to the rules in what it calls`);
    case "read":
      if (await hasEndless(effect.paths.map((path) => resolve(context.folder, path)))) return WAITS;
      return examination("read", `${tool} only reads`, {
        secret: findSecret(effect.paths, effect.addresses, context),
        protectedTarget: findOwnAddress(effect.addresses, context),
      });
    case "edit":
      return examineEdit(tool, effect, context);
    case "other": {
      if (context.own.includes(tool)) return examination("read", `${tool} guards itself`);
      const protectedTarget =
        findProtected(effect.paths, context) ?? findOwnAddress(effect.addresses, context);
      return examination("unknown", `${tool} is not known to be read-only`, { protectedTarget });
    }
  }
}

async function examineEdit(
  tool: string,
  { edits }: Extract<ToolEffect, { kind: "edit" }>,
  context: CallContext,
): Promise<Examination> {
  const paths = edits.flatMap(({ path, movedFrom }) =>
    movedFrom === undefined ? [path] : [path, movedFrom],
  );
  const writes = paths.map((path) => resolve(context.folder, path));
  if (await hasEndless(writes)) return WAITS;
  const protectedTarget = findProtected(paths, context);
  const kept = edits.flatMap(({ path, movedFrom = path, isDeleted }) => (isDeleted ? [] : movedFrom));
  const damages = await findDamaged(kept.map((path) => resolve(context.folder, path)));
  const written = edits.flatMap(({ path, isDeleted }) => (isDeleted ? [] : path));
  const programs = await programsOn(written, context, context.own.includes(tool));
  const further = { writes, protectedTarget, damages, escapes: programs.length > 0 };
  const reason = await reasonOutside();
  return examination(
    reason === null ? "project" : "outside",
    `${tool} ${reason ?? "changes files"}`,
    further,
  );

  /** What makes it more than a change of the project; null for nothing. */
  async function reasonOutside(): Promise<string | null> {
    const root = context.realPath(context.project);
    const away = writes.find((path) => !isInFolder(context.realPath(path), root));
    if (away !== undefined) return `changes ${away}, outside of the project`;
    if (protectedTarget?.kind === "hook")
      return `changes ${protectedTarget.text}, which git may run by itself`;
    const secret = writes.find((path) => isSensitivePath(path));
    if (secret !== undefined) return `changes ${secret}, of which nothing else may hold what is in it`;
    const deleted = edits.flatMap(({ path, isDeleted }) => (isDeleted === true ? path : []));
    const lost = await findIgnored(deleted, context);
    if (lost !== null) return `deletes ${lost}, and nothing else holds it`;
    // The user has not let it run as the command that it is.
    const program = programs.find(({ name, path }) => !mayRun(name, path, context));
    return program === undefined
      ? null
      : `changes files, on which OpenCode then runs ${program.words} outside of the sandbox`;
  }
}

interface RunProgram {
  /** As the user may let it run, and as a person is told of it. */
  readonly name: string;
  readonly words: string;
  readonly path: string;
}

/** What the host runs on files once they are written. */
async function programsOn(
  paths: readonly string[],
  context: CallContext,
  isOwn: boolean,
): Promise<readonly RunProgram[]> {
  const found = paths.map(async (path) => {
    // Only the host's own tools bring its formatters about.
    const formatters = isOwn ? [] : await context.formatters(path);
    const servers = context.languageServers() ? [LANGUAGE_SERVERS] : [];
    return [
      ...formatters.map((name) => ({ name, words: `its formatter ${name}`, path })),
      ...servers.map((name) => ({ name, words: `its language servers (${name})`, path })),
    ];
  });
  return (await Promise.all(found)).flat();
}

function mayRun(program: string, path: string, context: CallContext): boolean {
  const words = [program, path].map((text) => ({ text, kind: "literal" }) as const);
  return allows(words, "off", context);
}

/** The first file that is not UTF-8: OpenCode's tools write it anew with every byte replaced that they could not read. */
async function findDamaged(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const bytes = await readRegular(path);
    if (bytes !== null && !isUtf8(bytes)) return path;
  }
  return null;
}

/** The first file or address that may show secrets, links followed. What a search finds in others is left out of its result. */
function findSecret(
  paths: readonly string[],
  addresses: readonly string[],
  { allowSensitive, folder, realPath }: CallContext,
): string | null {
  const isSecret = (path: string): boolean => {
    const full = resolve(folder, path);
    return isSensitivePath(full, allowSensitive) || isSensitivePath(realPath(full), allowSensitive);
  };
  return paths.find(isSecret) ?? addresses.find(isMetadataService) ?? null;
}
