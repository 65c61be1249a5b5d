import { readdir, realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve } from "node:path";
import { parseJson, recordOf } from "../../lib/json.ts";
import { nextNames, versionIn } from "../documents/version-name.ts";
import { LOCAL_FOLDER } from "../store/gaia-files.ts";
import { failure, type OperationContext } from "./context.ts";

const RESERVED = `${LOCAL_FOLDER}/versions.json`;
/** So long a version waits for its file, in milliseconds. */
const KEPT_MS = 7 * 86_400_000;

/** Where a version is wanted. */
export interface VersionRequest {
  /** The project. */
  readonly directory: string;
  readonly now: number;
  /** A folder of it. */
  readonly dir: string;
  readonly title?: string | undefined;
}

/**
 * Reserves the next version of a folder's migrations, in its own convention: nobody else is given it before its file is there,
 * or a week has passed.
 * @throws GaiaError when the folder is not one of the project's, or no name in it begins with a version
 */
export async function nextVersion(
  { files }: OperationContext,
  { directory, now, dir, title = "" }: VersionRequest,
): Promise<{ version: string; names: readonly string[] }> {
  const wanted = [realpath(directory), realpath(resolve(directory, dir)).catch(() => "/")];
  const [root = "", folder = ""] = await Promise.all(wanted);
  const inside = relative(root, folder).replaceAll("\\", "/");
  if (/^\.\.(?:\/|$)/.test(inside) || isAbsolute(inside))
    throw failure(`${dir} is no folder of the project.`, "Name one that holds migrations.");
  const words = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "_")
    .replaceAll(/^_|_$/g, "");
  return files.exclusive(async (writer) =>
    writer.change(
      RESERVED,
      async (text) => {
        const all = recordOf(parseJson(text ?? ""));
        const names = (await readdir(folder).catch((): string[] => [])).toSorted();
        const there = new Set(names.map(versionIn));
        const waiting = Object.entries(recordOf(all[inside])).filter(
          ([version, at]) => !there.has(version) && now - Number(at) < KEPT_MS,
        );
        const next = nextNames(
          names,
          waiting.map(([version]) => version),
          words || "name",
          now,
        );
        if (next === null)
          throw failure(
            `No name in ${dir} begins with a version.`,
            "Name the first one as the project's tool does.",
          );
        const kept = { ...Object.fromEntries(waiting), [next.version]: now };
        return { text: `${JSON.stringify({ ...all, [inside]: kept })}\n`, result: next };
      },
      "replaceable",
    ),
  );
}
