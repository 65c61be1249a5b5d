import { createHash } from "node:crypto";
import { chmod, chown, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { git } from "../../checks/project.ts";
import { renderDoctorReport } from "../../../src/cli/doctor/command.ts";
import { ended, mergedConfig, openHealthyScene, type DoctorScene } from "./scene.ts";

let scene: DoctorScene;
beforeEach(async () => {
  scene = await openHealthyScene();
});
afterEach(async () => scene.close());

const CONFIG = "project/.gaia/config.jsonc";

describe("a healthy set-up", () => {
  it("gives nothing but good news, and exit code 0", async () => {
    const report = await scene.report();
    expect(report.findings.filter(({ level }) => level !== "ok")).toEqual([]);
    expect(report.healthy).toBe(true);
    expect(renderDoctorReport(report, false)).toMatch(/All is well\.$/);
  });
});

describe.runIf(process.getuid?.() === 0)("a repository of another user, as in a container", () => {
  it("is told of, with the command by which git trusts it", async () => {
    for (const path of [".", ".git"]) await chown(join(scene.project, path), 4_242, 4_242);
    const found = (await scene.examine()).filter(({ check }) => check === "git");
    expect(found).toMatchObject([
      {
        level: "error",
        what: expect.stringMatching(/^git does not trust \S+project, which belongs to another user\./),
        fix: expect.stringMatching(/git config --global --add safe\.directory '\S+project'$/),
      },
    ]);
  });
});

/** What is wrong, how it is planted, and which finding must say so. */
type Case = [
  name: string,
  plant: () => Promise<unknown> | void,
  finding: { check: string; level: "ok" | "warn" | "error"; what: RegExp; fix: RegExp | null },
];

const PLANTED: Case[] = [
  [
    "a folder without version control",
    async () => scene.remove("project/.git"),
    { check: "git", level: "warn", what: /not under version control/, fix: /git init/ },
  ],
  [
    "a model whose answers had to be repaired",
    async () => {
      const entry = { kind: "task", agent: "hades", model: "p/k2p5", status: "completed" };
      const lines = [entry, { ...entry, isRepaired: true }].map((each) => JSON.stringify(each));
      await scene.put("project/.gaia/.local/spending/2026-01.jsonl", `${lines.join("\n")}\n`);
    },
    {
      check: "answers",
      level: "ok",
      what: /^Answers of p\/k2p5: 1 of 2 answers needed a repair \(hades 1\)\.$/,
      fix: /agents\.<name>\.model/,
    },
  ],
  [
    "a repository that git does not read",
    async () => scene.put("project/.git/HEAD", "nothing\n"),
    {
      check: "git",
      level: "error",
      what: /does not read the repository of .*not a git repository/,
      fix: /worktree repair/,
    },
  ],
  [
    "a commit hook that somebody wrote over",
    async () => {
      await git(scene.project, "init", "-q");
      await scene.put("project/.git/opencode-gaia-hook", "");
      await scene.put("project/.git/hooks/pre-commit", "#!/bin/sh\ncall_lefthook run pre-commit\n");
    },
    { check: "commit-hook", level: "warn", what: /is not run any more/, fix: /hook install.*lefthook\.yml/ },
  ],
  [
    "a branch with a worktree whose unit is archived",
    async () => {
      const key = createHash("sha256").update(scene.project).digest("hex").slice(0, 12);
      const note = (unit: string): string =>
        `data/opencode-gaia/worktree/${key}/unit-notes/${unit}/note.json`;
      await scene.put(note("before"), "{}");
      await scene.put(note("now"), "{}");
      await mkdir(join(scene.project, ".gaia/now"));
    },
    {
      check: "lanes",
      level: "warn",
      what: /^Work in worktrees has not landed: gaia\/before \(archived\)\.$/,
      fix: /^opencode-gaia lanes$/,
    },
  ],
  [
    "no language server for what the project is written in",
    async () => {
      await scene.put("user/opencode/gaia.jsonc", '{ "code": "on" }');
      await scene.put("project/src/main.go", "package main\n");
    },
    {
      check: "language-servers",
      level: "warn",
      what: /^No language server for go was found\.$/,
      fix: /go install golang\.org\/x\/tools\/gopls/,
    },
  ],
  [
    "a language server of the user's, where they are asked",
    async () => {
      await scene.put("user/opencode/gaia.jsonc", '{ "code": "on" }');
      await scene.put("project/src/main.go", "package main\n");
      await chmod(await scene.put("bin/gopls", "#!/bin/sh\n"), 0o755);
    },
    { check: "language-servers", level: "ok", what: /^Language servers: go \(.*bin\/gopls\)\.$/, fix: null },
  ],
  [
    "a model of a provider that is not connected",
    async () =>
      scene.put(
        CONFIG,
        '{ "preset": "local", "agents": { "minerva": { "model": "nowhere/large", "fallback": ["acme/two"] } } }',
      ),
    {
      check: "models",
      level: "warn",
      what: /minerva is to run on nowhere\/large, but provider "nowhere" is not connected\. It runs on acme\/two/,
      fix: /opencode auth login.*agents\.minerva\.model/,
    },
  ],
  [
    "a misspelt model of a provider that is connected",
    async () => scene.put(CONFIG, '{ "preset": "local", "agents": { "gaia": { "model": "acme/tow" } } }'),
    {
      check: "models",
      level: "warn",
      what: /gaia is to run on acme\/tow, but acme has no such model/,
      fix: /Did you mean "acme\/two"\?/,
    },
  ],
  [
    "no model of any chain",
    async () => scene.put(CONFIG, "{}"),
    {
      check: "models",
      level: "warn",
      what: /No model of gaia, minerva, .* more is available/,
      fix: /"preset": "local".*openai.*choose models of acme/,
    },
  ],
  [
    "no model at all",
    () => void Object.assign(scene.answers, { "models --verbose": ended("") }),
    { check: "models", level: "error", what: /no model that can be used/, fix: /opencode auth login/ },
  ],
  [
    "a budget in money that a model without a price does not come to",
    async () => {
      await scene.put(
        CONFIG,
        '{ "agents": { "minerva": { "model": "acme/two" } }, "budget": { "perDay": { "cost": 1 } } }',
      );
      scene.answers["models --verbose"] = ended(
        'acme/one\n{\n  "cost": {\n    "input": 1,\n    "output": 2\n  }\n}\nacme/two\n{\n  "cost": {\n    "input": 0,\n    "output": 0\n  }\n}\n',
      );
    },
    {
      check: "budget",
      level: "warn",
      what: /no price for acme\/two: it counts as free for budget\.perDay\.cost/,
      fix: /budget\.perDay\.tokens/,
    },
  ],
  [
    "a budget in money where no model has a price, whichever the session runs on",
    async () => {
      await scene.put(CONFIG, '{ "preset": "local", "budget": { "perDay": { "cost": 1 } } }');
      const free = '{\n  "cost": {\n    "input": 0,\n    "output": 0\n  }\n}\n';
      scene.answers["models --verbose"] = ended(`acme/one\n${free}acme/two\n${free}`);
    },
    { check: "budget", level: "warn", what: /no price for acme\/one, acme\/two/, fix: /tokens/ },
  ],
  [
    "a budget in money that holds",
    async () => {
      await scene.put(CONFIG, '{ "preset": "local", "budget": { "perDay": { "cost": 1 } } }');
      const free = '{\n  "cost": {\n    "input": 0,\n    "output": 0\n  }\n}\n';
      scene.answers["models --verbose"] = ended(
        `acme/one\n{ "cost": { "input": 1, "output": 2 } }\nacme/two\n${free}`,
      );
    },
    { check: "budget", level: "ok", what: /have a price\. 1 models have none and count as free/, fix: null },
  ],
  [
    "an unknown key",
    async () => scene.put(CONFIG, '{\n  "preset": "local",\n  "visiblity": "live"\n}'),
    {
      check: "configuration",
      level: "error",
      what: /^\.gaia\/config\.jsonc:3:3 visiblity: unknown key\.$/,
      fix: /Did you mean "visibility"\?/,
    },
  ],
  [
    "a syntax error in GAIA's configuration",
    async () => scene.put(CONFIG, '{\n  "preset" "local"\n}'),
    {
      check: "configuration",
      level: "error",
      what: /config\.jsonc:2:\d+.*colon is missing/,
      fix: /Correct it/,
    },
  ],
  [
    "a file that cannot be read",
    async () => {
      await scene.remove(CONFIG);
      await mkdir(join(scene.project, ".gaia/config.jsonc"));
    },
    {
      check: "configuration",
      level: "error",
      what: /config\.jsonc: is a directory, not a file/,
      fix: /Remove it/,
    },
  ],
  [
    "options in opencode.json that do not fit",
    () =>
      void Object.assign(scene.answers, {
        "debug config": mergedConfig([
          { spec: ["opencode-gaia", { mode: "yolo" }], source: "/x/opencode.json" },
        ]),
      }),
    {
      check: "configuration",
      level: "error",
      what: /plugin options mode: not an allowed value/,
      fix: /Expected: "supervised"/,
    },
  ],
  [
    "an OpenCode that is too old",
    () => void Object.assign(scene.answers, { "--version": ended("1.10.0\n") }),
    {
      check: "opencode-version",
      level: "error",
      what: /OpenCode 1\.10\.0 is not supported: opencode-gaia needs >=/,
      fix: /opencode upgrade/,
    },
  ],
  [
    "an OpenCode that is too new",
    () => void Object.assign(scene.answers, { "--version": ended("2.0.1\n") }),
    {
      check: "opencode-version",
      level: "error",
      what: /2\.0\.1 is not supported/,
      fix: /npm install -g opencode-ai@1/,
    },
  ],
  [
    "no OpenCode",
    () => void Object.assign(scene.answers, { "--version": { state: "missing" } }),
    {
      check: "opencode-version",
      level: "error",
      what: /not found on the PATH/,
      fix: /npm install -g opencode-ai/,
    },
  ],
  [
    "an opencode.json that OpenCode cannot read",
    () =>
      void Object.assign(scene.answers, {
        "debug config": ended(
          "",
          1,
          "\u001B[91mError:\u001B[0m Config file at /x/opencode.json is not valid JSON(C)",
        ),
      }),
    {
      check: "plugin-loaded",
      level: "error",
      what: /failed: Error: Config file at \/x\/opencode\.json is not valid/,
      fix: /Correct the file/,
    },
  ],
  [
    "an OpenCode that hangs",
    () => void Object.assign(scene.answers, { "debug config": { state: "timed out" } }),
    { check: "plugin-loaded", level: "error", what: /did not end in time/, fix: /--timeout/ },
  ],
  [
    "an agent that opencode.json overrides",
    async () =>
      scene.put(
        "project/opencode.json",
        '{ "agent": { "hades": { "model": "acme/one", "temperature": 1 } } }',
      ),
    {
      check: "overridden-agents",
      level: "warn",
      what: /hades is overridden in \S+project\/opencode\.json: model, temperature/,
      fix: /remove it there/,
    },
  ],
  [
    "an agent that a markdown file of the same name replaces",
    async () => scene.put("user/opencode/agent/minerva.md", "---\nmode: subagent\n---\nMine."),
    {
      check: "overridden-agents",
      level: "warn",
      what: /minerva is overridden in \S+agent\/minerva\.md/,
      fix: /remove it there/,
    },
  ],
  [
    "a specialist that opencode.json disables behind GAIA's back",
    async () =>
      scene.put(
        "project/.opencode/opencode.jsonc",
        '{ "agent": { "apollo": { "disable": true } } } // quiet',
      ),
    {
      check: "overridden-agents",
      level: "warn",
      what: /apollo is disabled in .*GAIA does not see/,
      fix: /"disabled": true/,
    },
  ],
  [
    "GAIA switched off",
    async () => scene.put("project/opencode.json", '{ "agent": { "gaia": { "disable": true } } }'),
    { check: "overridden-agents", level: "warn", what: /GAIA is switched off in/, fix: /Remove "disable"/ },
  ],
  [
    "the plugin listed twice",
    () =>
      void Object.assign(scene.answers, {
        "debug config": mergedConfig([
          { spec: "opencode-gaia", source: "/home/me/.config/opencode/opencode.json" },
          { spec: `file://${process.cwd()}`, source: "/project/opencode.json" },
        ]),
      }),
    {
      check: "plugin-listed",
      level: "error",
      what: /Listed 2 times.*\.config\/opencode\/opencode\.json/,
      fix: /Take it out of \/project\/opencode\.json/,
    },
  ],
  [
    "the plugin not listed",
    () =>
      void Object.assign(scene.answers, {
        "debug config": ended('{"plugin_origins": [{"spec": "other", "source": "/x"}]}'),
      }),
    {
      check: "plugin-listed",
      level: "error",
      what: /No opencode\.json .* lists opencode-gaia/,
      fix: /opencode-gaia init/,
    },
  ],
  [
    "a plugin that OpenCode cannot load",
    () =>
      void Object.assign(scene.answers, {
        "debug config": mergedConfig([{ spec: "opencode-gaia", source: "/x/opencode.json" }], {
          permission: {},
        }),
      }),
    {
      check: "plugin-loaded",
      level: "error",
      what: /did not load it/,
      fix: /npm registry.*opencode-gaia init/,
    },
  ],
  [
    "a custom specialist that cannot be used",
    async () =>
      scene.put("project/.gaia/agents/dba.md", "---\ndescription: x\ntemprature: 1\n---\nYou are DBA."),
    {
      check: "specialists",
      level: "error",
      what: /\.gaia\/agents\/dba\.md:3 temprature/,
      fix: /Did you mean "temperature"/,
    },
  ],
  [
    "a principle that is not there",
    async () => scene.put("project/docs/principles/manifest", "A_RECALL=a\nA_FILE=docs/principles/a.md\n"),
    {
      check: "rules",
      level: "warn",
      what: /docs\/principles\/manifest:1: names docs\/principles\/a\.md, which cannot be read/,
      fix: /Correct it there/,
    },
  ],
  [
    "rules that all hold",
    async () => scene.put("project/.gaia/rules/a.md", "Text."),
    { check: "rules", level: "ok", what: /^Rules of the project: 1\.$/, fix: null },
  ],
  [
    "a disabled agent",
    async () => scene.put(CONFIG, '{ "preset": "local", "agents": { "poseidon": { "disabled": true } } }'),
    {
      check: "disabled-agents",
      level: "ok",
      what: /poseidon is disabled by the project file/,
      fix: /remove "agents\.poseidon\.disabled"/,
    },
  ],
  [
    "GAIA switched off in the configuration",
    async () => scene.put(CONFIG, '{ "preset": "local", "agents": { "gaia": { "disabled": true } } }'),
    {
      check: "disabled-agents",
      level: "warn",
      what: /GAIA is switched off by the project file/,
      fix: /Remove "agents\.gaia\.disabled"/,
    },
  ],
  [
    "no way to contain a command",
    () => {
      scene.answers.uncontained = "bubblewrap (bwrap) is not installed";
    },
    { check: "containment", level: "warn", what: /bwrap.*is not installed/, fix: /install bubblewrap/ },
  ],
  [
    "a shell that hands over nothing",
    () => {
      scene.answers.uncontained = "the shell /bin/sh does not take part";
    },
    {
      check: "containment",
      level: "warn",
      what: /the host runs are contained all the same/,
      fix: /bash or zsh/,
    },
  ],
  [
    "a machine that is a throwaway",
    async () => {
      scene.answers.uncontained = "bubblewrap (bwrap) is not installed";
      await scene.put("user/opencode/gaia.jsonc", '{ "sandbox": "machine" }');
    },
    { check: "containment", level: "ok", what: /throwaway \(sandbox: machine\)/, fix: null },
  ],
  [
    "no way to filter what a contained command asks of the kernel",
    () => {
      scene.answers.unfiltered = "none is known for riscv64";
    },
    { check: "containment", level: "warn", what: /not their system calls.*riscv64/, fix: /CONFIG_SECCOMP/ },
  ],
  [
    "no ripgrep",
    async () => scene.remove("bin/rg"),
    { check: "ripgrep", level: "warn", what: /ripgrep \(rg\) was not found/, fix: /@vscode\/ripgrep/ },
  ],
  [
    "a typo in the path of the plugin",
    async () => {
      const source = await scene.put("project/opencode.json", '{"plugin": ["./opencode-giaa"]}');
      scene.answers["debug config"] = mergedConfig([{ spec: "./opencode-giaa", source }], { permission: {} });
    },
    {
      check: "plugin-listed",
      level: "error",
      what: /"\.\/opencode-giaa" in \S+ is a path that does not exist/,
      fix: /correct it/,
    },
  ],
  [
    "a typo in the name of the plugin",
    async () => {
      const source = await scene.put("project/opencode.json", '{"plugin": ["opencode-giaa@1.0.0"]}');
      scene.answers["debug config"] = mergedConfig([{ spec: "opencode-giaa@1.0.0", source }], {
        permission: {},
      });
    },
    { check: "plugin-listed", level: "error", what: /is no name of this plugin/, fix: /correct it/ },
  ],
  [
    "a check whose program is not there",
    async () =>
      scene.put(
        CONFIG,
        '{ "preset": "local", "definitionOfDone": { "checks": [{ "id": "t", "command": "A=1 pytset -q" }] } }',
      ),
    {
      check: "checks",
      level: "warn",
      what: /^The check t cannot run: there is no program pytset\.$/,
      fix: /Install it/,
    },
  ],
  [
    "a check whose script is not there",
    async () => {
      await scene.put("bin/npm", "");
      await scene.put("project/package.json", '{ "scripts": { "test": "x" } }');
      await scene.put(
        CONFIG,
        '{ "preset": "local", "definitionOfDone": { "checks": [{ "id": "a", "command": "npm run test" }, { "id": "t", "command": "npm run tset" }, { "id": "s", "command": "if true; then x; fi" }] } }',
      );
    },
    {
      check: "checks",
      level: "warn",
      what: /^The check t cannot run: package\.json has no script "tset"\.$/,
      fix: /correct/,
    },
  ],
  [
    "npm test where there are no tests",
    async () => {
      await scene.put("bin/npm", "");
      await scene.put("project/package.json", '{ "scripts": { "build": "x" } }');
      const checks = ["npm test", "npm test --workspaces", "npm testing"].map((command, index) => ({
        id: `n${index}`,
        command,
      }));
      await scene.put(CONFIG, JSON.stringify({ preset: "local", definitionOfDone: { checks } }));
    },
    {
      check: "checks",
      level: "warn",
      what: /^The check n0 cannot run: package\.json has no script "test"\.$/,
      fix: /correct/,
    },
  ],
  [
    "a record below another one, which may be meant",
    async () => {
      await scene.remove("project/.git");
      await git(dirname(scene.project), "init", "-q");
      await scene.put(".gaia/learnings.md", "");
    },
    {
      check: "project",
      level: "warn",
      what: /^The \.gaia of \S+project counts here, and not/,
      fix: /"root": true/,
    },
  ],
  [
    "a record above",
    async () => {
      await scene.remove("project/.git");
      await scene.remove("project/.gaia");
      await git(dirname(scene.project), "init", "-q");
      await scene.put(".gaia/config.jsonc", '{ "preset": "local" }');
    },
    {
      check: "project",
      level: "ok",
      what: /^The project is \S+: its \.gaia counts here, and its checks run there/,
      fix: null,
    },
  ],
  [
    "a tool that takes the record for the project's",
    async () => scene.put("project/Cargo.toml", "[package]\n"),
    { check: "kept-out", level: "warn", what: /cargo package ships \.gaia/, fix: /Cargo\.toml: exclude/ },
  ],
  [
    "a file where the record should be",
    async () => {
      await scene.remove("project/.gaia");
      await scene.put("project/.gaia", "");
    },
    { check: "record", level: "error", what: /\.gaia is not a folder/, fix: /writable folder/ },
  ],
  [
    "what the project asks for and you have not granted",
    async () => scene.put(CONFIG, '{ "mode": "autopilot" }'),
    {
      check: "trust",
      level: "warn",
      what: /^Not in force: \.gaia\/config\.jsonc, mode: GAIA works in mode "autopilot"\.$/,
      fix: /opencode-gaia trust/,
    },
  ],
  [
    "a store of trust that cannot be read",
    async () => scene.put("data/opencode-gaia/trust.json", "{"),
    { check: "trust", level: "error", what: /trust\.json is not valid JSON/, fix: /delete/ },
  ],
];

describe("doctor finds, and says how to fix it", () => {
  it.each(PLANTED)("%s", async (_name, plant, { check, level, what, fix }) => {
    await plant();
    const report = await scene.report();
    const found = report.findings.filter((finding) => finding.check === check && what.test(finding.what));
    expect(found, renderDoctorReport(report, false)).toHaveLength(1);
    expect(found[0]?.level).toBe(level);
    if (fix === null) expect(found[0]?.fix).toBeNull();
    else expect(found[0]?.fix).toMatch(fix);
    expect(report.healthy).toBe(level !== "error");
  });
});

describe("the report", () => {
  it("tells the source of each value, and what each agent runs on", async () => {
    await scene.put("user/opencode/gaia.jsonc", '{ "mode": "autopilot", "visibility": "live" }');
    await scene.put(
      CONFIG,
      '{ "preset": "budget", "mode": "locked", "agents": { "aether": { "model": "acme/two" } } }',
    );
    const report = await scene.report();
    const sources = Object.fromEntries(report.config.map(({ key, value, source }) => [key, [value, source]]));
    expect(sources).toMatchObject({
      mode: ["locked", "project file"],
      visibility: ["live", "user file"],
      "agents.minerva.model": ["zhipuai-coding-plan/glm-4.7", "preset"],
      reviewDepth: ["diff", "default"],
    });
    expect(report.agents?.find(({ name }) => name === "aether")).toMatchObject({
      runsOn: "acme/two",
      inherits: false,
    });
    expect(report.agents?.find(({ name }) => name === "gaia")).toMatchObject({
      runsOn: null,
      inherits: true,
    });
    const text = renderDoctorReport(report, true);
    expect(text).toMatch(/^ {2}mode +"locked" +\(project file\)$/m);
    expect(text).toMatch(/^ {2}aether +acme\/two/m);
  });

  it("never holds a secret, even one that was written into the configuration", async () => {
    await scene.put(
      CONFIG,
      '{ "preset": "local", "gaiaContext": { "avoid": ["sk-live-0123456789abcdef0123456789abcdef"] } }',
    );
    expect(JSON.stringify(await scene.report())).not.toContain("0123456789abcdef0123");
  });

  it("passes on where a file is broken, without what stands in it", async () => {
    const words =
      'Config file at /x/opencode.json is not valid JSON(C): \n--- JSONC Input ---\n{ "apiKey": "abc-def"\n\n' +
      '--- Errors ---\nCloseBraceExpected at line 1, column 20\n   Line 1: { "apiKey": "abc-def"\n   ^\n--- End ---';
    Object.assign(scene.answers, { "debug config": ended("", 1, words) });
    const finding = (await scene.examine()).find(({ check }) => check === "plugin-loaded");
    expect(finding?.what).toMatch(
      /opencode\.json is not valid JSON\(C\): CloseBraceExpected at line 1, column 20/,
    );
    expect(finding?.what).not.toContain("abc-def");
  });

  it("has the same shape while OpenCode cannot be asked", async () => {
    const healthy = Object.keys(await scene.report());
    Object.assign(scene.answers, { "--version": { state: "missing" } });
    const report = await scene.report();
    expect(Object.keys(report)).toEqual(healthy);
    expect(report).toMatchObject({ report: 1, healthy: false, agents: null, versions: { opencode: null } });
  });
});
