/** Prose by its name. What `.txt` holds is anyone's guess: requirements, build files, fixtures. */
const PROSE =
  /\.(?:md|markdown|rst|adoc|asciidoc)$|(?:^|\/)(?:licen[cs]e|authors|contributors|notice|copying)$/i;
/** Pictures and texts count where a project keeps its documentation. */
const IN_DOCS = /^(?:.*\/)?docs?\/.*\.(?:txt|png|jpe?g|gif|svg|webp|pdf)$/i;

/** Whether a change is documentation and nothing else, and so is proven by the checks of scope doc (SPEC 12). */
export function isDocumentationOnly(paths: readonly string[]): boolean {
  return paths.length > 0 && paths.every((path) => PROSE.test(path) || IN_DOCS.test(path));
}
