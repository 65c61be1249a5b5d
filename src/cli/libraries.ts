import { isRecord, parseJson, recordOf } from "../lib/json.ts";

/** Of a project whose tools are this plugin and types nothing can be looked up. */
const NO_LIBRARY = /^(?:opencode-gaia|opencode-ai|@types\/.*|@opencode-ai\/.*)$/;
const NODE_LISTS = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/** Whether a file names a library, by the file's name. */
const NAMES_ONE: Readonly<Record<string, (text: string) => boolean>> = {
  "requirements.txt": (text) => /^\s*[A-Za-z0-9]/m.test(text),
  "pyproject.toml": (text) =>
    inTables(text, /^project$/, /^\s*dependencies\s*=\s*\[\s*["']/m) ||
    inTables(text, /^(?:dependency-groups|project\.optional-dependencies)$/, /["']/) ||
    inTables(text, /^tool\.poetry\.(?:.+\.)?dependencies$/, /^\s*(?!python\s*=)\S+\s*=/m),
  "Cargo.toml": (text) =>
    inTables(text, /^workspace$/, /./) ||
    inTables(text, /(?:^|[.-])dependencies$/, /=/) ||
    inTables(text, /(?:^|[.-])dependencies\./, /./),
  "go.mod": (text) => /^require\b/m.test(text),
  Gemfile: (text) => /^\s*gem\b/m.test(text),
  "pom.xml": (text) => text.includes("<dependency>"),
};

/** Whether one of these tables of a TOML file holds this, comments apart. */
function inTables(text: string, table: RegExp, wanted: RegExp): boolean {
  const plain = text.replaceAll(/(?:^|\s)#.*$/gm, "");
  return plain.split(/^\s*\[(?=[\w."' -]+\]\s*$)/m).some((each) => {
    const end = each.indexOf("]");
    return table.test(each.slice(0, end).trim()) && wanted.test(each.slice(end + 1).trim());
  });
}

/** The files that may name the libraries of a project. */
export const LIBRARY_FILES: readonly string[] = ["package.json", ...Object.keys(NAMES_ONE)];

/** Whether such a file names any library whose documentation someone may need; one that has members may do so there. Pure. */
export function namesLibraries(file: string, text: string): boolean {
  if (file !== "package.json") return NAMES_ONE[file]?.(text) === true;
  const manifest = recordOf(parseJson(text));
  if (manifest["workspaces"] !== undefined) return true;
  return NODE_LISTS.some((list) => {
    const names = isRecord(manifest[list]) ? Object.keys(manifest[list]) : [];
    return names.some((name) => !NO_LIBRARY.test(name));
  });
}
