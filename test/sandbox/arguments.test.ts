import { describe, expect, it } from "vitest";
import { readRequest } from "../../src/policy/examination.ts";
import { bubblewrapArguments } from "../../src/sandbox/bubblewrap.ts";
import { environmentChange } from "../../src/sandbox/environment.ts";
import { explainFailure } from "../../src/sandbox/explain-failure.ts";
import { layersOf, type Places, type WrapperWord } from "../../src/sandbox/profile.ts";
import { seatbeltProfile } from "../../src/sandbox/seatbelt.ts";
import { findSockets } from "../../src/sandbox/sockets.ts";
import { shellWord } from "../../src/lib/quoting.ts";
import { startingShell } from "../../src/sandbox/startup.ts";
import { findWrapper } from "../../src/sandbox/containment.ts";
import { hostPlaces } from "../../src/sandbox/project-places.ts";
import { READ, WRITE } from "./world.ts";
import { readCases } from "../support/cases.ts";

const PLACES: Places = {
  project: "/home/u/work/p",
  folder: "/home/u/work/p/src",
  temp: "/tmp/gaia-1",
  caches: "/home/u/.cache/opencode-gaia/containment/1",
  empty: "/data/empty",
  hiddenFolders: ["/home/u/.ssh", "/home/u/.local/share/opencode"],
  hiddenFiles: ["/home/u/.npmrc", "/home/u/work/p/.env"],
  shown: ["/home/u/.local/share/opencode/tool-output"],
  writable: ["/srv/allowed"],
  pinned: ["/home/u/work/p/packages"],
  readOnly: ["/home/u/work/p/packages/.git", "/home/u/work/p/.git", "/home/u/work/p/.gaia"],
  guarded: ["/p/opencode.json"],
};
const NOTHING = { set: {}, unset: [] };

/** Where an argument stands that mounts something at a path. */
const mountAt = (args: readonly WrapperWord[], path: string, kind: string): number =>
  args.findIndex((arg, index) => arg === kind && args[index + (kind === "--tmpfs" ? 1 : 2)] === path);

describe("arguments for bubblewrap", () => {
  it("keep the order in which the deepest place counts", () => {
    const args = bubblewrapArguments(WRITE, PLACES, NOTHING, true);
    const order = [
      mountAt(args, "/", "--ro-bind"),
      mountAt(args, "/home/u/.ssh", "--tmpfs"),
      mountAt(args, "/home/u/work/p", "--bind"),
      mountAt(args, "/home/u/work/p/packages", "--bind"),
      mountAt(args, "/home/u/work/p/packages/.git", "--ro-bind"),
    ];
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(args.slice(-3)).toEqual(["--chdir", PLACES.folder, "--"]);
    expect(args).toEqual(
      expect.arrayContaining(["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop"]),
    );
    expect(args).not.toContain("--share-net");
    expect(bubblewrapArguments({ ...WRITE, network: true }, PLACES, NOTHING, true)).toContain("--share-net");
  });

  it("write nothing but the private folder for who only reads", () => {
    const args = bubblewrapArguments(READ, PLACES, NOTHING, true);
    const written = args.flatMap((arg, index) => (arg === "--bind" ? [args[index + 2]] : []));
    expect(written).toEqual(["/tmp", "/var/tmp"]);
  });

  it("put nothing over a file whose folder is hidden, unless it is shown", () => {
    const folder = "/home/u/.local/share/opencode";
    const hiddenFiles = [`${folder}/auth.json`, `${folder}/tool-output/x.sock`];
    const paths = layersOf(WRITE, { ...PLACES, hiddenFiles }).map(({ path }) => path);
    expect(paths).not.toContain(hiddenFiles[0]);
    expect(paths).toContain(hiddenFiles[1]);
  });

  it("put a project that is a home below what is hidden in it", () => {
    const kinds = layersOf(WRITE, { ...PLACES, project: "/home/u", pinned: [], readOnly: [] });
    const paths = kinds.map(({ path }) => path);
    expect(paths.indexOf("/home/u")).toBeLessThan(paths.indexOf("/home/u/.ssh"));
  });
});

it("the profile for Seatbelt denies after it allows, and quotes what it is given", () => {
  const text = seatbeltProfile(WRITE, { ...PLACES, project: '/p "q"' });
  const lines = text.split("\n");
  const at = (part: string): number => lines.findIndex((line) => line.includes(part));
  expect(at("(deny file-write*)")).toBeLessThan(at(String.raw`(subpath "/p \"q\"")`));
  expect(at('(deny file-read* file-write* network-outbound (subpath "/home/u/.ssh"))')).toBeGreaterThan(0);
  expect(at('(deny file-write* (subpath "/p/opencode.json"))')).toBeGreaterThan(at(String.raw`\"q\"`));
  expect(text).toContain("(deny network*)");
  expect(seatbeltProfile({ ...READ, network: true }, PLACES)).not.toContain("(deny network*)");
  expect(seatbeltProfile(READ, PLACES)).not.toContain(
    '(allow file-read* file-write* (subpath "/home/u/work/p"))',
  );
  const [opened, closed] = ["(", ")"].map((each) => text.split(each).length);
  expect(opened).toBe(closed);
});

type Asks = [command: string, asks: ReturnType<typeof readRequest>["asks"]];
it.each(readCases<Asks>("sandbox/arguments.asks-for"))("%s asks for %s", (command, expected) => {
  expect(readRequest(command).asks).toBe(expected);
});

type Explained = [output: string, words: string | null, asked: string | null];
it.each(readCases<Explained>("sandbox/arguments.explained"))(
  "what a failure met: %s",
  (output, words, asked) => {
    const line = explainFailure(output, WRITE, true);
    if (words === null) expect(line).toBeNull();
    else expect(line).toContain(words);
    expect(line?.split("GAIA_SANDBOX=")[1]?.split(" ")[0] ?? null).toBe(asked);
    expect(explainFailure(output, WRITE, false) ?? "").not.toContain("GAIA_SANDBOX");
  },
);

it("who only reads is told that, and of the network only where there is none", () => {
  const failed = "touch: cannot touch 'x': Read-only file system";
  expect(explainFailure(failed, READ, false)).toContain("disk are read-only");
  expect(explainFailure("EAI_AGAIN", { ...WRITE, network: true }, true)).toBeNull();
});

it("what did not start since something went away is run again as it is", () => {
  const output = "bwrap: Can't create file at /home/u/x.sock: Read-only file system";
  expect(explainFailure(output, WRITE, true)).toMatch(/did not run.*Run it again/u);
});

it("the environment loses secrets and ways out, and keeps settings", () => {
  const given = {
    PATH: "/bin",
    npm_config_offline: "true",
    GIT_CONFIG_KEY_0: "a",
    AWS_SECRET_ACCESS_KEY: "x",
    GITHUB_TOKEN: "x",
    SSH_AUTH_SOCK: "/x",
    DBUS_SESSION_BUS_ADDRESS: "x",
    DOCKER_HOST: "x",
  };
  const { set, unset } = environmentChange(given, WRITE, "/tmp", "/c");
  const { PATH: _path, npm_config_offline: _offline, GIT_CONFIG_KEY_0: _key, ...gone } = given;
  expect(unset.toSorted()).toEqual(Object.keys(gone).toSorted());
  expect(set).toMatchObject({ TMPDIR: "/tmp", npm_config_cache: "/c/npm" });
  expect(environmentChange(given, READ, "/tmp", "/c").set).not.toHaveProperty("npm_config_cache");
});

it("a wrapper is not taken from the project", () => {
  const environment = { PATH: "/p/node_modules/.bin:relative" };
  expect(findWrapper("linux", environment, "/p", ["/nowhere"])).toContain("not installed");
  expect(findWrapper("win32", environment, "/p")).toContain("win32");
});

it("sockets are those that a path names, outside of the project", () => {
  const lines = [
    "Num       RefCount Protocol Flags    Type St Inode Path",
    "0000: 00000002 00000000 00010000 0001 01 1 /var/lib/a b.sock",
    "0000: 00000002 00000000 00010000 0001 01 2 @abstract",
    "0000: 00000002 00000000 00010000 0001 01 3 /run/docker.sock",
    "0000: 00000002 00000000 00010000 0001 01 4 /p/own.sock",
    "0000: 00000002 00000000 00010000 0001 01 5",
  ];
  expect(findSockets("/p", () => lines.join("\n"))).toEqual(["/var/lib/a b.sock"]);
});

it("bash and zsh take part, and words are quoted for them", () => {
  const shells = ["/bin/bash", "/usr/bin/zsh", "/bin/sh", "/usr/bin/fish", ""].map(startingShell);
  expect(shells).toEqual(["bash", "zsh", null, null, null]);
  expect(shellWord("a'b $c")).toBe(String.raw`'a'\''b $c'`);
});

it("the host's places are where OpenCode's programs and settings come from, below the top", () => {
  const at = (env: NodeJS.ProcessEnv, directory = "/r") => hostPlaces(env, { worktree: "/r", directory });
  expect(at({ PATH: "/usr/bin:/r/node_modules/.bin" })).toEqual(["node_modules/.bin"]);
  expect(at({ OPENCODE_CONFIG: "/r/dev/opencode.json", OPENCODE_CONFIG_DIR: "/home/alice/oc" })).toEqual([
    "dev/opencode.json",
  ]);
  const settings = at({}, "/r/packages/a");
  expect(settings).toEqual(
    expect.arrayContaining(["packages/.opencode", "packages/a/.opencode", "packages/a/opencode.json"]),
  );
  expect(settings).not.toContain(".opencode");
});
