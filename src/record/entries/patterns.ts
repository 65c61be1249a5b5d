import { access } from "node:fs/promises";
import { join } from "node:path";
import { createError } from "../../lib/error.ts";
import { titleOf } from "./entry.ts";
import type { JudgedEntry } from "./judge.ts";

/** A bullet that begins with a file: a link, a name in backticks, or a name with a dot or a slash and no spaces. */
const ITEM = /^- (?:\[[^\]]*\]\(([^)]+)\)|`([^`]+)`|([^`\s]*[./][^`\s]*?)(?=[:,]*(?:\s|$)))/;
const IS_GLOB = /[*?{]/;

/** Files that show how something is done in this project, as a person chose them. */
interface FoundPattern {
  readonly files: readonly string[];
  /** What else the entry says, what is said of a file with its line. */
  readonly hint: string;
  /** Of the files, those that are gone. */
  readonly missing: readonly string[];
}

type Pattern = Pick<JudgedEntry, "id" | "slug" | "kind" | "body">;

/**
 * Finds an entry of the kind `pattern` by its first line or its id.
 * @param entries those that a person accepted
 * @throws GaiaError with the patterns that there are, when this is none of them
 */
export async function findPattern(
  entries: readonly Pattern[],
  directory: string,
  type: string,
): Promise<FoundPattern> {
  const patterns = entries.filter(({ kind }) => kind === "pattern");
  const wanted = type.trim().toLowerCase();
  const found = patterns.find((each) =>
    [titleOf(each), each.id, each.slug].some((name) => name.toLowerCase() === wanted),
  );
  if (found === undefined) {
    const hint = `There are: ${patterns.map(titleOf).join(", ") || "none"}.`;
    throw createError("workspace", `There is no pattern "${type}".`, { hint });
  }
  const isGone = async (path: string): Promise<boolean> =>
    // Behind the name may stand a line; of a glob nothing is known.
    access(join(directory, IS_GLOB.test(path) ? "." : path.replace(/[:#][^/]*$/, "")))
      .then(() => false)
      .catch(() => true);
  const [, ...lines] = linesOf(found.body.trimStart());
  const files = lines.flatMap(({ path }) => path ?? []);
  const gone = await Promise.all(files.map(isGone));
  const said = lines.filter(({ path, rest }) => path === null || /\w/.test(rest)).map(({ line }) => line);
  return { files, hint: said.join("\n").trim(), missing: files.filter((_path, at) => gone[at]) };
}

function linesOf(body: string) {
  return body.split("\n").map((line) => {
    const [item = "", linked, quoted, bare] = ITEM.exec(line) ?? [];
    return { line, path: linked ?? quoted ?? bare ?? null, rest: line.slice(item.length) };
  });
}
