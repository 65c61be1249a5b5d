import { stat } from "node:fs/promises";
import { dirname, relative } from "node:path";
import type { FilePlace } from "../../host/tool.ts";
import type { Clock } from "../../lib/async.ts";
import { isRefusal, type Refusal } from "../../lib/error.ts";
import { excerpt } from "../../lib/text.ts";
import { realPathOf } from "../../policy/real-path.ts";
import type { CodeError } from "./diagnostics.ts";
import { endingOf, entryFor } from "./known-servers.ts";
import type { Servers } from "./servers.ts";
import { listFiles } from "./source-files.ts";

/** How long one question may take, in milliseconds. */
export const ANSWER_MS = 60_000;
/** Files that are looked at because they use the one in question. */
export const MAX_USERS = 25;
/** Lines of an answer; how many more there are is said. */
const MAX_LINES = 60;
const MAX_MESSAGE = 300;
/** Files of a folder that are asked about, so many at once, and how long new ones are begun, in milliseconds. */
const MAX_FILES = 500;
const MAX_AT_ONCE = 40;
const FOLDER_MS = 80_000;

/** The errors of a file and of the files that use it, or of everything below a folder. */
export async function answerErrors(
  servers: Servers,
  file: string,
  place: FilePlace,
  clock: Clock,
): Promise<string | Refusal> {
  const located = servers.locate(file, place);
  if (isRefusal(located)) return located;
  const isFolder = (await stat(located.path).catch(() => null))?.isDirectory() === true;
  if (isFolder) return answerBelow(servers, located.path, place, clock);
  return servers.about<string>(file, place, async (server, { path }) => {
    const open = await server.open([path, ...(await server.files.usersOf([path], MAX_USERS))]);
    return renderErrors(await server.errorsOf(open, ANSWER_MS), place) || "No errors.";
  });
}

async function answerBelow(
  servers: Servers,
  folder: string,
  place: FilePlace,
  clock: Clock,
): Promise<string> {
  const until = clock.now() + FOLDER_MS;
  const entries = await servers.entries();
  const files = [...(await listFiles(folder, (name) => entryFor(name, entries) !== undefined)).keys()];
  /** Files of one language side by side have one server. */
  const groups = new Map<string, string[]>();
  for (const path of files.slice(0, MAX_FILES)) {
    const key = `${endingOf(path)} ${dirname(path)}`;
    groups.set(key, [...(groups.get(key) ?? []), path]);
  }
  const errors: CodeError[] = [];
  const untold = new Set<string>();
  let asked = 0;
  for (const paths of groups.values()) {
    const [first = ""] = paths;
    const subject = await servers.find(first, { ...place, standsFor: null });
    if (isRefusal(subject)) {
      // Settings are in every project, and few have a server for them.
      if ((entryFor(first, entries)?.roots.length ?? 0) > 0) untold.add(subject.reason);
      else asked += paths.length;
      continue;
    }
    for (let at = 0; at < paths.length && clock.now() < until; at += MAX_AT_ONCE)
      await servers.ask(subject.found, async (server) => {
        if (at === 0) await server.follow();
        const some = paths.slice(at, at + MAX_AT_ONCE);
        errors.push(...(await server.errorsOf(await server.open(some), ANSWER_MS)));
        asked += some.length;
      });
  }
  const left = files.length - asked;
  return [
    renderErrors(errors, place) || `No errors in ${asked} files.`,
    ...untold,
    ...(left > 0 ? [`${left} of ${files.length} files were not looked at; name a folder further down.`] : []),
  ].join("\n");
}

function renderErrors(errors: readonly CodeError[], place: FilePlace): string {
  const project = realPathOf(place.project);
  const left = errors.length - MAX_LINES;
  const lines = errors.slice(0, MAX_LINES).map((each) => renderError(each, project));
  return [...lines, ...(left > 0 ? [`… and ${left} more.`] : [])].join("\n");
}

/** From 1, of a file named as in the project. @param project real path */
export function renderError({ path, start, code, message }: CodeError, project: string): string {
  const kind = code === "" ? "" : `${code}: `;
  const name = relative(project, path).replaceAll("\\", "/");
  return `${name}:${start.line + 1}:${start.character + 1}: ${kind}${excerpt(message, MAX_MESSAGE)}`;
}
