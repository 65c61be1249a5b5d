import { execFile } from "node:child_process";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { hermeticEnvironment, openCodeBinary } from "../../src/cli/demo/environment.ts";
import { recordOf } from "../../src/lib/json.ts";
import { say } from "../../src/scripted-model/turn.ts";
import { writeIn } from "../support/directory.ts";
import { furnishHome, pretendInstalled } from "../support/opencode.ts";
import { openProject, type Project } from "../support/project.ts";
import { startRegistry } from "../support/registry.ts";
import { openTui } from "../support/tui.ts";

const run = promisify(execFile);

let root: string;
let tarball: string;
let environment: NodeJS.ProcessEnv;
let project: Project;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "gaia-package-")));
  const hermetic = hermeticEnvironment(join(root, "home"));
  const PATH = [dirname(openCodeBinary()), hermetic["PATH"]].join(delimiter);
  environment = { ...hermetic, PATH };
  await furnishHome(join(root, "home"));
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", root];
  const { stdout } = await run("npm", args);
  tarball = join(root, String(recordOf((JSON.parse(stdout) as unknown[])[0])["filename"]));
});
afterEach(async () => project.close());
afterAll(async () => rm(root, { recursive: true, force: true, maxRetries: 5 }));

/** A project that has OpenCode configured, and the tarball installed without any network. */
async function openInstalled(): Promise<Project> {
  const opened = await openProject({
    plugin: false,
    files: { "package.json": '{ "name": "empty", "private": true }' },
  });
  await rm(join(opened.directory, ".gaia"), { recursive: true });
  const install = ["install", "--offline", "--no-audit", "--no-fund", tarball];
  await run("npm", install, { cwd: opened.directory, env: environment });
  return opened;
}

/** The installed CLI; its output also when it exits with another code than 0. */
async function cli(...args: string[]): Promise<{ code: number; output: string }> {
  const command = join(project.directory, "node_modules/.bin/opencode-gaia");
  const options = { cwd: project.directory, env: environment };
  return run(command, args, options).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    (error: { code: number; stdout: string }) => ({ code: error.code, output: error.stdout }),
  );
}

async function askGaia(): Promise<string> {
  await project.call("POST", "/instance/dispose");
  project.model.script("gaia", say("I am installed."));
  return (await project.prompt("gaia", "Hello")).text;
}

/** What the sidebar shows once GAIA has answered in the TUI. */
async function panelInTui(): Promise<string> {
  const tui = await openTui(project.directory, join(root, "home"));
  try {
    project.model.script("gaia", say("I have a panel."));
    await tui.shows("Ask anything");
    await tui.select("Gaia");
    await tui.submit("Hello");
    await tui.shows("I have a panel.");
    await tui.shows(() => tui.sidebar().includes("GAIA"));
    return tui.sidebar();
  } finally {
    await tui.close();
  }
}

describe("the tarball in an empty project", () => {
  it("brings no other package along, is set up by init, found healthy by doctor, and loaded: GAIA answers", async () => {
    project = await openInstalled();
    const { stdout } = await run("npm", ["ls", "--all", "--parseable"], {
      cwd: project.directory,
      env: environment,
    });
    expect(stdout.trim().split("\n")).toEqual([
      project.directory,
      join(project.directory, "node_modules/opencode-gaia"),
    ]);
    const config = await project.read("opencode.json");
    const before = await cli("doctor");
    expect(before.code).toBe(1);
    expect(before.output).toContain("Run: npx opencode-gaia init");

    const { code, output } = await cli("init");
    expect(output).toMatch(/changed opencode\.json: lists "\.\/node_modules\/opencode-gaia"/);
    expect(output).toMatch(/created tui\.json: lists "\.\/node_modules\/opencode-gaia"/);
    expect(code).toBe(0);
    expect(await project.read(".gaia/config.jsonc")).toContain(
      '"../node_modules/opencode-gaia/dist/gaia.schema.json"',
    );

    expect(await askGaia()).toBe("I am installed.");

    const examined = await cli("doctor");
    expect(examined.output).not.toMatch(/^error /m);
    expect(examined.output).toContain("ok     OpenCode was started and loads it.\n");
    expect(examined.output).toContain(
      `ok     The panel is listed as "./node_modules/opencode-gaia" in ${project.directory}/tui.json.\n`,
    );
    expect(examined.code).toBe(0);

    await writeIn(project.directory, "tui.json", '{ "plugin": "opencode-gaia" }');
    const broken = await cli("doctor");
    expect(broken.output).toMatch(
      /^error {2}\S+\/tui\.json:1:13: "plugin" is not a list\..*\n +→ Correct it/m,
    );
    expect(broken.code).toBe(1);

    await writeIn(project.directory, "tui.json", '{ "plugin": ["./node_modules/opencode-gaia"] }');
    const gone = await cli("uninstall");
    expect(gone.output).toContain("the package itself: npm uninstall opencode-gaia");
    expect(gone.code).toBe(0);
    expect(await project.read("opencode.json")).toBe(config);
    expect((await cli("doctor")).output).toContain("Run: npx opencode-gaia init");
  }, 180_000);

  it("is set up by OpenCode's own plugin command as well, and init then finds it", async () => {
    project = await openInstalled();
    const path = join(project.directory, "node_modules/opencode-gaia");
    // OpenCode ends in the middle of an installation of its types, and the next start waits a minute for its lock.
    await pretendInstalled(join(project.directory, ".opencode"));
    await run("opencode", ["plugin", path], { cwd: project.directory, env: environment });
    const { output } = await cli("init");
    expect(output).toContain("unchanged .opencode/opencode.json: lists the plugin already");
    expect(output).toContain("unchanged .opencode/tui.json: lists the plugin already");
    expect(await askGaia()).toBe("I am installed.");
    expect(await panelInTui()).toContain("GAIA  supervised · standard");
  }, 180_000);
});

it.each([
  ["its name, from a registry", () => "opencode-gaia"],
  ["a tarball", () => `file:${tarball}`],
])(
  "OpenCode's own plugin command, in a project that has nothing installed takes %s: GAIA answers",
  async (_what, spec) => {
    project = await openProject({ plugin: false });
    const registry = await startRegistry(tarball);
    // A cache of its own: the shared one would hold what the other case has installed.
    const home = await mkdtemp(join(root, "user-"));
    const { npm_config_offline: _offline, ...online } = hermeticEnvironment(home);
    const options = {
      cwd: project.directory,
      env: { ...online, PATH: environment["PATH"], npm_config_registry: registry.url },
    };
    try {
      await run("opencode", ["plugin", spec()], options);
      expect(JSON.parse(await project.read(".opencode/opencode.json"))).toMatchObject({ plugin: [spec()] });
      project.model.script("gaia", say("I am installed."));
      const answering = run("opencode", ["run", "--agent", "gaia", "Hello"], options);
      answering.child.stdin?.end(); // It would wait for more to come.
      expect((await answering).stdout).toContain("I am installed.");
    } finally {
      await registry.close();
    }
  },
  180_000,
);
