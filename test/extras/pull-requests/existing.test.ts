import { describe, expect, it } from "vitest";
import { listing, readListing } from "../../../src/extras/pull-requests/existing.ts";

type Way = Parameters<typeof readListing>[1];
const way = (rest: Partial<Way> = {}): Way => {
  return {
    forge: "gh",
    branch: "feature",
    base: { host: "github.com", path: "acme/app" },
    fork: "",
    ...rest,
  };
};
const ids = (list: object[], of: Way): string[] | undefined =>
  readListing(JSON.stringify(list), of)?.map(({ id }) => id);

describe("the requests of a branch", () => {
  it("are those that are over as well, of either forge", () => {
    const base = { host: "gitlab.com", path: "acme/app" };
    expect(listing(way())).toEqual(expect.arrayContaining(["pr", "list", "--head=feature", "--state=all"]));
    expect(listing(way({ forge: "glab", base }))).toEqual(
      expect.arrayContaining([
        "mr",
        "list",
        "--repo=gitlab.com/acme/app",
        "--source-branch=feature",
        "--all",
      ]),
    );
    const oid = "a".repeat(40);
    const [gh, glab, old] = readListing(
      JSON.stringify([
        { number: 1, url: "u", body: "b", isDraft: true, state: "MERGED", headRefOid: oid },
        { iid: 2, web_url: "w", description: "d", draft: false, state: "closed", sha: oid },
        { number: 3, headRefOid: "--all" },
      ]),
      way(),
    )!;
    expect(gh).toEqual({ id: "1", url: "u", body: "b", isDraft: true, state: "merged", commit: oid });
    expect(glab).toEqual({ id: "2", url: "w", body: "d", isDraft: false, state: "closed", commit: oid });
    expect(old).toMatchObject({ state: "open", commit: "" });
  });

  it.each([
    ["[]", []],
    ["null\n", []],
    ["", null],
    ["<html>", null],
    ['{"message":"Bad credentials"}', null],
  ])("are unknown where it is no list: %j", (printed, list) => {
    expect(readListing(printed, way())).toEqual(list);
  });

  it("are not those of other people's branches of the same name, on GitLab as little as on GitHub", () => {
    const request = (iid: number, from: number, username = "me"): object => {
      return { iid, source_project_id: from, target_project_id: 7, author: { username } };
    };
    const list = [request(1, 7), request(2, 8), request(3, 9, "mallory")];
    expect(ids(list, way({ forge: "glab" }))).toEqual(["1"]);
    expect(ids(list, way({ forge: "glab", fork: "Me/app" }))).toEqual(["2"]);
    const owners = ["acme", "mallory"].map((login, at) => ({ number: at, headRepositoryOwner: { login } }));
    expect(ids(owners, way())).toEqual(["0"]);
    expect(ids(owners, way({ fork: "mallory/app" }))).toEqual(["1"]);
    // The project was given to someone else, and its old name leads there.
    const url = "https://github.com/acme-new/app/pull/4";
    const moved = ["acme-new", "acme"].map((login, at) => ({
      number: at,
      url,
      headRepositoryOwner: { login },
    }));
    expect(ids(moved, way())).toEqual(["0"]);
    expect(ids(moved, way({ fork: "acme/app" }))).toEqual(["1"]);
  });
});
