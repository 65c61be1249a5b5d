import { access } from "node:fs/promises";
import { join } from "node:path";
import { failure, type OperationContext } from "./context.ts";

const FILE = "patterns.md";
/** An item of a list that begins with a file: a link, a name in backticks, or a name with a dot or a slash and no spaces. */
const ITEM = /^\s*[-*+]\s+(?:\[[^\]]*\]\(<?([^)>]+)>?\)|`([^`]+)`|([^`\s]*[./][^`\s]*?)[:,]*(?:\s|$))/;

/** Files that show how something is done in this project, as a person chose them. */
export interface FoundPattern {
  readonly files: readonly string[];
  readonly hint: string;
  /** Of the files, those that are gone. */
  readonly missing: readonly string[];
}

/**
 * Reads a section of `.gaia/patterns.md`: `## type`, a list of files, and words.
 * @throws GaiaError with the types that there are, when this is none of them
 */
export async function findPattern(
  { files }: OperationContext,
  { directory, type }: { readonly directory: string; readonly type: string },
): Promise<FoundPattern> {
  const [, ...sections] = `\n${(await files.read(FILE)) ?? ""}`.split(/\n##[ \t]+/);
  const titleOf = (section: string): string => section.split("\n", 1)[0]?.trim() ?? "";
  const section = sections.find((each) => titleOf(each).toLowerCase() === type.trim().toLowerCase());
  if (section === undefined) {
    const hint = `There are: ${sections.map(titleOf).join(", ") || "none"}.`;
    throw failure(`.gaia/${FILE} has no pattern "${type}".`, hint);
  }
  const lines = section.split("\n").slice(1);
  const found = lines.map((line) => {
    const [, linked, quoted, bare] = ITEM.exec(line) ?? [];
    return linked ?? quoted ?? bare ?? null;
  });
  const named = found.filter((path) => path !== null);
  const isGone = await Promise.all(
    named.map(async (path) =>
      access(join(directory, path))
        .then(() => false)
        .catch(() => true),
    ),
  );
  return {
    files: named,
    hint: lines
      .filter((_line, at) => found[at] === null)
      .join("\n")
      .trim(),
    missing: named.filter((_path, at) => isGone[at]),
  };
}
