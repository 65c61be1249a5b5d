import { askGit, type GitPlace } from "../../process/git.ts";

export interface Remote {
  readonly name: string;
  readonly url: string;
  readonly push: readonly string[];
  /** The branch that others begin at, as far as it is known here; empty where nobody has fetched it. */
  readonly head: string;
}

/** Where a working tree stands, by what is known here: no remote is asked. */
export interface RemotePlace {
  readonly branch: string;
  readonly commit: string;
  readonly remotes: readonly Remote[];
  /** Where git would push the branch to; empty where nobody has said so. */
  readonly pushTo: string;
}

const MAX_BYTES = 500_000;
const HEADS = "refs/heads/";

/** Never throws. */
export async function readPlace(git: GitPlace): Promise<RemotePlace> {
  const ask = async (...args: string[]): Promise<string> => {
    const { ok, text } = await askGit(git, args, { maxBytes: MAX_BYTES });
    return ok ? text.trim() : "";
  };
  const [ref, commit, list] = await Promise.all([
    ask("symbolic-ref", "--quiet", "HEAD"),
    ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}"),
    ask("remote", "-v"),
  ]);
  const rows = [...list.matchAll(/^(.+?)\t(.*) \((fetch|push)\)/gm)];
  const names = [...new Set(rows.map(([, name = ""]) => name))];
  const headOf = (name: string): string => `refs/remotes/${name}/HEAD`;
  const format = "--format=%(refname)%09%(symref)%09%(push:remotename)";
  const known = ref === "" ? "" : await ask("for-each-ref", format, "--", ref, ...names.map(headOf));
  const refs = new Map(known.split("\n").map((row) => [row.split("\t")[0], row.split("\t")]));
  return {
    branch: ref.startsWith(HEADS) ? ref.slice(HEADS.length) : "",
    commit,
    pushTo: refs.get(ref)?.[2] ?? "",
    remotes: names.map((name) => {
      const urls = (kind: string): string[] =>
        rows.flatMap(([, of, url = "", which]) => (of === name && which === kind ? [url] : []));
      return {
        name,
        url: urls("fetch")[0] ?? "",
        push: urls("push"),
        head: refs.get(headOf(name))?.[1]?.slice(headOf(name).length - 4) ?? "",
      };
    }),
  };
}
