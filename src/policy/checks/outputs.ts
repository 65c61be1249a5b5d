import { posix } from "node:path";
import { matchesEnd } from "../glob.ts";

/** What is known of the files that a command would meet. All paths absolute, or relative to the project. */
export interface ProjectFiles {
  /** The absolute path of the project. */
  readonly project?: string;
  /** The text of a file; undefined where there is none, or none that is short enough. */
  readonly readScript?: (path: string) => string | undefined;
  /** The real path of what is there, links followed; undefined where there is nothing. */
  readonly resolve?: (path: string) => string | undefined;
  /** Names of the folders in a folder; none where there is no such folder. */
  readonly listFolders?: (path: string) => readonly string[];
}

/** Where tools put what can be made again. */
const OUTPUT_FOLDER =
  /^(?:coverage|htmlcov|\.nyc_output|\.coverage|(?:test-?|lint-?)?reports?|test-?(?:results?|outputs?)|results|artifacts|logs?|te?mp|\.te?mp|dist|build|out|output|target|obj|\.next|\.nuxt|\.output|\.turbo|\.svelte-kit|\.parcel-cache|\.cache|\.[\w-]+_cache|__pycache__|\.tox|\.nox|playwright-report|storybook-static|_build|DerivedData|\.build|\.gradle)$/iu;
/** The same, wherever it stands. */
const ONLY_OUTPUT = /^(?:_build|__pycache__|\.[\w-]+_cache)$/u;
/** Where people keep what cannot be made again. */
const SOURCES = /^(?:src|tests?|spec|lib|docs|fixtures|__\w+__|\.git|\.gaia)$/u;
const TEMP =
  /^(?:\/tmp|\/var\/tmp|\/private\/tmp|\/dev\/shm|\$\{?TMPDIR(?::-\/tmp)?\}?)\/(?!.*\.\.(?:\/|$)|\*$)./u;
const NOWHERE = /^(?:\/dev\/(?:null|stdout|stderr|tty|fd\/\d)|-|none|show|json|stdout)$/u;
/** Names of logs and reports. */
const REPORT =
  /^[\w.-]*(?:\.log|\.err|\.tap|\.sarif|\.lcov|\.trx|\.p?prof|\.stdout|\.stderr)$|^(?:[\w.-]*[-_.])?(?:tests?|lint|eslint|tsc|types?|check|build|jest|vitest|pytest|mypy|ruff|output|out|results?|report|coverage|junit|errors?)(?:[-_.][\w.-]*)?\.(?:txt|out|json|xml|html)$|^(?:cover|coverage|c|lcov)\.(?:out|info|xml|profile)$/u;

/** Names of files that nothing runs or takes for settings. */
const DATA = /\.(?:log|txt|out|err|xml|html|csv|tap|sarif|lcov|info|md|trx|prof)$/u;

/** A path below the project from there; others as they are. */
function inProject(path: string, { project }: ProjectFiles): string {
  if (project === undefined || project === "") return path;
  return path === project ? "." : path.startsWith(`${project}/`) ? path.slice(project.length + 1) : path;
}

/** True for a path in a folder for temporary files, outside of the project. */
export function isTemporary(path: string, files: ProjectFiles): boolean {
  return TEMP.test(inProject(path, files));
}

/** True for a folder that is no part of the project, or may have been filled a moment ago. */
export function isElsewhere(folder: string, files: ProjectFiles): boolean {
  const path = inProject(posix.normalize(folder), files);
  const isBeyond = path.startsWith("/") ? files.project !== undefined : /^\.\.(?:\/|$)/u.test(path);
  return isBeyond || TEMP.test(`${path}/.`);
}

/** True for a folder that holds nothing but what a build or a test makes, and for what lies in it. */
export function isOutputFolder(path: string, files: ProjectFiles): boolean {
  const inner = inProject(path, files);
  if (TEMP.test(inner)) return true;
  const parts = inner.replace(/^\.\//u, "").split("/");
  const isBelow = !inner.startsWith("/") && !inner.startsWith("~") && !parts.includes("..");
  // Below the sources and tests, such names stand for sources of that name.
  const sources = parts.findIndex((part) => SOURCES.test(part));
  const output = parts.findIndex((part) => OUTPUT_FOLDER.test(part));
  const isMade = parts.some((part) => ONLY_OUTPUT.test(part)) && !/^\.(?:git|gaia)\//u.test(inner);
  return isBelow && (isMade || (output !== -1 && (sources === -1 || output < sources)));
}

/**
 * True for a file that a shell may write a check's output to: one that goes nowhere or lies in a temporary folder; a log
 * or a report by its name, or data among outputs, that is new or ignored.
 * @param folders where the command may run
 */
export function isOutputFile(path: string, folders: readonly string[], files: ProjectFiles): boolean {
  const inner = inProject(path, files);
  if (NOWHERE.test(inner) || TEMP.test(inner)) return true;
  const name = inner.slice(inner.lastIndexOf("/") + 1);
  const isReport = REPORT.test(name) && !inner.split("/").some((part) => SOURCES.test(part));
  const fits = isReport || (DATA.test(name) && isOutputFolder(inner, files));
  return fits && isNew(inner, folders, files);
}

/** True for a program that a build may write: one with a plain name, that is new or ignored. */
export function isBuiltFile(path: string, folders: readonly string[], files: ProjectFiles): boolean {
  const isPlain = /^(?:\.\/)?(?:bin\/)?(?!(?:src|lib|tests?|docs|scripts)$)[\w-]+(?:\.exe|\.test)?$/u;
  return isPlain.test(path) && isNew(path, folders, files);
}

function isNew(path: string, folders: readonly string[], files: ProjectFiles): boolean {
  if (/^[/~]/u.test(path) || path.split("/").includes("..")) return false;
  return folders.every((folder) => {
    const real = files.resolve?.(folder === "" ? path : `${folder}/${path}`);
    // A link could lead to anything.
    const isThere = real?.endsWith(`/${path.replace(/^\.\//u, "")}`);
    return real === undefined || (isThere === true && isIgnored(path, folder, files));
  });
}

/** By the patterns of one .gitignore beside the command's folder; what takes a pattern back takes all back. */
function isIgnored(path: string, folder: string, { readScript }: ProjectFiles): boolean {
  const text = readScript?.(folder === "" ? ".gitignore" : `${folder}/.gitignore`) ?? "";
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const parts = path.replace(/^\.\//u, "").split("/");
  const starts = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
  const fits = (line: string): boolean => {
    const pattern = line.replace(/^!?\/?/u, "").replace(/\/(?:\*\*?)?$/u, "");
    return starts.some((start) => matchesEnd(pattern, start));
  };
  return lines.some((line) => fits(line)) && !lines.some((line) => line.startsWith("!") && fits(line));
}
