import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { JsonRecord } from "../../src/lib/json.ts";
import { call } from "../../src/scripted-model/turn.ts";
import { canContain } from "../support/bubblewrap.ts";
import { homeOf, startOpenCode } from "../support/opencode.ts";
import { openProject, type Project } from "../support/project.ts";
import { bash, delegated, has, LONG_MS, write } from "./scenes.ts";

vi.setConfig({ testTimeout: LONG_MS });

let project: Project;
let outside: string;
beforeEach(async () => {
  // Not below a temporary folder, which a sandbox replaces.
  outside = await realpath(await mkdtemp(join(homedir(), ".gaia-ran-")));
});
afterEach(async () => {
  await project.close();
  await rm(outside, { recursive: true, force: true });
});

/** Whether a program of this name ran where no sandbox holds it. */
const ran = (name: string): boolean => existsSync(join(outside, name));
const read = (name: string) => call("read", { filePath: join(project.directory, name) });
/** A command that writes a program which does that. */
const arm = (name: string, path = name): string =>
  `printf '#!/bin/sh\\ntouch ${outside}/${name}\\n' > ${path}; chmod +x ${path}`;

/** What OpenCode runs behind edits of .js files, and starts behind a read or an edit of .ts ones. */
const PROGRAMS = {
  formatter: { mine: { command: ["./fmt", "$FILE"], extensions: [".js"] } },
  lsp: { mine: { command: ["sh", "srv"], extensions: [".ts"] } },
};
async function open(config: JsonRecord, policy: object = {}): Promise<void> {
  const files = { "a.ts": "1\n", ".gitignore": "srv\n" };
  project = await openProject({ config, gaia: { mode: "autopilot", policy }, files });
}

describe.runIf(canContain)("OpenCode's formatter and language servers, which no sandbox holds", () => {
  it("the formatter runs nothing behind an edit that a person has not agreed to, and runs behind one that they have", async () => {
    await open({ formatter: PROGRAMS.formatter });
    project.autoAnswer(({ permission, metadata }) =>
      permission === "edit" && JSON.stringify(metadata).includes("a.js") ? "reject" : null,
    );
    const turns = [bash(arm("fmt")), write(project, "a.txt"), write(project, "a.js")];
    await delegated(project, "hephaestus", turns);
    expect([has(project, "a.txt"), has(project, "a.js"), ran("fmt")]).toEqual([true, false, false]);
    // The program that was laid there is the same.
    project.autoAnswer(() => "once");
    await delegated(project, "hephaestus", [write(project, "a.js")]);
    expect(ran("fmt")).toBe(true);
  });

  it("servers run nothing that a person has not agreed to, whoever laid it there and how", async () => {
    await open({ lsp: PROGRAMS.lsp });
    project.autoAnswer(({ permission }) =>
      permission === "bash" || permission === "edit" ? "reject" : null,
    );
    // A check of aether's leaves it where git ignores it.
    await delegated(project, "aether", [bash(arm("srv")), read("a.ts")]);
    await delegated(project, "hephaestus", [bash(arm("srv")), read("a.ts")]);
    await delegated(project, "hephaestus", [write(project, "srv", `touch ${outside}/srv\n`), read("a.ts")]);
    expect([has(project, "srv"), ran("srv")]).toEqual([false, false]);
  });

  it("run unasked where patterns of the user's own name them", async () => {
    await open(PROGRAMS, { allow: ["GAIA_SANDBOX=off mine *", "GAIA_SANDBOX=off lsp *"] });
    const turns = [bash(arm("fmt")), write(project, "a.js"), bash(arm("srv")), read("a.ts")];
    await delegated(project, "hephaestus", turns);
    expect(ran("fmt")).toBe(true);
    await expect.poll(() => ran("srv"), { timeout: 10_000 }).toBe(true);
  });
});

describe.runIf(canContain)("a folder of PATH in the project, as npx puts one there", () => {
  it.each([true, false])(
    "gets no program that OpenCode starts by its name; it is there: %s",
    async (isThere) => {
      const server = await startOpenCode();
      project = await openProject({
        server,
        gaia: { mode: "autopilot" },
        files: { ".gitignore": "node_modules\n" },
      });
      const bin = join(project.directory, "node_modules/.bin");
      if (isThere) await mkdir(bin, { recursive: true });
      // The first folder of its PATH.
      await rm(join(homeOf(server.root), "bin"), { recursive: true });
      await symlink(bin, join(homeOf(server.root), "bin"));
      const { tools } = await delegated(project, "hephaestus", [
        bash(`mkdir -p node_modules/.bin; ${arm("rg", "node_modules/.bin/rg")}`),
        write(project, "node_modules/.bin/rg", `#!/bin/sh\ntouch ${outside}/rg\n`),
        call("grep", { pattern: "x" }),
      ]);
      expect([ran("rg"), existsSync(join(bin, "rg"))]).toEqual([false, false]);
      const wall = isThere ? /node_modules\/\.bin/ : /only the user makes [^ ]*node_modules\/\.bin/;
      expect(`${tools[0]?.output}${tools[0]?.error}`).toMatch(wall);
      expect(tools[1]?.status).toBe("error");
      await server.close();
    },
  );
});

describe.runIf(canContain)("a package that OpenCode was started in", () => {
  it("gets no plugin or settings of OpenCode's by a command, and none in the folders above it", async () => {
    project = await openProject({ below: "packages/a", gaia: { mode: "autopilot" } });
    await delegated(project, "hephaestus", [
      bash(
        "for at in . .. ../..; do mkdir -p $at/.opencode/plugin; : > $at/.opencode/plugin/x.js; : > $at/opencode.jsonc; done; : > made.txt",
      ),
    ]);
    const made = [".", "..", "../.."].flatMap((at) => [`${at}/.opencode`, `${at}/opencode.jsonc`]);
    expect(made.filter((path) => has(project, path))).toEqual([]);
    expect(has(project, "made.txt")).toBe(true);
  });
});
