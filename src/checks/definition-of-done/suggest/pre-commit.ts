import type { CheckSuggestion, ProjectFolder } from "./suggestion.ts";

const FILE = ".pre-commit-config.yaml";
/** Hooks that change the files which they do not like. */
const FIXES =
  /fix|format|fmt|black|isort|prettier|pretty|whitespace|autopep8|autoflake|pyupgrade|yapf|line-ending|sort|rewrite|--write|-w\b|--in-place/i;

/** All hooks of pre-commit that only look, over all files. */
export function suggestPreCommit(folder: ProjectFolder): CheckSuggestion[] {
  const [, ...hooks] = (folder.texts[FILE] ?? "").split(/^\s*-\s+id:/m);
  const all = hooks.map((hook) => ({
    id: /^\s*["']?([\w.-]+)/.exec(hook)?.[1] ?? "",
    text: hook.split(/^\s*-\s+repo:/m)[0] ?? "",
  }));
  const skipped = all.filter(({ text }) => FIXES.test(text)).map(({ id }) => id);
  if (skipped.length === all.length || (skipped.length > 0 && process.platform === "win32")) return [];
  const prefix = skipped.length === 0 ? "" : `SKIP=${[...new Set(skipped)].join(",")} `;
  return [{ id: "pre-commit", command: `${prefix}pre-commit run --all-files`, kind: "lint", source: FILE }];
}
