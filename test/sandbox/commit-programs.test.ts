import { existsSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createVcs } from "../../src/snapshot/vcs.ts";
import { canContain } from "../support/bubblewrap.ts";
import { readCases } from "../support/cases.ts";
import { hostCommit, openWorld, type World } from "./world.ts";

let world: World;
beforeEach(() => {
  world = openWorld();
  vi.stubEnv("HOME", world.home);
  vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
  // The project's own: not a change.
  write(".git/info/exclude", ".env\n.gaia\n");
});
afterEach(() => {
  vi.unstubAllEnvs();
  world.close();
});

const write = (path: string, text: string): string => world.write(path, text);
const program = (file: string, text: string): string => write(file, `#!/bin/sh\n${text}\n`);
/** A script of the project's, which reaches outside where nothing contains it. */
const leaking = (path: string, text = "cat"): string =>
  program(path, `echo leaked > '${join(world.outside, "file")}'\n${text}`);
const outside = (): string => world.read(join(world.outside, "file"));
/** In the user's settings, or the repository's. */
const set = (scope: "global" | "local", ...settings: (readonly [name: string, value: string])[]): void => {
  const file = scope === "global" ? join(world.home, ".gitconfig") : join(world.project, ".git/config");
  for (const [name, value] of settings) world.git("config", "--file", file, name, value);
};

/** @returns what became of it */
async function commit(hooks?: "contained" | "uncontained"): Promise<string> {
  const end = await hostCommit(world, hooks);
  return end.kind === "problem" ? end.why : end.kind;
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
    expect(end).toMatch(/clean filter 'seal' failed .*only the project.*are writable/u);
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
    const keeps = "mkdir -p .git/lfs/objects; cat > .git/lfs/objects/one; echo pointer";
    const lfs = program(
      join(world.root, "bin/git-lfs"),
      `${keeps}; touch .git/refs/evil 2>/dev/null; exit 0`,
    );
    write(".gitattributes", "*.bin filter=lfs\n");
    write("a.bin", "large\n");
    set("global", ["filter.lfs.clean", `${lfs} clean -- %f`], ["filter.lfs.required", "true"]);
    expect(await commit()).toBe("made");
    expect(world.git("show", "HEAD:a.bin")).toBe("pointer\n");
    expect(world.read(".git/lfs/objects/one")).toBe("large\n");
    expect(existsSync(join(world.project, ".git/refs/evil"))).toBe(false);
  });
});

describe.runIf(canContain)("programs that sign the host's commit", () => {
  const SIGN = String.raw`cat > /dev/null; printf '\n[GNUPG:] SIG_CREATED \n' >&2; echo "-----BEGIN PGP SIGNATURE-----"`;
  beforeEach(() => {
    write("a.txt", "two\n");
    set("global", ["commit.gpgSign", "true"]);
  });

  it("sign from outside of the project, and start in none of its folders", async () => {
    const path = join(tmpdir(), basename(world.root), "sign");
    const sign = program(path, `pwd > '${world.outside}/at'; ${SIGN}`);
    set("local", ["gpg.program", sign]);
    expect(await commit()).toBe("made");
    expect(world.git("cat-file", "commit", "HEAD")).toContain("gpgsig -----BEGIN PGP SIGNATURE-----");
    expect(world.read(join(world.outside, "at"))).toMatch(/\.git\/gaia-commit-\w+\n$/u);
    rmSync(dirname(sign), { recursive: true });
  });

  type Named = [what: string, settings: [name: string, value: string][]];
  const signers = readCases<Named>("sandbox/commit-programs.signers");
  it.each(signers)("do not run where an agent writes them: %s", async (_name, named) => {
    leaking("sign.sh", SIGN);
    symlinkSync(join(world.project, "sign.sh"), join(world.root, "link"));
    for (const [name, value] of named)
      set("local", [name, value.replace("{project}", world.project).replace("{root}", world.root)]);
    expect(await commit()).toMatch(/lies in the project, where agents write: it does not sign/u);
    expect([outside(), world.git("log", "--format=%s")]).toEqual(["as it was\n", "One\n"]);
  });
});

it("what the host starts by its name is none of the project's, though PATH begins there", async () => {
  for (const folder of ["node_modules/.bin", ".venv/bin"]) leaking(`${folder}/git`, 'exec /usr/bin/git "$@"');
  const folders = ["node_modules/.bin", join(world.project, "node_modules/.bin"), `${world.root}/bin`];
  symlinkSync(join(world.project, ".venv/bin"), join(world.root, "bin"));
  vi.stubEnv("PATH", [...folders, process.env["PATH"]].join(delimiter));
  write("a.txt", "two\n");
  const vcs = createVcs("git", world.project);
  expect(await vcs.fingerprint()).not.toBeNull();
  expect(JSON.stringify(await vcs.workingDiff(() => false))).toContain("two");
  expect(await commit(canContain ? "contained" : "uncontained")).toBe("made");
  expect(outside()).toBe("as it was\n");
});
