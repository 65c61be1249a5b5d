import type { Repository } from "../command.ts";
import { runVcs } from "../command.ts";
import { runGit } from "../git-command.ts";
import {
  findRepository,
  findSubmodules,
  knownCommits,
  lookAtFetches,
  lookAtOperations,
  lookAtRefs,
  STASH,
  type RepositoryFolders,
} from "./look.ts";

/**
 * What a call says of itself: it puts something into the history, moves HEAD, branches or tags among commits that are there,
 * fetches those of others as well, or does none of it.
 */
export type SaidOfHistory = "records" | "moves" | "fetches" | "nothing";

/** HEAD, a branch or a tag that is elsewhere than before, or a stash that is gone; empty where there is none. */
export interface Move {
  readonly ref: string;
  readonly from: string;
  readonly to: string;
}

/** A call under watch. */
export interface Watching {
  readonly said: SaidOfHistory;
  readonly since: number;
  readonly looks: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly operations: string;
  readonly fetched: string;
  readonly known: readonly string[];
}

/** What moved while a call ran. */
export interface Moved {
  readonly all: readonly Move[];
  /** Of that, what neither this call nor another one beside it said. */
  readonly hidden: readonly Move[];
}

/** Looks at where the history is before and after calls (SPEC 9), for all conversations of one folder. */
export interface RefWatch {
  begin(said: SaidOfHistory): Watching;
  /** Never throws. */
  end(watching: Watching): Promise<Moved>;
  /** The call did not run. */
  drop(watching: Watching): void;
}

/** Moves by calls that said so, which explain what others saw meanwhile. */
const MAX_EXPLAINED = 200;
const MAX_ASKED = 20;
const MAX_BYTES = 100_000;
const ID = /^[0-9a-f]{40,64}$/u;
/** What jj does by itself, in the words of its operation log. */
const BY_ITSELF = /^(?:snapshot working copy|import git (?:refs|head)|export git refs)/u;
const OPERATIONS = [
  "jj",
  "--ignore-working-copy",
  "--no-pager",
  "--color=never",
  "op",
  "log",
  "--no-graph",
  "--limit=50",
  `--template=id ++ "\\t" ++ description.first_line() ++ "\\n"`,
] as const;

/** @param worktree the folder that holds the repository */
export function createRefWatch(worktree: string, at: Repository): RefWatch {
  let count = 0;
  let explained: { readonly seq: number; readonly move: Move }[] = [];
  const open = new Set<Watching>();

  const lookAll = (repository: RepositoryFolders): Map<string, Map<string, string>> => {
    const folders = [repository, ...findSubmodules(repository)];
    return new Map(folders.map((each) => [each.own, lookAtRefs(each)]));
  };

  /** Of what moved, what is at a commit that was in none of the branches and tags before. */
  const newOnes = async (moves: readonly Move[], watching: Watching): Promise<Move[]> => {
    const [refs] = watching.looks.values();
    const before = [...new Set([...watching.known, ...(refs?.values() ?? [])])].filter((id) => ID.test(id));
    const found: Move[] = [];
    for (const move of moves.slice(0, MAX_ASKED)) {
      if (move.ref.startsWith("submodule ") || !ID.test(move.to)) continue;
      if (watching.said === "fetches" && move.ref.startsWith("refs/tags/")) continue;
      const args = ["rev-list", "--max-count=1", "--ignore-missing", move.to, "--not", ...before];
      const { ok, text } = await runGit(at, [...args, "--remotes", "--glob=refs/stash"], MAX_BYTES);
      if (!ok || text.trim() !== "") found.push(move);
    }
    return found;
  };

  const isExplained = ({ since }: Watching, { ref, to }: Move): boolean =>
    explained.some(({ seq, move }) => seq > since && move.ref === ref && move.to === to);

  /** Whether jj has done more than take note of the files. */
  const movedByJj = async (before: string): Promise<Move[]> => {
    const now = lookAtOperations(worktree);
    if (now === before || before === "") return [];
    const heads = before.split(" ");
    const { text } = await runVcs(at, OPERATIONS, MAX_BYTES);
    for (const line of text.split("\n")) {
      const [id = "", description = ""] = line.split("\t");
      if (id !== "" && heads.some((head) => head.startsWith(id))) return [];
      if (!BY_ITSELF.test(description)) return [{ ref: "jj's operation log", from: "", to: description }];
    }
    return [{ ref: "jj's operation log", from: "", to: "" }];
  };

  /** New tags that came with what an editor fetches from time to time are nobody's doing here. */
  const withoutFetched = async (moves: readonly Move[], watching: Watching): Promise<readonly Move[]> => {
    const repository = findRepository(worktree);
    const isTag = ({ ref, from }: Move): boolean => ref.startsWith("refs/tags/") && from === "";
    const tags = moves.filter(isTag);
    if (tags.length === 0 || repository === null || lookAtFetches(repository) === watching.fetched)
      return moves;
    return [...moves.filter((move) => !isTag(move)), ...(await newOnes(tags, watching))];
  };

  const judge = async (watching: Watching, all: readonly Move[]): Promise<readonly Move[]> => {
    const { said } = watching;
    const beside = [...open].map((each) => each.said);
    if (said === "records" || beside.includes("records")) return [];
    const left = await withoutFetched(
      all.filter((move) => !isExplained(watching, move)),
      watching,
    );
    const mayMove = said !== "nothing" || beside.some((each) => each !== "nothing");
    const hidden = mayMove ? await newOnes(left, watching) : left;
    return said === "nothing" && !mayMove ? [...hidden, ...(await movedByJj(watching.operations))] : hidden;
  };

  return {
    begin(said) {
      const repository = findRepository(worktree);
      const watching: Watching = {
        said,
        since: count,
        looks: repository === null ? new Map() : lookAll(repository),
        operations: lookAtOperations(worktree),
        fetched: repository === null ? "" : lookAtFetches(repository),
        known: repository === null || said === "nothing" ? [] : knownCommits(repository),
      };
      open.add(watching);
      return watching;
    },
    drop(watching) {
      open.delete(watching);
    },
    async end(watching) {
      open.delete(watching);
      const repository = watching.looks.size === 0 ? null : findRepository(worktree);
      const all = repository === null ? [] : compare(watching.looks, lookAll(repository));
      const hidden = await judge(watching, all);
      if (watching.said !== "nothing") {
        count += 1;
        const own = all.filter((move) => !hidden.includes(move)).map((move) => ({ seq: count, move }));
        explained = [...explained, ...own].slice(-MAX_EXPLAINED);
      }
      return { all, hidden };
    },
  };
}

function compare(before: Watching["looks"], after: ReadonlyMap<string, ReadonlyMap<string, string>>): Move[] {
  const [project] = before.keys();
  return [...before].flatMap(([folder, refs]) => {
    const now = after.get(folder) ?? new Map<string, string>();
    const names = new Set([...refs.keys(), ...now.keys()]);
    const label = folder === project ? "" : `submodule ${folder.slice(folder.lastIndexOf("/") + 1)}: `;
    return [...names].flatMap((ref) => {
      const [from, to] = [refs.get(ref) ?? "", now.get(ref) ?? ""];
      // A new stash loses nothing.
      if (from === to || (from === "" && ref.startsWith(STASH))) return [];
      return [{ ref: `${label}${ref}`, from, to }];
    });
  });
}

/** A move as a person would tell it. */
export function renderMove({ ref, from, to }: Move): string {
  if (ref.includes(STASH))
    return `${ref.replace(from, shorten(from))} (gone; git stash store ${from} has it back)`;
  const name = ref.replace(/refs\/(?:heads|tags)\//u, (kind) => (kind === "refs/tags/" ? "tag " : ""));
  if (from === "") return to === "" ? name : `${name} (new, ${shorten(to)})`;
  return to === "" ? `${name} (gone)` : `${name} ${shorten(from)} → ${shorten(to)}`;
}

function shorten(value: string): string {
  return ID.test(value) ? value.slice(0, 8) : value.replace(/^ref: (?:refs\/heads\/)?/u, "").slice(0, 60);
}
