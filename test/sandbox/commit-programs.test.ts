import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createHostRuns } from "../../src/checks/host-runs.ts";
import { systemClock } from "../../src/lib/clock.ts";
import { type Draft, openDraft } from "../../src/snapshot/commit/commit.ts";
import { createVcs } from "../../src/snapshot/vcs.ts";
import { canContain } from "../support/bubblewrap.ts";
import { openWorld, type World } from "./world.ts";

let world: World;
const before = { ...process.env };
beforeEach(() => {
  world = openWorld();
  process.env["HOME"] = world.home;
  process.env["GIT_CONFIG_NOSYSTEM"] = "1";
  world.git("config", "user.name", "T");
  world.git("config", "user.email", "t@example.com");
  // The project's own: not a change.
  write(".git/info/exclude", ".env\n.gaia\n");
});
afterEach(() => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  Object.assign(process.env, before);
  world.close();
});

const write = (path: string, text: string): void => {
  const file = join(world.project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const program = (file: string, text: string): string => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `#!/bin/sh\n${text}\n`);
  chmodSync(file, 0o755);
  return file;
};
/** A script of the project's, which reaches outside where nothing contains it. */
const leaking = (path: string, text = "cat"): string =>
  program(join(world.project, path), `echo leaked > '${join(world.outside, "file")}'\n${text}`);
const outside = (): string => readFileSync(join(world.outside, "file"), "utf8");
/** In the user's settings, or the repository's. */
const set = (scope: "global" | "local", ...settings: (readonly [name: string, value: string])[]): void => {
  const file = scope === "global" ? join(world.home, ".gitconfig") : join(world.project, ".git/config");
  for (const [name, value] of settings) world.git("config", "--file", file, name, value);
};

/** Makes a commit as the host does, of all that differs. @returns what became of it */
async function commit(hooks: "contained" | "uncontained" = "contained"): Promise<string> {
  const runs = createHostRuns({ mode: "auto", hooks }, async () => world.containment);
  const at = { directory: world.project, clock: systemClock };
  const draft: Draft | { readonly why: string } = await openDraft("git", at, runs.hooks);
  if ("why" in draft) return draft.why;
  try {
    const problem = await draft.stage(draft.changed.map(({ path }) => path));
    if (problem !== null) return problem.why;
    const end = await draft.make("Work", async () => undefined);
    return end.kind === "problem" ? end.why : end.kind;
  } finally {
    await draft.dispose();
  }
}

describe.runIf(canContain)("filters at the host's commit", () => {
  it.each(["local", "global"] as const)("run contained, whose name is in %s settings", async (scope) => {
    const name = 'it\'s 100%f "odd".up';
    leaking("tools/up.sh", 'printf "%s " "$1"; tr a-z A-Z');
    write(".gitattributes", "*.up filter=up\n");
    write(name, "loud\n");
    set(scope, ["filter.up.clean", "sh ./tools/up.sh %f 2>/dev/null"]);
    expect(await commit()).toBe("made");
    expect([world.git("show", `HEAD:${name}`), outside()]).toEqual([`${name} LOUD\n`, "as it was\n"]);
    // The very same reaches outside where nothing contains it.
    write("b.up", "more\n");
    expect(await commit("uncontained")).toBe("made");
    expect([world.git("show", "HEAD:b.up"), outside()]).toEqual(["b.up MORE\n", "leaked\n"]);
  });

  it("that end at a wall commit nothing, also where a file may go without one", async () => {
    write(".gitattributes", "*.key filter=seal\n");
    write("a.key", "PLAIN\n");
    set("local", ["filter.seal.clean", `tee ${join(world.home, "log")}`], ["filter.seal.required", "false"]);
    const end = await commit();
    expect(end).toMatch(
      /clean filter 'seal' failed .*only the project.*are writable, and .*home\/log is outside/u,
    );
    expect(world.git("log", "--format=%s")).toBe("One\n");
    expect(existsSync(join(world.home, "log"))).toBe(false);
  });

  it("that stay and take many files are contained as well", async () => {
    leaking("tools/server.sh", "exit 1");
    write(".gitattributes", "*.up filter=served\n");
    write("a.up", "x\n");
    set("local", ["filter.served.process", "./tools/server.sh"]);
    expect(await commit()).not.toBe("made");
    expect(outside()).toBe("as it was\n");
  });

  it("keep what LFS keeps, in the repository", async () => {
    const lfs = program(
      join(world.root, "bin/git-lfs"),
      "mkdir -p .git/lfs/objects; cat > .git/lfs/objects/one; echo pointer; touch .git/refs/evil 2>/dev/null; exit 0",
    );
    write(".gitattributes", "*.bin filter=lfs\n");
    write("a.bin", "large\n");
    set("global", ["filter.lfs.clean", `${lfs} clean -- %f`], ["filter.lfs.required", "true"]);
    expect(await commit()).toBe("made");
    expect(world.git("show", "HEAD:a.bin")).toBe("pointer\n");
    expect(readFileSync(join(world.project, ".git/lfs/objects/one"), "utf8")).toBe("large\n");
    expect(existsSync(join(world.project, ".git/refs/evil"))).toBe(false);
  });

  it("do nothing where the host only looks, whoever names them", async () => {
    leaking("tools/up.sh");
    write(".gitattributes", "*.txt filter=up\n");
    set("global", ["filter.up.clean", "./tools/up.sh"]);
    write("a.txt", "two\n");
    const diff = await createVcs("git", world.project).workingDiff(() => false);
    expect(JSON.stringify(diff)).toContain("two");
    expect(outside()).toBe("as it was\n");
  });
});

describe.runIf(canContain)("programs that sign the host's commit", () => {
  const SIGN = String.raw`cat > /dev/null; printf '\n[GNUPG:] SIG_CREATED \n' >&2; echo "-----BEGIN PGP SIGNATURE-----"`;
  beforeEach(() => {
    write("a.txt", "two\n");
    set("global", ["commit.gpgSign", "true"]);
  });

  it("sign from outside of the project, and start in none of its folders", async () => {
    const sign = program(
      join(tmpdir(), `${basename(world.root)}/sign`),
      `pwd > '${world.outside}/at'; ${SIGN}`,
    );
    set("local", ["gpg.program", sign]);
    expect(await commit()).toBe("made");
    expect(world.git("cat-file", "commit", "HEAD")).toContain("gpgsig -----BEGIN PGP SIGNATURE-----");
    expect(readFileSync(join(world.outside, "at"), "utf8")).toMatch(/\.git\/gaia-commit-\w+\n$/u);
    rmSync(dirname(sign), { recursive: true });
  });

  it.each([
    ["a path", [["gpg.program", "./sign.sh"]]],
    ["an absolute path", [["gpg.program", "{project}/sign.sh"]]],
    ["a link to it", [["gpg.program", "{root}/link"]]],
    [
      "a word of a command",
      [
        ["gpg.format", "ssh"],
        ["gpg.ssh.defaultKeyCommand", "sh sign.sh"],
      ],
    ],
    [
      "what signs by X.509",
      [
        ["gpg.format", "x509"],
        ["gpg.x509.program", "./sign.sh"],
      ],
    ],
    [
      "what signs by ssh",
      [
        ["gpg.format", "ssh"],
        ["gpg.ssh.program", "./sign.sh"],
        ["user.signingKey", "k"],
      ],
    ],
  ] as const)("do not run where an agent writes them: %s", async (_name, named) => {
    leaking("sign.sh", SIGN);
    symlinkSync(join(world.project, "sign.sh"), join(world.root, "link"));
    const settings = named.map(
      ([name, value]) =>
        [name, value.replace("{project}", world.project).replace("{root}", world.root)] as const,
    );
    set("local", ...settings);
    expect(await commit()).toMatch(/lies in the project, where agents write: it does not sign/u);
    expect([outside(), world.git("log", "--format=%s")]).toEqual(["as it was\n", "One\n"]);
  });
});

describe("what the host starts by its name", () => {
  it("is none of the project's, though PATH begins there", async () => {
    for (const folder of ["node_modules/.bin", ".venv/bin"])
      leaking(`${folder}/git`, 'exec /usr/bin/git "$@"');
    const folders = ["node_modules/.bin", join(world.project, "node_modules/.bin"), `${world.root}/bin`];
    symlinkSync(join(world.project, ".venv/bin"), join(world.root, "bin"));
    process.env["PATH"] = [...folders, before["PATH"]].join(delimiter);
    write("a.txt", "two\n");
    const vcs = createVcs("git", world.project);
    expect(await vcs.fingerprint()).not.toBeNull();
    expect(JSON.stringify(await vcs.workingDiff(() => false))).toContain("two");
    expect(await commit(canContain ? "contained" : "uncontained")).toBe("made");
    expect(outside()).toBe("as it was\n");
  });
});
