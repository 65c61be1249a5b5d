import { pathExpression } from "./glob.ts";

/** The user's folders of a kind, wherever a home lies. */
const HOMES = "{.config,.local/{share,state},.cache}";
/** Of the plugin's own, the worktrees alone: what lies beside them decides what git and a landing do. */
const OWN_WORKTREE = String.raw`worktree/*/{lanes/,units/,tried-\d+{/,$}}`;
const IS_OWN_WORKTREE = pathExpression(`/${OWN_WORKTREE}**`);

/**
 * What decides what GAIA's agents may do, or is run by OpenCode or git without being asked for: only a person changes it.
 * Folders that hold such files stand here as well, because moving them away is as good as a change.
 */
const PROTECTED = pathExpression(`
  .gaia{,/config{,.*},/{findings,learnings}.md,/{agents,knowledge,.local}/**}
  .gaia/{,archive/}*/{evidence.json,memory.md}
  opencode.json*
  {.opencode,.agency}/**
  tui.json{,c}
  agency.json
  .git{,/**/hooks/**,/**/config{,.worktree}{,.lock}}
  .jj/repo/config.toml
  ${HOMES}/opencode{,/(?!worktree/)**}
  ${HOMES}/opencode-gaia{,/(?!${OWN_WORKTREE})**}`);
/** No path may hold any of the names above without one of these, foreign spellings of their letters included. */
const HINT = /gaia|opencode|tui\.json|agency|git|\.jj|[^ -~]/iu;
/** What a manager of hooks has git run once someone sets it up, so that a person is asked before it changes. */
const HOOKS = pathExpression(`
  {.husky,{,.}git{,-}hooks,.lefthook{,-local}}/**
  {,.}lefthook{,-local}.{yml,yaml,json,toml}
  .pre-commit-config.{yml,yaml}
  .overcommit.yml
  {,.}simple-git-hooks.{,c}js{,on}
  .huskyrc*`);
const HOOK_HINT = /husky|hook|pre-commit|overcommit|[^ -~]/iu;
/** No file system takes a longer path. */
const MAX_LENGTH = 8192;
/** Characters that file systems of macOS leave out when they compare names. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

/** A path as the least strict file system reads it: no case, no streams (`::$DATA`), no dots or blanks at the end. */
function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  const plain = path.normalize("NFKC").replaceAll(IGNORED, "").replaceAll("\\", "/").toLowerCase();
  for (const segment of plain.split("/")) {
    if (segment === "..") segments.pop();
    else if (/^[a-z]:$/u.test(segment)) segments.push(segment);
    else if (segment !== "" && segment !== ".")
      segments.push(segment.replace(/:.*$/u, "").replace(/[. ]+$/u, ""));
  }
  return segments;
}

/**
 * True for a file or folder that only a person changes (SPEC 9), by its path alone; the caller follows links.
 * @param folders absolute paths of further such folders, the user's own
 */
export function isProtectedPath(path: string, folders: readonly string[] = []): boolean {
  if (path.length > MAX_LENGTH || (folders.length === 0 && !HINT.test(path))) return false;
  const plain = `/${segmentsOf(path).join("/")}`;
  if (PROTECTED.test(plain)) return true;
  return rootsOf(folders).some(
    (root) => `${plain}/`.startsWith(`${root}/`) && !isWorktree(root, plain.slice(root.length + 1)),
  );
}

function isWorktree(root: string, inside: string): boolean {
  return root.endsWith("/opencode-gaia")
    ? IS_OWN_WORKTREE.test(`/${inside}`)
    : inside.startsWith("worktree/");
}

const roots = new WeakMap<readonly string[], readonly string[]>();

function rootsOf(folders: readonly string[]): readonly string[] {
  const known = roots.get(folders);
  if (known !== undefined) return known;
  const found = folders.map((folder) => `/${segmentsOf(folder).join("/")}`).filter((root) => root !== "/");
  roots.set(folders, found);
  return found;
}

export function isHookPath(path: string): boolean {
  return path.length <= MAX_LENGTH && HOOK_HINT.test(path) && HOOKS.test(`/${segmentsOf(path).join("/")}`);
}
