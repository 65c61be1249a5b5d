import type { ParsedLine } from "./simple-commands.ts";

/** Folders that tools make anew: what lies in one is no loss. */
const REGENERABLE = new Set(
  "node_modules bower_components dist build out target obj coverage .next .nuxt .svelte-kit .turbo .parcel-cache .vite .cache .gradle __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .venv venv tmp temp .tmp".split(
    " ",
  ),
);

/** Whether a path is, or lies in, what tools make anew. @param path with `/` between its parts */
export function isRegenerable(path: string): boolean {
  return path.split("/").some((name) => REGENERABLE.has(name));
}

/**
 * What a line plainly deletes, by its parse: files named to `rm`, and whatever git ignores, with the command that does. A program,
 * a script or a variable may delete as much, which the sandbox bounds.
 */
export function plainDeletions({ commands }: ParsedLine) {
  const paths: string[] = [];
  let allIgnored: string | null = null;
  for (const { words, text } of commands) {
    const [name, ...args] = words.map((word) => word.text);
    if (name === "rm" || name === "unlink" || name === "shred")
      paths.push(...args.filter((arg) => arg !== "" && !arg.startsWith("-")));
    if (name === "git" && args.includes("clean") && args.some((arg) => /^-[a-z]*x/iu.test(arg)))
      allIgnored = text;
  }
  return { paths, allIgnored };
}
