import { access } from "node:fs/promises";
import { join } from "node:path";
import { failure, type OperationContext } from "./context.ts";

const FILE = "patterns.md";
/** An item of a list that begins with a file: a link, a name in backticks, or a name with a dot or a slash and no spaces. */
const ITEM = /^\s*[-*+]\s+(?:\[[^\]]*\]\(<?([^)>]+)>?\)|`([^`]+)`|([^`\s]*[./][^`\s]*?)[:,]*(?:\s|$))/;

/** A line, or a link to one, behind the name of a file. */
const PLACE = /(?::\d+(?:-\d+)?)+$|#L\d+(?:-L?\d+)?$/;
const IS_GLOB = /[*?{]/;

/** Files that show how something is done in this project, as a person chose them. */
export interface FoundPattern {
  readonly files: readonly string[];
  /** What else the section says, what is said of a file with its line. */
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
  const found = section
    .split("\n")
    .slice(1)
    .map((line) => {
      const [item = "", linked, quoted, bare] = ITEM.exec(line) ?? [];
      const path = linked ?? quoted ?? bare ?? null;
      return { line, path, isSaid: path === null || /\w/.test(line.slice(item.length)) };
    });
  const named = found.flatMap(({ path }) => path ?? []);
  const isGone = await Promise.all(
    named.map(async (path) =>
      access(join(directory, IS_GLOB.test(path) ? "." : path.replace(PLACE, "")))
        .then(() => false)
        .catch(() => true),
    ),
  );
  return {
    files: named,
    hint: found
      .filter(({ isSaid }) => isSaid)
      .map(({ line }) => line)
      .join("\n")
      .trim(),
    missing: named.filter((_path, at) => isGone[at]),
  };
}
