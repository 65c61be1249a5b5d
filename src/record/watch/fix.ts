import { headlineOf } from "../../process/excerpt.ts";
import type { ToolEffect, ToolOutcome } from "../../host/tool-call.ts";
import { excerpt } from "../../lib/excerpt.ts";

const MAX_FAILURES = 20;
const MAX_FILES = 5;
const MAX_COMMAND = 100;
const MAX_ERROR = 140;

/** For these a non-zero exit is an answer, not an error. */
const ASKING = new Set("grep rg egrep fgrep ls cat find test [ diff cmp which command git jj".split(" "));

export type OpenFailures = ReadonlyMap<string, { readonly error: string; readonly files: readonly string[] }>;

interface Fix {
  readonly body: string;
  readonly evidence: string;
  readonly about: readonly string[];
}

type Observed =
  | { readonly type: "command"; readonly command: string; readonly exit: number; readonly output: string }
  | { readonly type: "edit"; readonly file: string; /** What was put there. */ readonly after: string };

/** What a finished call did that may belong to a fix. */
export function readDeeds(
  effect: ToolEffect,
  { exitCode, text }: ToolOutcome,
  inProject: (path: string) => string,
): Observed[] {
  if (effect.kind === "edit") {
    const files = new Map(
      effect.edits.map(({ path, after }) => [inProject(path).replaceAll("\\", "/"), after]),
    );
    return [...files].map(([file, after]) => ({ type: "edit", file, after }));
  }
  if (effect.kind !== "command" || effect.command === "" || exitCode === null) return [];
  return [{ type: "command", command: effect.command, exit: exitCode, output: text ?? "" }];
}

/** A command that failed and passes after files were changed gives one sentence. Without a change it was flaky. */
export function followDeed(open: OpenFailures, deed: Observed): { open: OpenFailures; fix: Fix | null } {
  if (deed.type === "edit") {
    const files = (known: readonly string[]): readonly string[] =>
      known.includes(deed.file) ? known : [...known, deed.file].slice(-MAX_FILES);
    return {
      open: new Map([...open].map(([key, failure]) => [key, { ...failure, files: files(failure.files) }])),
      fix: null,
    };
  }
  const command = excerpt(deed.command, MAX_COMMAND);
  if (ASKING.has(command.split(" ")[0] ?? "")) return { open, fix: null };
  const before = open.get(command);
  const others = [...open].filter(([key]) => key !== command);
  if (deed.exit !== 0) {
    const failure = { error: excerpt(headlineOf(deed.output), MAX_ERROR), files: before?.files ?? [] };
    return { open: new Map([...others, [command, failure] as const].slice(-MAX_FAILURES)), fix: null };
  }
  const solved = before !== undefined && before.files.length > 0;
  const fix = solved
    ? {
        body: `\`${command}\` failed${before.error === "" ? "" : ` with "${before.error}"`} and passed after changes to ${before.files.join(", ")}.`,
        evidence: `exit code 0 of ${command}`,
        about: before.files,
      }
    : null;
  return { open: new Map(others), fix };
}
