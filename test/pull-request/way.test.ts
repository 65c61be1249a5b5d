import { describe, expect, it } from "vitest";
import { readAddress, showAddress, creating, decideWay, type WayFacts } from "../../src/pull-request/way.ts";
import { mergeBody } from "../../src/pull-request/body.ts";
import type { RemotePlace, Remote } from "../../src/pull-request/place.ts";

const remote = (name: string, url: string, rest: Partial<Remote> = {}): Remote => {
  return { name, url, push: [url], head: "", ...rest };
};
const ORIGIN = remote("origin", "git@github.com:acme/app.git");
const facts = (place: Partial<RemotePlace> = {}, rest: Partial<WayFacts> = {}): WayFacts => {
  const here = { branch: "feature", commit: "c0ffee", remotes: [ORIGIN], pushTo: "", ...place };
  const programs = { gh: "/usr/bin/gh", glab: "/usr/bin/glab" };
  const text = { unit: "limits", title: "It's here", bodyFile: "/a b/limits.md" };
  return { place: here, commits: 2, ...text, isDraft: true, programs, ...rest };
};

describe("an address", () => {
  it.each([
    ["https://github.com/acme/app.git", "github.com", "acme/app"],
    ["https://user:secret@github.com/acme/app", "github.com", "acme/app"],
    ["ssh://git@GitHub.com:22/acme/app.git/", "github.com", "acme/app"],
    ["git@gitlab.example.org:group/sub/app.git", "gitlab.example.org", "group/sub/app"],
    ["work:acme/app", "work", "acme/app"],
    ["ssh://git@ssh.github.com:443/acme/app.git", "github.com", "acme/app"],
    ["git@altssh.gitlab.com:acme/sub/app", "gitlab.com", "acme/sub/app"],
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

  it("is shown without who logs in, and with nothing turned around", () => {
    expect(showAddress("https://user:secret@host/x")).toBe("https://host/x");
    expect(showAddress("https://user:se@cret@host/x/y")).toBe("https://host/x/y");
    expect(showAddress("https://host/a/b.git?private_token=secret#x")).toBe("https://host/a/b.git");
    expect(showAddress("https://host/a/b.git?private_token=se@cret")).toBe("https://host/a/b.git");
    expect(showAddress("https://user:se/cret@host/x/y")).toBe("https://host/x/y");
    expect(showAddress("user:secret@host:x/y")).toBe("host:x/y");
    expect(showAddress("/srv/\u202Eapp\u0007")).toBe("/srv/\\u{202e}app\\u{7}");
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

  it.each<[string, Remote[], string, string, string]>([
    [
      "a fork that was added beside origin",
      [ORIGIN, remote("me", "https://github.com/me/App.git")],
      "me",
      "acme/app",
      "me/App",
    ],
    [
      "a fork that is only pushed to",
      [remote("origin", "https://github.com/acme/app", { push: ["git@github.com:me/app.git"] })],
      "",
      "acme/app",
      "me/app",
    ],
    [
      "origin and a copy of it elsewhere",
      [remote("origin", "https://github.com/acme/app", { push: ["git@b.org:x/y", ORIGIN.url] })],
      "",
      "acme/app",
      "",
    ],
    [
      "another project of the same host",
      [ORIGIN, remote("docs", "https://github.com/acme/docs")],
      "docs",
      "acme/docs",
      "",
    ],
    [
      "a copy, whose upstream no forge here leads to",
      [ORIGIN, remote("upstream", "https://git.kernel.org/pub/linux.git")],
      "origin",
      "acme/app",
      "",
    ],
    [
      "a fork by a name of the user's own",
      [remote("origin", "work:me/app"), remote("upstream", "https://github.com/acme/app")],
      "origin",
      "acme/app",
      "me/app",
    ],
    [
      "a fork by another host of the same forge",
      [
        remote("origin", "ssh://git@ssh.github.com:443/me/app.git"),
        remote("upstream", "https://github.com/acme/application"),
      ],
      "origin",
      "acme/application",
      "me/app",
    ],
  ])("knows the project for %s", (_what, remotes, pushTo, path, fork) => {
    expect(decideWay(facts({ remotes, pushTo }))).toMatchObject({ kind: "open", base: { path }, fork });
  });

  it("names every place that a push goes to", () => {
    const both = remote("origin", "git@github.com:acme/app.git", {
      push: ["git@github.com:acme/app.git", "/backup"],
    });
    expect(decideWay(facts({ remotes: [both] }))).toMatchObject({ where: "github.com/acme/app and /backup" });
  });

  it("is glab's on GitLab, which takes the text as an argument", () => {
    const way = decideWay(facts({ remotes: [remote("origin", "https://gitlab.com/acme/app")] }));
    expect(way).toMatchObject({ kind: "open", forge: "glab", program: "/usr/bin/glab", fork: "" });
    if (way.kind === "open")
      expect(creating(way, { title: "T", bodyFile: "f", isDraft: false, body: "the text" })).toEqual([
        "mr",
        "create",
        "--repo=gitlab.com/acme/app",
        "--title=T",
        "--source-branch=feature",
        "--description=the text",
        "--yes",
      ]);
  });

  it("tells glab whose branch it is, where that is a fork's", () => {
    const way = decideWay(
      facts({
        remotes: [
          remote("origin", "https://gitlab.com/me/sub/app"),
          remote("upstream", "https://gitlab.com/acme/app"),
        ],
        pushTo: "origin",
      }),
    );
    expect(way.commands[1]).toMatch(
      /^glab mr create --draft --repo=gitlab\.com\/acme\/app --title=\S+ here' --head=me\/sub\/app --source-branch=feature /,
    );
  });

  it("is no other forge's program's where the host says whose it is, and else that of the one that is there", () => {
    const programs = { gh: null, glab: "/usr/bin/glab" };
    expect(decideWay(facts({}, { programs }))).toMatchObject({ kind: "by-hand", why: "gh is not installed" });
    const own = remote("origin", "https://git.example.org/acme/app");
    expect(decideWay(facts({ remotes: [own] }, { programs }))).toMatchObject({ kind: "open", forge: "glab" });
  });

  it.each([
    ["https://me@bitbucket.org/acme/app.git", "bitbucket.org"],
    ["git@ssh.dev.azure.com:v3/acme/team/app", "ssh.dev.azure.com"],
    ["https://git-codecommit.eu-west-1.amazonaws.com/v1/repos/app", "git-codecommit.eu-west-1.amazonaws.com"],
  ])("is by hand on forges that neither program knows: %s", (url, host) => {
    expect(decideWay(facts({ remotes: [remote("origin", url)] }))).toEqual({
      kind: "by-hand",
      why: `neither gh nor glab opens requests at ${host}; they are opened on its pages`,
      commands: ["git push -- origin refs/heads/feature"],
    });
  });

  it("leaves the project to gh where the host is a name of the user's own", () => {
    const way = decideWay(facts({ remotes: [remote("origin", "work:acme/app")] }));
    expect(way.commands[1]).not.toContain("--repo");
  });

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
    ["without the program", {}, { programs: { gh: null, glab: "/usr/bin/glab" }, place: facts().place }],
  ])("is by hand or another program's %s", (_when, place, rest) => {
    const way = decideWay(facts(place, rest));
    expect(way.kind === "by-hand" || way.forge === "glab").toBe(true);
  });
});

describe("a body", () => {
  it.each([
    ["", "<!-- gaia -->new<!-- /gaia -->"],
    ["Mine.", "Mine.\n\n<!-- gaia -->new<!-- /gaia -->"],
    ["A<!-- gaia -->old<!-- /gaia -->B", "A<!-- gaia -->new<!-- /gaia -->B"],
    ["<!-- /gaia -->A<!-- gaia -->cut", "<!-- /gaia -->A<!-- gaia -->cut\n\n<!-- gaia -->new<!-- /gaia -->"],
  ])("is brought up to date in our part alone: %j", (old, merged) => {
    expect(mergeBody(old, "<!-- gaia -->new<!-- /gaia -->", "gh")).toBe(merged);
  });

  it.each([0, 1, 30_000, 64_900, 65_400, 70_000])(
    "is no longer than GitHub takes, beside %i characters of people's",
    (length) => {
      const theirs = "x".repeat(length);
      const fresh = `<!-- gaia -->\n${"new ".repeat(15_000)}\n<!-- /gaia -->`;
      const merged = mergeBody(theirs, fresh, "gh");
      expect(merged.startsWith(theirs)).toBe(true);
      if (length < 65_000) expect(merged.length).toBeLessThanOrEqual(65_536);
      else expect(merged).toBe(theirs);
      // Our part is found again, and cut again.
      if (length < 64_000)
        expect(mergeBody(merged, "<!-- gaia -->ours<!-- /gaia -->", "gh").trim()).toBe(
          `${theirs}\n\n<!-- gaia -->ours<!-- /gaia -->`.trim(),
        );
    },
  );

  it("is no longer than what glab can be given as an argument, in any writing", () => {
    const fresh = `<!-- gaia -->\n${"字".repeat(60_000)}\n<!-- /gaia -->`;
    const merged = mergeBody("", fresh, "glab");
    expect(Buffer.byteLength(`--description=${merged}`)).toBeLessThan(131_072);
    expect(merged.length).toBeGreaterThan(40_000);
  });
});
