import { excerptOutput } from "../../../process/excerpt.ts";
import { excerpt } from "../../../lib/excerpt.ts";
import type { CheckDefinition } from "../../../config/definition-of-done.ts";
import type { Checks, TriedOut } from "./try-out.ts";

const MAX_COMMAND = 80;
const MAX_SAID = 1_500;

/** What speaks against a tree. */
export interface Verdict {
  /** In short, for a table; empty where nothing does. */
  readonly fails: readonly string[];
  /** The same with what it said, for the one who is to fix it. */
  readonly said: readonly string[];
  /** What of the checks themselves was changed there. */
  readonly hollowed: readonly string[];
  /** Checks that failed before as well. */
  readonly red: number;
  /** Checks that ran and passed. */
  readonly passed: number;
}

/**
 * What speaks against a candidate's tree: its task's verify, checks that passed before, artifacts that were there. Pure.
 * @param before the same on the tree that it began with
 */
export function judgeTree({ verify, hidden, definition }: Checks, seen: TriedOut, before: TriedOut): Verdict {
  const name = (check: CheckDefinition): string =>
    check === hidden ? "the hidden check" : `\`${excerpt(check.command, MAX_COMMAND)}\``;
  const failed = (tree: TriedOut, { id }: CheckDefinition): boolean => tree.ends.get(id)?.kind === "failed";
  const checks = definition?.checks ?? [];
  const gate = definition?.gate ?? "all";
  const [red, fresh] = [
    checks.filter((check) => failed(seen, check) && failed(before, check)),
    checks.filter((check) => failed(seen, check) && !failed(before, check)),
  ];
  // With any of them being enough the others say nothing; with none nothing does.
  const isEnough = gate === "none" || (gate === "any" && fresh.length + red.length < checks.length);
  const asked = [verify, hidden].filter((check) => check !== null);
  const against = [...asked.filter((check) => failed(seen, check)), ...(isEnough ? [] : fresh)];
  const counted = [...asked, ...(isEnough ? [] : checks)];
  // Nobody sees what is hidden, and its files are none of the tree's.
  const changed = counted.filter((check) => {
    const { id } = check;
    if (check === hidden) return false;
    const now = new Map((seen.ownFiles.get(id) ?? []).map((file) => [file.name, file.digest]));
    // What was not there yet is the work.
    return (before.ownFiles.get(id) ?? []).some((file) => now.get(file.name) !== file.digest);
  });
  const missing = seen.missing.filter((path) => !before.missing.includes(path));
  const passed = counted.filter(({ id }) => seen.ends.get(id)?.kind === "fine").length;
  const refused = counted.flatMap((check) => {
    const end = seen.ends.get(check.id);
    return end?.kind === "refused" ? [`${name(check)} was not run: ${end.said}`] : [];
  });
  const unjudged = passed + against.length > 0 || counted.length === 0 ? [] : refused;
  return {
    fails: [
      ...against.map((check) => `${name(check)} fails`),
      ...missing.map((path) => `${path} is gone`),
      ...unjudged,
    ],
    // Nor is it told by what it says.
    said: against.map((check) => {
      if (check === hidden)
        return "A check that you are not told of fails: look at all that the task asks for.";
      const end = seen.ends.get(check.id);
      return `$ ${check.command}\n${end === undefined || end.kind === "fine" ? "" : excerptOutput(end.said, { maxCharacters: MAX_SAID })}`;
    }),
    hollowed: changed.map((check) => `what ${name(check)} runs`),
    red: red.length,
    passed,
  };
}
