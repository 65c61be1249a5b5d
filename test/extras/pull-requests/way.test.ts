import { describe, expect, it } from "vitest";
import {
  readAddress,
  decideWay,
  type Remote,
  type RemotePlace,
  type WayFacts,
} from "../../../src/extras/pull-requests/way.ts";
import { mergeBody } from "../../../src/extras/pull-requests/body.ts";
import { readListing } from "../../../src/extras/pull-requests/open.ts";
import { readCases } from "../../support/cases.ts";

const remote = (name: string, url: string, rest: Partial<Remote> = {}): Remote => {
  return { name, url, push: [url], head: "", ...rest };
};
const ORIGIN = remote("origin", "git@github.com:acme/app.git");
const facts = (place: Partial<RemotePlace> = {}, rest: Partial<WayFacts> = {}): WayFacts => {
  const here = { branch: "feature", commit: "c0ffee", remotes: [ORIGIN], pushTo: "", ...place };
  const text = { unit: "limits", title: "It's here", bodyFile: "/a b/limits.md" };
  return { place: here, commits: 2, ...text, isDraft: true, program: "/usr/bin/gh", ...rest };
};

describe("an address", () => {
  it.each([
    ["https://github.com/acme/app.git", "github.com", "acme/app"],
    ["https://user:secret@github.com/acme/app", "github.com", "acme/app"],
    ["ssh://git@GitHub.com:22/acme/app.git/", "github.com", "acme/app"],
    ["git@gitlab.example.org:group/sub/app.git", "gitlab.example.org", "group/sub/app"],
    ["work:acme/app", "work", "acme/app"],
  ])("%s", (url, host, path) => {
    expect(readAddress(url)).toEqual({ host, path });
  });

  it.each([
    "/srv/app.git",
    "../app.git",
    "C:\\app",
    "file:///srv/app.git",
    "https://github.com/app",
    "ext::sh -c x",
  ])("is none: %s", (url) => {
    expect(readAddress(url)).toBeNull();
  });
});

describe("the way of a pull request", () => {
  it("goes where git would push it, and into the project that it was forked from", () => {
    const fork = remote("fork", "https://github.com/me/app.git");
    const upstream = remote("upstream", "https://github.com/acme/app.git");
    const way = decideWay(facts({ remotes: [ORIGIN, fork, upstream], pushTo: "fork" }));
    expect(way).toMatchObject({
      kind: "open",
      remote: "fork",
      fork: "me/app",
      where: "github.com/me/app, for github.com/acme/app",
    });
    expect(way.commands).toEqual([
      "git push -- fork refs/heads/feature",
      `gh pr create --draft --repo=github.com/acme/app --title='It'\\''s here' --head=me:feature --body-file='/a b/limits.md'`,
    ]);
  });

  it.each(readCases<[string, Remote[], string, string, string]>("extras/pull-requests/way.projects"))(
    "knows the project for %s",
    (_what, written, pushTo, path, fork) => {
      const remotes = written.map((each) => remote(each.name, each.url, each));
      expect(decideWay(facts({ remotes, pushTo }))).toMatchObject({ kind: "open", base: { path }, fork });
    },
  );

  it.each<[string, Partial<RemotePlace>]>([
    ["its own", { branch: "main" }],
    ["a remote's", { branch: "next", remotes: [remote("origin", "/r", { head: "next" })] }],
    [
      "by custom beside a remote's",
      { branch: "master", remotes: [remote("origin", "/r", { head: "next" })] },
    ],
    ["by custom, where no remote says", { branch: "develop" }],
  ])("never leads from a branch that others begin at: %s", (_whose, place) => {
    expect(decideWay(facts(place))).toMatchObject({
      kind: "by-hand",
      commands: ["git switch -c gaia/limits", "/gaia-pr"],
    });
  });

  it.each<[string, Partial<RemotePlace>, Partial<WayFacts>]>([
    ["without git", {}, { place: null }],
    ["before the first commit", { commit: "" }, {}],
    ["without a commit of its own", {}, { commits: 0 }],
    ["to a remote that is gone", { pushTo: "gone" }, {}],
    ["without the program", {}, { program: null }],
  ])("is by hand %s", (_when, place, rest) => {
    expect(decideWay(facts(place, rest)).kind).toBe("by-hand");
  });
});

describe("a body", () => {
  it.each([
    ["", "<!-- gaia -->new<!-- /gaia -->"],
    ["Mine.", "Mine.\n\n<!-- gaia -->new<!-- /gaia -->"],
    ["A<!-- gaia -->old<!-- /gaia -->B", "A<!-- gaia -->new<!-- /gaia -->B"],
    ["<!-- /gaia -->A<!-- gaia -->cut", "<!-- /gaia -->A<!-- gaia -->cut\n\n<!-- gaia -->new<!-- /gaia -->"],
  ])("is brought up to date in our part alone: %j", (old, merged) => {
    expect(mergeBody(old, "<!-- gaia -->new<!-- /gaia -->")).toBe(merged);
  });

  it.each([0, 1, 30_000, 64_900, 65_400, 70_000])(
    "is no longer than GitHub takes, beside %i characters of people's",
    (length) => {
      const theirs = "x".repeat(length);
      const fresh = `<!-- gaia -->\n${"new ".repeat(15_000)}\n<!-- /gaia -->`;
      const merged = mergeBody(theirs, fresh);
      expect(merged.startsWith(theirs)).toBe(true);
      if (length < 65_000) expect(merged.length).toBeLessThanOrEqual(65_536);
      else expect(merged).toBe(theirs);
      // Our part is found again, and cut again.
      if (length < 64_000)
        expect(mergeBody(merged, "<!-- gaia -->ours<!-- /gaia -->").trim()).toBe(
          `${theirs}\n\n<!-- gaia -->ours<!-- /gaia -->`.trim(),
        );
    },
  );
});

describe("the requests of a branch", () => {
  const request = (number: number, login: string, owner = "acme"): object => {
    const url = `https://github.com/${owner}/app/pull/${number}`;
    return { number, url, body: "b", isDraft: true, headRepositoryOwner: { login } };
  };
  const numbers = (list: object[], fork: string): number[] | undefined =>
    readListing(JSON.stringify(list), { fork })?.map(({ number }) => number);

  it("are not those of other people's branches of the same name", () => {
    const both = [request(1, "acme"), request(2, "mallory")];
    expect(numbers(both, "")).toEqual([1]);
    expect(numbers(both, "mallory/app")).toEqual([2]);
    // The project was given to someone else, and its old name leads there.
    expect(numbers([request(1, "acme-new", "acme-new"), request(2, "acme", "acme-new")], "")).toEqual([1]);
  });
});
