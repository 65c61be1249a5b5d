import { isAbsolute, resolve } from "node:path";
import type { ToolEffect } from "../host/tool-call.ts";
import { type Effect, type Examination, NOTHING_FURTHER } from "./examination.ts";
import { type CommandContext, examineCommand } from "./examine-command.ts";
import { historyOfTool } from "./history/history.ts";
import { isMadeAnew } from "./made-anew.ts";
import { createPlaces } from "./places.ts";
import { ProtectedVisitor } from "./protected-visitor.ts";
import { renderReplaced, secretsAmong } from "./replaced-secrets.ts";
import { SecretVisitor } from "./secret-visitor.ts";
import { literal } from "./shell/arg.ts";

/** What the examination of a tool call depends on besides the call. */
export interface CallContext extends CommandContext {
  /** The plugin's own tools: what changes no files of the project guards itself, and raises the dialog where it needs a human. */
  readonly own?: readonly string[];
}

/**
 * Examines a tool call (SPEC 9). What is not known, an MCP tool or another plugin's for instance, is unknown.
 * @param effect what the call does, read from arguments that nobody has checked
 */
export function examineCall(tool: string, effect: ToolEffect, context: CallContext = {}): Examination {
  if (effect.kind === "command" && effect.command !== "") {
    return examineCommand(effect.command, {
      ...context,
      ...folderOf(context.folder, effect.workdir),
    });
  }
  const shows = new SecretVisitor(context);
  if (effect.kind === "read") {
    for (const path of effect.paths) shows.path(path);
    for (const pattern of effect.patterns) shows.pattern(pattern);
  }
  const protects = new ProtectedVisitor(context);
  const isOwn = context.own?.includes(tool) === true;
  if (effect.kind === "edit")
    for (const path of changedPaths(effect)) protects.path(path, [context.folder ?? ""]);
  if (effect.kind === "other" && !isOwn)
    for (const path of effect.paths) protects.path(path, [context.folder ?? ""]);
  if ((effect.kind === "other" && !isOwn) || effect.kind === "read") {
    for (const url of effect.addresses) {
      protects.address(url);
      shows.address(url);
    }
  }
  const [does, reason] = effectOf(tool, effect, isOwn, context);
  const absolute = (path: string): string => resolve(context.folder ?? "/", path);
  const deleted = does === "project" ? deletedPaths(effect).map(absolute) : [];
  const secrets = does === "project" ? secretsAmong(replacedPaths(effect)).map(absolute) : [];
  const lost = [...deleted, ...secrets];
  const finding: Pick<Examination, "effect" | "reason" | "losses"> =
    lost.length === 0
      ? { effect: does, reason, losses: null }
      : {
          effect: "lossy",
          reason: `${tool} ${deleted.length > 0 ? "deletes files" : renderReplaced(secrets[0] ?? "")}`,
          losses: { paths: lost, otherwise: does },
        };
  return {
    ...protects.weigh({ ...NOTHING_FURTHER, ...finding }),
    writes: effect.kind === "edit" ? changedPaths(effect).map(absolute) : [],
    secret: shows.found,
    protectedTarget: protects.found,
    history: effect.kind === "other" && !isOwn ? historyOfTool(tool) : null,
  };
}

/** What an edit deletes and nothing makes anew. */
function deletedPaths(effect: ToolEffect): string[] {
  const edits = effect.kind === "edit" ? effect.edits : [];
  return edits.flatMap(({ path, isDeleted }) => (isDeleted === true && !isMadeAnew(path) ? [path] : []));
}

/** What an edit replaces as a whole, where something lies there. */
function replacedPaths(effect: ToolEffect): string[] {
  const edits = effect.kind === "edit" ? effect.edits : [];
  return edits.flatMap(({ path, before, isAdded, movedFrom }) =>
    before === null || isAdded === true || movedFrom !== undefined ? [path] : [],
  );
}

function changedPaths({ edits }: Extract<ToolEffect, { kind: "edit" }>): string[] {
  return edits.flatMap(({ path, movedFrom }) => (movedFrom === undefined ? [path] : [path, movedFrom]));
}

function effectOf(
  tool: string,
  effect: ToolEffect,
  isOwn: boolean,
  context: CallContext,
): [effect: Effect, reason: string] {
  const { kind } = effect;
  if (kind === "read" || kind === "question" || kind === "todos") return ["read", `${tool} only reads`];
  if (kind === "subtask") return ["read", `${tool} is held to the rules in what it calls`];
  if (kind === "edit") {
    const placeOf = createPlaces(context);
    const isInside = changedPaths(effect).every(
      (path) => placeOf(literal(path), [context.folder ?? ""]) === "project",
    );
    return isInside
      ? ["project", `${tool} changes files`]
      : ["outside", `${tool} changes files outside of the project`];
  }
  if (isOwn) return ["read", `${tool} guards itself`];
  const reason = kind === "command" ? "is given no command" : "is not known to be read-only";
  return ["unknown", `${tool} ${reason}`];
}

function folderOf(project: string | undefined, folder: string | null): { readonly folder?: string } {
  if (folder === null) return {};
  return { folder: project === undefined || isAbsolute(folder) ? folder : resolve(project, folder) };
}
