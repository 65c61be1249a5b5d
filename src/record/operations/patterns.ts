import { access } from "node:fs/promises";
import { join } from "node:path";
import { parseMarkdown, textIn } from "../../lib/markdown.ts";
import { failure, type OperationContext } from "./context.ts";

const FILE = "patterns.md";
/** A bullet that begins with a file: a link, a name in backticks, or a name with a dot or a slash and no spaces. */
const ITEM = /^- (?:\[[^\]]*\]\(([^)]+)\)|`([^`]+)`|([^`\s]*[./][^`\s]*?)(?=[:,]*(?:\s|$)))/;
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
  { files, directory }: OperationContext,
  { type }: { readonly type: string },
): Promise<FoundPattern> {
  const document = parseMarkdown((await files.read(FILE)) ?? "");
  const sections = document.sections.filter(({ level }) => level === 2);
  const section = sections.find(({ title }) => title.toLowerCase() === type.trim().toLowerCase());
  if (section === undefined) {
    const hint = `There are: ${sections.map(({ title }) => title).join(", ") || "none"}.`;
    throw failure(`.gaia/${FILE} has no pattern "${type}".`, hint);
  }
  const lines = textIn(document, section).split("\n");
  const found = lines.map((line) => {
    const [item = "", linked, quoted, bare] = ITEM.exec(line) ?? [];
    return { line, path: linked ?? quoted ?? bare ?? null, rest: line.slice(item.length) };
  });
  const named = found.flatMap(({ path }) => path ?? []);
  const isGone = async (path: string): Promise<boolean> =>
    // Behind the name may stand a line; of a glob nothing is known.
    access(join(directory, IS_GLOB.test(path) ? "." : path.replace(/[:#][^/]*$/, "")))
      .then(() => false)
      .catch(() => true);
  const gone = await Promise.all(named.map(isGone));
  const said = found.filter(({ path, rest }) => path === null || /\w/.test(rest)).map(({ line }) => line);
  return { files: named, hint: said.join("\n").trim(), missing: named.filter((_path, at) => gone[at]) };
}
