import { listOf, numberOf, parseJson, recordOf, textOf } from "../../lib/json.ts";
import { type Open, repositoryOwner, projectOf } from "./way.ts";

export interface Existing {
  readonly id: string;
  readonly url: string;
  readonly body: string;
  readonly isDraft: boolean;
  readonly state: "open" | "closed" | "merged";
  /** The commit that it stood at last; empty where the forge does not say. */
  readonly commit: string;
}

type Branch = Pick<Open, "forge" | "branch" | "base" | "fork">;

const MAX_LISTED = 100;

export function listing(way: Branch): string[] {
  const { forge, branch } = way;
  if (forge === "glab") {
    const all = ["--all", `--per-page=${MAX_LISTED}`, "--output=json"];
    return ["mr", "list", ...projectOf(way), `--source-branch=${branch}`, ...all];
  }
  const fields = "--json=number,url,body,isDraft,headRepositoryOwner,state,headRefOid";
  const all = ["--state=all", `--limit=${MAX_LISTED}`, fields];
  return ["pr", "list", ...projectOf(way), `--head=${branch}`, ...all];
}

/** The requests of this very branch in what the program printed, the newest first; null where that is no list. Pure. */
export function readListing(printed: string, way: Branch): Existing[] | null {
  const known = parseJson(printed);
  // One that knows of none may say so in one word.
  if (!Array.isArray(known) && known !== null) return null;
  return listOf(known).flatMap((each) => readExisting(each, way) ?? []);
}

/** gh and glab name the same in other words. Branches of the same name in other people's forks are listed as well. */
function readExisting(value: unknown, way: Branch): Existing | null {
  const each = recordOf(value);
  const text = (...names: string[]): string => names.flatMap((name) => textOf(each[name]) ?? [])[0] ?? "";
  const id = numberOf(each["number"]) ?? numberOf(each["iid"]);
  if (id === undefined || isTheirs(each, way)) return null;
  const isDraft = each["isDraft"] === true || each["draft"] === true;
  const state = text("state").toLowerCase();
  return {
    id: String(id),
    url: text("url", "web_url"),
    body: text("body", "description"),
    isDraft,
    state: state === "closed" || state === "merged" ? state : "open",
    commit: /^[\da-f]{40,64}$/.exec(text("headRefOid", "sha"))?.[0] ?? "",
  };
}

/**
 * Whether it is of another project's branch: gh names whose that is, GitLab only numbers of projects and who made it. A project
 * that was given to someone else is asked for by its old name, and told of by its new one: by the request's address it is known.
 */
function isTheirs(each: Record<string, unknown>, { base, fork }: Branch): boolean {
  const differs = (one: string | undefined, other: string): boolean =>
    one !== undefined && other !== "" && one.toLowerCase() !== other.toLowerCase();
  const [, now = ""] = /^https?:\/\/[^/]+\/([^/]+)\//.exec(textOf(each["url"]) ?? "") ?? [];
  const whose = repositoryOwner(fork) || now || repositoryOwner(base?.path ?? "");
  if (differs(textOf(recordOf(each["headRepositoryOwner"])["login"]), whose)) return true;
  const [from, into] = [numberOf(each["source_project_id"]), numberOf(each["target_project_id"])];
  if (from === undefined || into === undefined) return false;
  if (fork === "") return from !== into;
  return from === into || differs(textOf(recordOf(each["author"])["username"]), repositoryOwner(fork));
}
