import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { call, result, say } from "../../src/scripted-model/turn.ts";
import { canContain } from "../support/bubblewrap.ts";
import { homeOf, startOpenCode } from "../support/opencode.ts";
import { openProject, type Project } from "../support/project.ts";
import { HEPHAESTUS_DONE, write } from "./collaboration-scenes.ts";

let project: Project;
let outside: string;
beforeEach(async () => {
  // Not below a temporary folder, which a sandbox replaces.
  outside = await realpath(await mkdtemp(join(homedir(), ".gaia-formatted-")));
});
afterEach(async () => {
  await project.close();
  await rm(outside, { recursive: true, force: true });
});

/** A specialist in autopilot writes the program that OpenCode runs behind its edits. @param answer null leaves it to the plugin */
async function armFormatter(answer: "reject" | null, policy: object = {}): Promise<void> {
  const mine = { command: ["./fmt", "$FILE"], extensions: [".js"] };
  project = await openProject({
    config: { formatter: { mine } },
    gaia: { mode: "autopilot", policy },
  });
  project.autoAnswer(({ permission, metadata }) =>
    permission === "edit" && JSON.stringify(metadata).includes("a.js") ? answer : null,
  );
  const arm = `printf '#!/bin/sh\\ntouch ${outside}/ran\\n' > fmt; chmod +x fmt`;
  project.model.script(
    "hephaestus",
    call("bash", { command: arm, description: "arm" }),
    write(project, "a.txt"),
    write(project, "a.js"),
    result(HEPHAESTUS_DONE),
  );
  project.model.always("hephaestus", result(HEPHAESTUS_DONE));
  project.model.script("gaia", call("delegate_gaia", { agent: "hephaestus", goal: "Write." }), say("Done."));
  await project.prompt("gaia", "Write");
  expect(existsSync(join(project.directory, "a.txt"))).toBe(true);
}

describe.runIf(canContain)("OpenCode's formatter, which no sandbox holds", () => {
  it("runs nothing behind an edit that a person has not agreed to, and runs behind one that they have", async () => {
    await armFormatter("reject");
    expect(existsSync(join(outside, "ran"))).toBe(false);
    expect(existsSync(join(project.directory, "a.js"))).toBe(false);
    // The program that was laid there is the same.
    project.autoAnswer(() => "once");
    project.model.script(
      "gaia",
      call("delegate_gaia", { agent: "hephaestus", goal: "Again." }),
      say("Done."),
    );
    project.model.script("hephaestus", write(project, "a.js"), result(HEPHAESTUS_DONE));
    await project.prompt("gaia", "Do write it");
    expect(existsSync(join(outside, "ran"))).toBe(true);
  });

  it("runs unasked where a pattern of the user's own names it", async () => {
    await armFormatter(null, { allow: ["GAIA_SANDBOX=off mine *"] });
    expect(existsSync(join(outside, "ran"))).toBe(true);
  });
});

/** A specialist in autopilot writes the program that OpenCode starts behind its next read. @param answer null leaves it to the plugin */
async function armServer(
  by: "bash" | "write",
  answer: "reject" | null,
  policy: object = {},
  agent: "hephaestus" | "aether" = "hephaestus",
): Promise<void> {
  const mine = { command: ["sh", "srv"], extensions: [".js"] };
  project = await openProject({
    config: { lsp: { mine } },
    gaia: { mode: "autopilot", policy },
    files: { "a.js": "1\n", ".gitignore": "srv\n" },
  });
  project.autoAnswer(({ permission }) => (permission === "bash" || permission === "edit" ? answer : null));
  const text = `touch ${outside}/ran\n`;
  const arm =
    by === "bash"
      ? call("bash", { command: `printf '${text}' > srv`, description: "arm" })
      : call("write", { filePath: join(project.directory, "srv"), content: text });
  const read = call("read", { filePath: join(project.directory, "a.js") });
  project.model.script(agent, arm, read, result(HEPHAESTUS_DONE));
  project.model.always(agent, result(HEPHAESTUS_DONE));
  project.model.script("gaia", call("delegate_gaia", { agent, goal: "Write." }), say("Done."));
  await project.prompt("gaia", "Write");
}

describe.runIf(canContain)("OpenCode's language servers, which no sandbox holds", () => {
  it.each(["bash", "write"] as const)("run nothing that a person has not agreed to, by %s", async (by) => {
    await armServer(by, "reject");
    expect(existsSync(join(project.directory, "srv"))).toBe(false);
  });

  it("run nothing that a check of aether's laid there, where git ignores it", async () => {
    await armServer("bash", "reject", {}, "aether");
    expect(existsSync(join(project.directory, "srv"))).toBe(false);
    expect(existsSync(join(outside, "ran"))).toBe(false);
  });

  it("run unasked where a pattern of the user's own names them", async () => {
    await armServer("bash", null, { allow: ["GAIA_SANDBOX=off lsp *"] });
    await expect.poll(() => existsSync(join(outside, "ran")), { timeout: 10_000 }).toBe(true);
  });
});

describe.runIf(canContain)("a folder of PATH in the project, as npx puts one there", () => {
  const evil = (): string => `#!/bin/sh\ntouch ${outside}/ran\n`;
  it.each([
    ["by bash", true],
    ["by bash where it is not there", false],
    ["by write", true],
  ])("gets no program that OpenCode starts by its name, %s", async (by, isThere) => {
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
    const command = `mkdir -p node_modules/.bin; printf '${evil().replaceAll("\n", "\\n")}' > node_modules/.bin/rg; chmod +x node_modules/.bin/rg`;
    const arm =
      by === "by write"
        ? call("write", { filePath: join(bin, "rg"), content: evil() })
        : call("bash", { command, description: "arm" });
    const search = call("grep", { pattern: "x" });
    project.model.script("hephaestus", arm, search, result(HEPHAESTUS_DONE));
    project.model.script(
      "gaia",
      call("delegate_gaia", { agent: "hephaestus", goal: "Write." }),
      say("Done."),
    );
    await project.prompt("gaia", "Write");
    expect(existsSync(join(outside, "ran"))).toBe(false);
    expect(existsSync(join(bin, "rg"))).toBe(false);
    const told = project.model.requestsOf("hephaestus")[1]?.raw ?? "";
    expect(told).toMatch(isThere ? /node_modules\/\.bin/ : /only the user makes [^ ]*node_modules\/\.bin/);
    await server.close();
  });
});

describe.runIf(canContain)("a package that OpenCode was started in", () => {
  it("gets no plugin or settings of OpenCode's by a command, and none in the folders above it", async () => {
    project = await openProject({ below: "packages/a", gaia: { mode: "autopilot" } });
    const command =
      "for at in . .. ../..; do mkdir -p $at/.opencode/plugin; : > $at/.opencode/plugin/x.js; : > $at/opencode.jsonc; done; : > made.txt";
    project.model.script(
      "hephaestus",
      call("bash", { command, description: "arm" }),
      result(HEPHAESTUS_DONE),
    );
    project.model.always("hephaestus", result(HEPHAESTUS_DONE));
    project.model.script("gaia", call("delegate_gaia", { agent: "hephaestus", goal: "Arm." }), say("Done."));
    await project.prompt("gaia", "Arm");
    const made = [".", "..", "../.."].flatMap((at) => [`${at}/.opencode`, `${at}/opencode.jsonc`]);
    expect(made.filter((path) => existsSync(join(project.directory, path)))).toEqual([]);
    expect(existsSync(join(project.directory, "made.txt"))).toBe(true);
  });
});
