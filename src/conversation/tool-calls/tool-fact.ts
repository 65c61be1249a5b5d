import path, { resolve } from "node:path";
import { excerptOutput, screenText } from "../../process/output.ts";
import type { FileDelta, ToolFact } from "../collaboration/batch.ts";
import type { ExaminedCall } from "../collaboration/decide-call.ts";
import { diffTexts } from "../../lib/line-diff.ts";
import { excerpt } from "../../lib/text.ts";
import type { Redactor } from "../../lib/redaction.ts";
import type { Host } from "../../host/port.ts";
import type { Containment } from "../../sandbox/containment.ts";
import type { SandboxDecision } from "../../sandbox/decide.ts";
import type { ToolEffect, ToolOutcome, ToolTarget } from "../../host/tool-call.ts";

/** A tool call of a GAIA session: as it will run, and between its two hooks. */
export interface RunningCall extends ExaminedCall {
  readonly callId: string;
  readonly sessionId: string;
  readonly changes: boolean;
  /** Whether it changes the project and not only its record. */
  readonly mutating: boolean;
  /** Null for what is no command. */
  readonly sandbox: SandboxDecision | null;
  readonly effect: ToolEffect;
  readonly target: ToolTarget;
  /** Where it is made: in the project, or in a worktree that stands for it. */
  readonly place: ToolPlace;
  /** Made in a worktree, of which nothing is the work before it lands. */
  readonly isApart: boolean;
  /** What the file that it replaces held. */
  readonly before: string | null;
  /** Where its command runs, once its shell has begun in a sandbox. */
  contained?: { readonly containment: Containment; readonly mayAsk: boolean };
}

/** Of an output only the end is ever shown, and of a failing command the lines that name errors. */
const MAX_OUTPUT = 2_000;
const FAILURE_BOUNDS = { maxLines: 6, maxCharacters: 500 };

export type ToolPlace = Pick<Host, "directory" | "project">;

/** What a finished call did to the project, free of secrets. */
export function readToolFact(
  call: RunningCall,
  outcome: ToolOutcome,
  place: ToolPlace,
  redact: Redactor,
): ToolFact {
  const { sessionId, tool, mutating, effect } = call;
  const base = { sessionId, tool, mutating, failed: false };
  if (effect.kind === "command") {
    const { exitCode } = outcome;
    const output = shownOutput(outcome.text ?? "", exitCode !== null && exitCode !== 0, redact);
    const folder = effect.workdir ?? ".";
    const isElsewhere = resolve(place.directory, folder) !== resolve(place.directory);
    const where = isElsewhere ? `cd ${shownPath(folder, place) || folder} && ` : "";
    const command = `${where}${effect.command}`;
    return { ...base, command: { command: redact(command), exitCode, output } };
  }
  const files = filesOf(call, outcome, place);
  return files.length === 0 ? base : { ...base, files };
}

/** A fact with what the project's tree shows of it; where that is nothing, what the tool told is kept apart from it. */
export function withSeen(
  { files: told, ...fact }: ToolFact,
  seen: readonly FileDelta[],
  isApart: boolean,
): ToolFact {
  if (seen.length > 0) return { ...fact, files: seen };
  return told === undefined ? fact : { ...fact, told, isApart };
}

function shownOutput(text: string, isFailed: boolean, redact: Redactor): string {
  // Of a secret that is cut nobody would know that it is one.
  if (!isFailed) return redact(text).slice(-MAX_OUTPUT);
  return excerptOutput(redact(screenText(text)), FAILURE_BOUNDS);
}

/** The file or command of a call in a few words, for a line on the screen. */
export function renderTarget(target: ToolTarget, place: ToolPlace, redact: Redactor): string {
  return "path" in target ? shownPath(target.path, place) : excerpt(redact(target.text), 120);
}

/** The host's count; where it does not count, the texts are compared. */
function filesOf({ effect, before }: RunningCall, outcome: ToolOutcome, place: ToolPlace): FileDelta[] {
  const replaced = effect.kind === "edit" ? effect.edits.filter((edit) => edit.before === null) : [];
  const counted = replaced.map(({ path, after }) => {
    const { added, removed } = diffTexts(path, before ?? "", after);
    return { path, added, removed };
  });
  return [...counted, ...outcome.files].map((file) => ({ ...file, path: shownPath(file.path, place) }));
}

/** Below the project with `/` between names, on every system. */
export function shownPath(
  file: string,
  { directory, project }: ToolPlace,
  { relative, resolve: from, isAbsolute, sep }: typeof path.posix = path,
): string {
  const inside = relative(project, from(directory, file));
  const isOutside = inside.startsWith("..") || isAbsolute(inside);
  return (isOutside ? file : inside).replaceAll(sep, "/");
}
