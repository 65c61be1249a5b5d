import { visible } from "../../lib/text.ts";
import { shellWord } from "../../lib/quoting.ts";

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

interface Address {
  readonly host: string;
  /** `owner/name`, with groups before it where there are some. */
  readonly path: string;
}

const ADDRESS =
  /^(?:[a-z][a-z\d+.-]*:\/\/(?:[^/@]*@)?([\w.-]+)(?::\d+)?\/|(?:[^/@\s:]+@)?([\w.-]{2,}):(?!\/\/))\/*(.+)$/i;

/** Where a remote's address leads; null for a folder, and for what is not read. */
export function readAddress(url: string): Address | null {
  const [, named, short = "", rest = ""] = ADDRESS.exec(url) ?? [];
  const path = rest.replace(/(?:\.git)?\/*$/, "");
  const host = (named ?? short).toLowerCase();
  return /^[\w.~-]+(?:\/[\w.~-]+)+$/.test(path) ? { host, path } : null;
}

/** An address as people may see it: without what logs in, and without characters that are not seen. */
export function showAddress(url: string): string {
  const address = readAddress(url);
  const shown = url.replace(/:\/\/(?:[^/]*@)?([^?#]*).*$/s, "://$1");
  // A password may hold a slash, and be written where none belongs.
  const bare = shown.replace(/:\/\/.*@/s, "://").replace(/^[^/@]*:[^/@]*@/, "");
  return visible(address === null ? bare : `${address.host}/${address.path}`);
}

/** How a pull request can be opened: by the plugin, when the user agrees, or only by the user. */
export type Way =
  | Open
  | { readonly kind: "by-hand"; readonly why: string; readonly commands: readonly string[] };

export interface Open {
  readonly kind: "open";
  readonly program: string;
  readonly branch: string;
  /** What is pushed: exactly this, whatever comes after it. */
  readonly commit: string;
  readonly remote: string;
  /** The project that the request is made in; null where only the forge's program knows it. */
  readonly base: Address | null;
  /** The project whose branch it is, `owner/name`, where that is another one than `base`; empty for the same. */
  readonly fork: string;
  readonly where: string;
  readonly commands: readonly string[];
}

export interface WayFacts {
  readonly place: RemotePlace | null;
  /** Of the branch alone; null where it cannot be told. */
  readonly commits: number | null;
  readonly unit: string;
  readonly title: string;
  readonly bodyFile: string;
  readonly isDraft: boolean;
  /** The path of gh; null where it is not installed. */
  readonly program: string | null;
}

/** Names of branches that nobody works on by custom, where no remote has said which it is. */
const CUSTOMARY = ["main", "master", "trunk", "develop"];

/** Pure. */
export function decideWay(facts: WayFacts): Way {
  const { place, unit, program } = facts;
  const byHand = (why: string, ...commands: string[]): Way => ({ kind: "by-hand", why, commands });
  if (place === null) return byHand("only git is pushed from here");
  const { branch, commit, remotes, pushTo } = place;
  const fresh = [`git switch -c ${quote(`gaia/${unit}`)}`, "/gaia-pr"];
  if (commit === "") return byHand("there is no commit yet");
  if (branch === "") return byHand("HEAD is on no branch", ...fresh);
  const heads = remotes.map(({ head }) => head).filter(Boolean);
  if ((heads.length === 0 ? CUSTOMARY : [...heads, "main", "master"]).includes(branch))
    return byHand(`others begin at ${visible(branch)}, which is never pushed`, ...fresh);
  if (facts.commits === 0) return byHand("the branch holds no commit of its own");
  const named = (name: string): Remote | undefined => remotes.find((each) => each.name === name);
  // What git is told, else the only one, else `origin`.
  const isTold = pushTo !== "" && pushTo !== ".";
  const remote = isTold ? named(pushTo) : remotes.length === 1 ? remotes[0] : named("origin");
  const target = remote && (parentOf(remote, remotes) ?? remote);
  const base = readAddress(target?.url ?? "");
  const from = remote === undefined ? null : pushedTo(remote, base);
  const isFork = from !== null && base !== null && from.path !== base.path;
  const fork = isFork ? from.path : "";
  const pushing = `git push -- ${quote(remote?.name ?? "origin")} ${quote(`refs/heads/${branch}`)}`;
  const commands = [pushing, ["gh", ...creating({ branch, base, fork }, facts, quote)].join(" ")];
  if (remotes.length === 0) return byHand("there is no remote", "git remote add origin <url>", ...commands);
  if (remote === undefined)
    return byHand("nothing says to which remote it goes", "git config remote.pushDefault <name>");
  const places = [...new Set(remote.push.map(showAddress))].join(" and ");
  const where = isFork ? `${places}, for ${showAddress(target?.url ?? "")}` : places;
  if (program === null) return byHand("gh is not installed", ...commands);
  return { kind: "open", program, branch, commit, remote: remote.name, base, fork, where, commands };
}

/** Where a remote's pushes go: to the project itself, where it is one of several places. */
function pushedTo({ push, url }: Remote, base: Address | null): Address | null {
  const places = (push.length === 0 ? [url] : push).flatMap((each) => readAddress(each) ?? []);
  return places.find(({ path }) => path === base?.path) ?? places[0] ?? null;
}

/**
 * The remote of the project that another is a fork of: `upstream`, else `origin` where both have the same name on one host, for a
 * fork may be the one that was added.
 */
function parentOf(remote: Remote, remotes: readonly Remote[]): Remote | undefined {
  const nameOf = ({ path }: Address): string => path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const from = readAddress(remote.url);
  return ["upstream", "origin"].flatMap((name) => {
    const found = remotes.find((each) => each.name === name);
    const into = readAddress(found?.url ?? "");
    const isParent =
      from !== null &&
      into !== null &&
      from.host === into.host &&
      (name === "upstream" || nameOf(from) === nameOf(into));
    return isParent ? (found ?? []) : [];
  })[0];
}

/** The project as the program takes it; only of a full name of a host: others are the user's own, of ssh. */
export function projectOf({ base }: Pick<Open, "base">): string[] {
  return base?.host.includes(".") === true ? [`--repo=${base.host}/${base.path}`] : [];
}

/** The arguments that open a request. @param word how each text is written */
export function creating(
  open: Pick<Open, "branch" | "base" | "fork">,
  { title, bodyFile, isDraft }: Pick<WayFacts, "title" | "bodyFile" | "isDraft">,
  word = (text: string): string => text,
): string[] {
  const head = open.fork === "" ? open.branch : `${repositoryOwner(open.fork)}:${open.branch}`;
  const draft = isDraft ? ["--draft"] : [];
  const texts = [`--title=${word(title)}`, `--head=${word(head)}`, `--body-file=${word(bodyFile)}`];
  return ["pr", "create", ...draft, ...projectOf(open), ...texts];
}

export function repositoryOwner(path: string): string {
  return path.split("/")[0] ?? "";
}

export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : shellWord(word);
}
