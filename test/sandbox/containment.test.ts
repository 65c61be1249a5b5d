import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/async.ts";
import type { ContainmentInput } from "../../src/sandbox/port.ts";
import { canContain } from "../support/bubblewrap.ts";
import { openFolder } from "../support/directory.ts";
import { has, openWorld, type Ran, READ, type World, WRITE } from "./world.ts";

/** A filter that lets everything through. */
const ALLOWING = Buffer.from("060000000000ff7f", "hex");

/** The time of day, which can be turned. */
function turnable() {
  let ahead = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + ahead };
  return { clock, turn: (ms: number) => void (ahead += ms) };
}

let world: World;
/** Another world in place of the one that there is. */
function reopen(given: Partial<ContainmentInput>): void {
  world.close();
  world = openWorld(given);
}
beforeEach(() => void (world = openWorld()));
afterEach(() => world.close());
/** Whether a path of the project is there. */
const isThere = (path: string): boolean => existsSync(join(world.project, path));
const makeFolder = (...path: string[]): void => void mkdirSync(join(...path), { recursive: true });
const wrapAs = async (callId: string) =>
  world.containment.wrap({ callId, folder: world.project, profile: WRITE });

/** Runs what the plugin would run itself. */
async function byHost(command: string, profile = READ): Promise<string> {
  const [program, ...args] = await world.containment.command(profile, world.project, command);
  const { environment: env, project: cwd } = world;
  return execFileSync(program, args, { env, cwd, encoding: "utf8", stdio: "pipe" });
}

/** A folder with a wrapper that does something first. */
async function wrapperThat(script: string): Promise<string> {
  const folder = await openFolder();
  const text = `#!/bin/sh\n${script.replaceAll("FOLDER", folder)}\nexec /usr/bin/bwrap "$@"\n`;
  writeFileSync(join(folder, "bwrap"), text, { mode: 0o755 });
  return folder;
}
const setAsideBy = ({ finished }: Ran): string[] | undefined => finished?.setAside.map(({ path }) => path);

const shells = has("zsh") ? ["/bin/bash", "/usr/bin/zsh"] : ["/bin/bash"];

describe.runIf(canContain).each(shells)("a command in %s, in bubblewrap", (shell) => {
  beforeEach(() => reopen({ shell: () => shell }));

  it("runs as it stands, in its folder, with its status, and keeps a private folder for the next one", async () => {
    makeFolder(world.project, "sub");
    const command = `printf '%s|' "it's" "$(pwd)" "a  b"; exit 7`;
    const ran = await world.run(command, WRITE, join(world.project, "sub"));
    expect(ran).toMatchObject({ status: 7, output: `it's|${join(world.project, "sub")}|a  b|` });
    expect(await world.containment.ready()).toEqual({ kind: "ready" });
    await world.run("echo kept > /tmp/kept", WRITE);
    expect((await world.run("cat /tmp/kept", READ)).output).toBe("kept\n");
    expect(existsSync("/tmp/kept")).toBe(false);
    // What the host runs to prove the work sees nothing of it.
    expect(await byHost("ls /tmp", WRITE)).toBe("");
  });

  it("cannot commit, and is told who can, and changes nothing where it may only read", async () => {
    const before = readFileSync(join(world.project, ".git/index"));
    const ran = await world.run("echo two > b.txt; git add b.txt && git commit -qm Two", WRITE);
    expect(ran.status).not.toBe(0);
    expect(world.explain(ran)).toContain(".git is read-only; plan_gaia commit records the work");
    expect(world.git("log", "--format=%s")).toBe("One\n");
    expect(readFileSync(join(world.project, ".git/index"))).toEqual(before);
    const reading = await world.run("cat a.txt; echo x > c.txt; git commit --allow-empty -qm Two", READ);
    expect(reading.output).toMatch(/^one\n[^]*read-only file system/i);
    expect(readdirSync(world.project)).not.toContain("c.txt");
    expect(world.git("log", "--format=%s")).toBe("One\n");
  });

  it("reads the repository without a word about locks", async () => {
    const reading = "status --short|diff|log --oneline|show --stat|blame a.txt|stash list|branch -a|ls-files";
    for (const profile of [READ, WRITE]) {
      const commands = reading.split("|").map((args) => `git ${args}`);
      const line = `echo more >> a.txt; { ${commands.join(" && ")}; } 2>&1 >/dev/null`;
      const ran = await world.run(line, profile);
      expect(ran.status).toBe(0);
      expect(ran.output).not.toMatch(/index|lock|fatal/u);
    }
  });

  it("runs though a socket goes away while it starts", async () => {
    await world.containment.ready();
    const path = join(world.outside, "agent.sock");
    const server = createServer().listen(path);
    await once(server, "listening");
    const variables = await wrapAs("one");
    const [program, ...args] = await world.containment.command(WRITE, world.project, "cat a.txt");
    await new Promise((done) => server.close(done));
    const options = { cwd: world.project, encoding: "utf8" } as const;
    const env = { ...world.environment, ...variables };
    expect(execFileSync(shell, ["-c", "cat a.txt"], { ...options, env })).toBe("one\n");
    expect(execFileSync(program, args, { ...options, env: world.environment })).toBe("one\n");
    expect(world.containment.finish("one")?.isProven).toBe(true);
  });

  it("makes a repository further in and goes on with it, while those of the user are read-only", async () => {
    const { clock, turn } = turnable();
    reopen({ shell: () => shell, clock });
    const deep = "a/b/c/d/e/f/g/h/i/theirs";
    for (const name of ["theirs", "tests/theirs", "build/dep", deep]) world.git("init", "-q", name);
    world.git("init", "-q", "--bare", "theirs.git");
    const ran = await world.run("git init -q lib/own && git -C lib/own commit -q --allow-empty -m x", WRITE);
    expect(ran).toMatchObject({ status: 0, output: "", finished: { setAside: [] } });
    turn(60_000);
    const again = "git -C lib/own commit -q --allow-empty -m y && git clone -q lib/own other && rm -rf lib";
    expect(await world.run(again, WRITE)).toMatchObject({ status: 0, output: "" });
    for (const command of [
      "git -C theirs commit -q --allow-empty -m x",
      "git -C tests/theirs config user.name A",
      "git -C build/dep config user.name A",
      `echo exit > ${deep}/.git/hooks/pre-commit`,
      "git -C other push -q ../theirs.git HEAD:x",
      "mv tests t",
    ]) {
      const refused = await world.run(command, WRITE);
      expect(refused.status, command).not.toBe(0);
      expect(world.explain(refused), refused.output).toMatch(/\.git is read-only|cannot be moved/u);
    }
    expect(world.git("-C", "theirs.git", "for-each-ref")).toBe("");
  });

  it("makes none where the index has a submodule, nor at the root, where there was none", async () => {
    const head = world.git("rev-parse", "HEAD").trim();
    world.git("update-index", "--add", "--cacheinfo", `160000,${head},sub`);
    makeFolder(world.project, "sub");
    const nested = await world.run("git init -q sub", WRITE);
    expect(setAsideBy(nested)).toEqual([join(world.project, "sub/.git")]);
    rmSync(join(world.project, ".git"), { recursive: true });
    const ran = await world.run("git init -q -b main", WRITE);
    expect(setAsideBy(ran)).toEqual([join(world.project, ".git")]);
    expect(isThere(".git")).toBe(false);
  });

  it("has the user's own startup file inside", async () => {
    const isBash = shell.endsWith("bash");
    const file = join(world.home, isBash ? "start.sh" : ".zshenv");
    writeFileSync(file, "OWN=yes\n");
    world.environment[isBash ? "BASH_ENV" : "ZDOTDIR"] = isBash ? file : world.home;
    expect((await world.run('echo "own: $OWN"', WRITE)).output).toBe("own: yes\n");
  });
});

describe.runIf(canContain)("places, in bubblewrap", () => {
  it("of a linked worktree's repository are read-only, wherever they lie", async () => {
    const first = world;
    const lane = join(first.root, "lane");
    first.git("worktree", "add", "-q", lane);
    // All of it would be writable by the user's own word.
    world = openWorld({ project: lane, writable: [first.root] });
    const before = first.git("for-each-ref");
    const command =
      'echo x > b.txt; git add b.txt; git commit -qm Lane; git config user.name evil; git tag x; cd "$(git rev-parse --git-common-dir)"; echo x > hooks/pre-commit; echo x > worktrees/lane/HEAD';
    const ran = await world.run(command, WRITE, lane);
    expect(readFileSync(join(lane, "b.txt"), "utf8")).toBe("x\n");
    expect(first.git("for-each-ref")).toBe(before);
    expect(ran.output).toMatch(/config[^]*hooks\/pre-commit: Read-only file system/);
    expect(readFileSync(join(first.project, ".git/config"), "utf8")).not.toContain("evil");
    expect(readFileSync(join(first.project, ".git/worktrees/lane/HEAD"), "utf8")).not.toBe("x\n");
    first.close();
  });

  it("are written where the user says so, and shown where they allow it", async () => {
    reopen({ writable: ["~/allowed", "relative"], allowSensitive: [".env"] });
    makeFolder(world.home, "allowed");
    const ran = await world.run('echo x > "$HOME/allowed/a"; echo x > "$HOME/not"; cat .env', WRITE);
    expect(existsSync(join(world.home, "allowed/a"))).toBe(true);
    expect(existsSync(join(world.home, "not"))).toBe(false);
    expect(ran.output).toContain("hunter2");
  });

  it("are not shown where a build has copied them, and are where a package brings its own", async () => {
    for (const folder of [".next/standalone", "node_modules/p"])
      world.write(`${folder}/.env`, `in ${folder}\n`);
    const ran = await world.run("cat .next/standalone/.env node_modules/p/.env", READ);
    expect(ran.output).toBe("in node_modules/p\n");
  });

  it("of units' branches are read, and nothing beside them", async () => {
    const folder = join(world.home, ".local/share/opencode-gaia/worktree/key");
    world.write(join(folder, "units/unit/a.txt"), "the work\n");
    world.write(join(folder, "landing-0.json"), "a landing\n");
    const line = `cd ${folder}; cat units/unit/a.txt landing-0.json; echo x > units/unit/b`;
    const ran = await world.run(line, WRITE);
    expect(ran.output).toContain("the work");
    expect(ran.output).not.toContain("a landing");
    expect(existsSync(join(folder, "units/unit/b"))).toBe(false);
  });

  it("that become a link lead nothing of the user's away", async () => {
    rmSync(join(world.project, ".gaia"), { recursive: true });
    makeFolder(world.outside, "agents");
    const ran = await world.run('ln -s "$OUTSIDE" .gaia', WRITE);
    expect(setAsideBy(ran)).toEqual([join(world.project, ".gaia")]);
    expect(readdirSync(world.outside)).toEqual(["agents", "file"]);
    expect((await world.run("mkdir .gaia", WRITE)).finished?.setAside).toEqual([]);
  });

  it("that the command could not write are left to who made something there meanwhile", async () => {
    const { containment, project } = world;
    await containment.ready();
    await wrapAs("long");
    makeFolder(project, ".gaia/knowledge");
    world.write(".gaia/findings.md", "of CI\n");
    expect(containment.finish("long")?.setAside).toEqual([]);
    rmSync(join(project, ".gaia"), { recursive: true });
    const names = ["findings.md", "knowledge", "learnings.md"];
    const ran = await world.run(`mkdir .gaia; cd .gaia; mkdir ${names.join(" ")}`, WRITE);
    expect(setAsideBy(ran)?.toSorted()).toEqual(names.map((name) => join(project, ".gaia", name)));
  });

  it("show no secret to what the plugin runs itself", async () => {
    await world.containment.ready();
    const shown = await byHost("cat /proc/*/environ");
    expect(shown).not.toContain("TOKEN-OF-THE-ENVIRONMENT");
    expect(shown).toContain("GAIA_CONTAINED=read");
  });

  it("that are links are not turned to elsewhere", async () => {
    makeFolder(world.project, "real");
    symlinkSync("real", join(world.project, ".opencode"));
    const ran = await world.run("rm .opencode; mkdir evil; ln -s evil .opencode", WRITE);
    expect(setAsideBy(ran)).toEqual([join(world.project, ".opencode")]);
    expect(isThere(".opencode")).toBe(false);
  });
});

describe.runIf(canContain)("the filter of system calls, in bubblewrap", () => {
  const filters = "grep Seccomp: /proc/self/status";

  it.each(shells)(
    "is there for a command in %s, which has no descriptor of it, and for what the plugin runs itself",
    async (shell) => {
      reopen({ shell: () => shell });
      const ran = await world.run(`${filters}; [ -e /proc/self/fd/9 ] || echo closed`, READ);
      expect(ran.output).toBe("Seccomp:\t2\nclosed\n");
      expect(await byHost(filters)).toBe("Seccomp:\t2\n");
    },
  );

  it("is done without where none is known, or bubblewrap or the kernel has none, and that is said", async () => {
    reopen({ architecture: "mips" });
    expect(await world.containment.ready()).toEqual({ kind: "ready", unfiltered: "none is known for mips" });
    expect((await world.run(filters, READ)).output).toBe("Seccomp:\t0\n");
    const refusal = "prctl(PR_SET_SECCOMP): Invalid argument";
    const script = `case " $* " in *" --seccomp "*) echo "bwrap: ${refusal}" >&2; exit 1;; esac`;
    reopen({ wrapperFolders: [await wrapperThat(script)] });
    expect(await world.containment.ready()).toEqual({ kind: "ready", unfiltered: `bwrap: ${refusal}` });
    expect((await world.run(filters, READ)).output).toBe("Seccomp:\t0\n");
  });

  it("is not done without because the try failed otherwise", async () => {
    const script = 'case " $* " in *" --seccomp "*) exit 1;; esac';
    reopen({ wrapperFolders: [await wrapperThat(script)] });
    expect(await world.containment.ready()).toMatchObject({ kind: "unavailable" });
  });
});

it.runIf(canContain)("is tried again where something went away while it was being contained", async () => {
  const words = "bwrap: Can't create file at /x/socket: Read-only file system";
  const script = `[ -e 'FOLDER/again' ] || { : > 'FOLDER/again'; echo "${words}" >&2; exit 1; }`;
  reopen({ wrapperFolders: [await wrapperThat(script)] });
  expect(await world.containment.ready()).toEqual({ kind: "ready" });
});

describe.runIf(canContain)("what is not contained does not run, in bubblewrap", () => {
  it("after the wrapper is gone", async () => {
    const wrapper = join(await openFolder(), "bwrap");
    copyFileSync("/usr/bin/bwrap", wrapper);
    chmodSync(wrapper, 0o755);
    reopen({ wrapperFolders: [dirname(wrapper)] });
    expect(await world.containment.ready()).toEqual({ kind: "ready" });
    const variables = await wrapAs("late");
    rmSync(wrapper);
    Object.assign(world.environment, variables);
    const ran = await world.run("echo x > made.txt", null);
    expect(ran).toMatchObject({ status: 126, output: expect.stringContaining("the wrapper is gone") });
    expect(isThere("made.txt")).toBe(false);
    const why = expect.stringContaining("gone") as string;
    expect(await world.containment.ready()).toMatchObject({ kind: "unavailable", why });
  });

  const own = (): string => join(world.home, ".local/share/opencode-gaia/containment");
  const filterOf = (): string => join(own(), readdirSync(own())[0] ?? "", "filter");

  it.each(shells)(
    "after the filter of system calls is gone, in %s; the next call has it again",
    async (shell) => {
      reopen({ shell: () => shell });
      expect(await world.containment.ready()).toEqual({ kind: "ready" });
      const variables = await wrapAs("gone");
      const filter = filterOf();
      rmSync(filter);
      Object.assign(world.environment, variables);
      const ran = await world.run("echo x > made.txt", null);
      expect(ran).toMatchObject({ status: 126, output: expect.stringContaining("filter is gone") });
      expect(isThere("made.txt")).toBe(false);
      writeFileSync(filter, ALLOWING);
      await wrapAs("later");
      expect(readFileSync(filter).equals(ALLOWING)).toBe(false);
    },
  );

  it("after the filter is gone, of what the plugin runs itself", async () => {
    await world.containment.ready();
    const [program, ...args] = await world.containment.command(WRITE, world.project, "echo x > made.txt");
    rmSync(filterOf());
    expect(() => execFileSync(program, args, { env: world.environment, stdio: "pipe" })).toThrow("filter");
    expect(isThere("made.txt")).toBe(false);
  });

  it("in a shell that does not take part", async () => {
    reopen({ shell: () => "/bin/sh" });
    expect(await world.containment.ready()).toMatchObject({ why: expect.stringContaining("/bin/sh") });
    await expect(wrapAs("x")).rejects.toThrow("does not take part");
    // What the plugin runs itself needs no shell of the user's.
    expect(await world.containment.hostReady()).toEqual({ kind: "ready" });
    const command = "echo x > made.txt; echo y > $OUTSIDE/file; echo z > .git/config";
    await expect(byHost(command, WRITE)).rejects.toThrow("Read-only");
    expect(isThere("made.txt")).toBe(true);
    expect(readFileSync(join(world.outside, "file"), "utf8")).toBe("as it was\n");
  });

  it("and is noticed where the shell read no file of ours", async () => {
    await world.containment.ready();
    await wrapAs("x");
    // Nothing of what was prepared reached a shell.
    expect(world.containment.finish("x")).toMatchObject({ isProven: false });
    expect(await world.containment.ready()).toMatchObject({ kind: "unavailable" });
  });

  it("and nothing is left behind", async () => {
    await world.run("echo x > /tmp/x", WRITE);
    expect(readdirSync(own())).toHaveLength(1);
    world.containment.dispose();
    expect(readdirSync(own())).toEqual([]);
    expect(world.git("status", "--short", "--ignored")).toBe("?? .env\n?? .gaia/\n");
  });
});

it("without a wrapper nothing is contained, and it is said why", async () => {
  reopen({ wrapperFolders: [] });
  world.environment["PATH"] = "/nowhere";
  const why = "bubblewrap (bwrap) is not installed";
  expect(await world.containment.ready()).toEqual({ kind: "unavailable", why });
  expect(world.read("a.txt")).toBe("one\n");
});
