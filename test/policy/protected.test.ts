import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { examineCall } from "../../src/policy/examine-call.ts";
import { type ExamineCall, loadPolicy, userFolders } from "../../src/policy/load-policy.ts";
import { namesOwnAddress } from "../../src/policy/own-address.ts";
import { isProtectedPath, isProtectedPattern } from "../../src/policy/protected-path.ts";

const PROTECTED = [
  ".gaia/config.jsonc",
  ".gaia/config.json",
  ".gaia/config.local.jsonc",
  ".gaia/agents/me.md",
  ".gaia/findings.md",
  ".gaia/learnings.md",
  ".gaia/knowledge",
  ".gaia/knowledge/retry.md",
  ".gaia/.local/approvals.json",
  "opencode.json",
  "opencode.jsonc",
  "packages/a/opencode.json",
  ".opencode/plugin/a.js",
  "tui.json",
  ".git/hooks/pre-commit",
  ".git/config",
  ".git/config.worktree",
  ".git/modules/lib/config",
  ".jj/repo/config.toml",
  "agency.json",
  ".agency/dod.json",
  "/home/a/.config/opencode/gaia.jsonc",
  "/home/a/.local/share/opencode-gaia/panel.key",
  "/home/a/.cache/opencode/node_modules/x/index.js",
];

describe("isProtectedPath", () => {
  test.each([
    ...PROTECTED,
    ".gaia/Config.jsonc",
    ".GAIA/AGENTS/me.md",
    ".gaia/config.jsonc::$DATA",
    ".gaia/config.jsonc.",
    ".gaia./config.jsonc ",
    ".gaia\\agents\\me.md",
    "C:\\p\\.git\\config",
    ".gaia//./config.jsonc",
    "a/../.gaia/x/../config.jsonc",
    ".g\u200dit/config",
    "OpenCode.JSON",
  ])("%j is for people only", (path) => {
    expect(isProtectedPath(path)).toBe(true);
    expect(isProtectedPath(`/project/${path}`)).toBe(true);
  });

  test.each([
    ".gaia/unit/plan.md",
    ".gaia/config-cleanup/plan.md",
    ".gaia/decisions.md",
    ".gaia/gaia-init.md",
    "src/host/opencode/tools.ts",
    "src/opencode.ts",
    "tsconfig.json",
    "package.json",
    ".github/workflows/ci.yml",
    ".gitignore",
    ".husky/pre-commit",
    "config/agents/a.md",
    "/home/a/.local/share/opencode/worktree/p/main/src/a.ts",
    "",
    "/",
  ])("%j is not", (path) => {
    expect(isProtectedPath(path)).toBe(false);
  });

  it("knows the user's folders wherever the environment puts them", () => {
    const folders = userFolders({ XDG_CONFIG_HOME: "/etc/conf", OPENCODE_CONFIG: "/srv/oc.json" }, "/u");
    for (const path of ["/etc/conf/opencode/x.ts", "/u/.local/share/opencode-gaia/k", "/srv/oc.json"])
      expect(isProtectedPath(path, folders)).toBe(true);
    for (const path of ["/etc/conf/other", "/u/project/a.ts", "/etc/conf/opencoded"])
      expect(isProtectedPath(path, folders)).toBe(false);
  });

  it("stays what it is in any spelling that a file system may take for the same", () => {
    const spelled = fc.tuple(
      fc.constantFrom(...PROTECTED),
      fc.infiniteStream(fc.boolean()),
      fc.constantFrom("", ".", " ", "::$DATA", "/", "/."),
      fc.constantFrom("", "./", "a/../", "/p//"),
    );
    fc.assert(
      fc.property(spelled, ([path, cases, end, start]) => {
        const mixed = path
          .split("")
          .map((char) => (cases.next().value === true ? char.toUpperCase() : char))
          .join("");
        expect(isProtectedPath(start + mixed + end)).toBe(true);
      }),
    );
  });
});

test.each([
  [".g*/config.jsonc", true],
  [".gaia/*", true],
  [".gaia/c*", true],
  ["open*.json", true],
  [".open*", true],
  ["{opencode,x}.json", true],
  [".git/hook?/pre-commit", true],
  ["*", false],
  ["*.ts", false],
  ["src/**/*.ts", false],
  [".gaia/unit/*.md", false],
])("the pattern %s may be a protected path: %s", (pattern, expected) => {
  expect(isProtectedPattern(pattern)).toBe(expected);
});

const find = (tool: string, args: unknown, context: object = {}) =>
  examineCall(tool, readToolCall(tool, args), { folder: "/project", own: ["plan_gaia"], ...context })
    .protectedTarget;
const bash = (command: string, context: object = {}) => find("bash", { command }, context);

describe("a call that changes what only a person may", () => {
  test.each<[string, unknown]>([
    ["write", { filePath: ".gaia/config.jsonc", content: "{}" }],
    ["edit", { filePath: "/project/.gaia/agents/a.md", oldString: "a", newString: "b" }],
    ["multiedit", { filePath: "opencode.json", edits: [{ oldString: "a", newString: "b" }] }],
    [
      "apply_patch",
      { patchText: "*** Begin Patch\n*** Add File: a.ts\n+a\n*** Add File: opencode.json\n+{}" },
    ],
    ["apply_patch", { patchText: "*** Begin Patch\n*** Add File:.gaia/config.jsonc\n+{}" }],
    [
      "apply_patch",
      { patchText: "*** Begin Patch\n*** Update File: a\n*** Move to: .git/hooks/x\n@@\n-a\n+b" },
    ],
    ["apply_patch", { patchText: "*** Begin Patch\n*** Update File: tui.json\n*** Move to: b\n@@\n-a\n+b" }],
    ["apply_patch", { patchText: "*** Begin Patch\n*** Delete File: agency.json" }],
    ["fs_write_file", { path: "/project/.gaia/config.jsonc", content: "{}" }],
    ["fs_move", { operations: [{ source: "a", destination: ".opencode/plugin/a.ts" }] }],
    ["fs_write", { uri: "file:///project/opencode.json" }],
  ])("%s %j", (tool, args) => {
    expect(find(tool, args)).toMatchObject({ kind: "path" });
  });

  test.each([
    "echo '{}' > .gaia/config.jsonc",
    "echo '{}' >> ./.gaia/CONFIG.jsonc",
    "echo x &> .git/hooks/pre-commit",
    "echo x >| opencode.json",
    "{ echo x; } > agency.json",
    "for i in 1; do echo x; done > tui.json",
    "cd .gaia && echo x > config.jsonc",
    "(cd .gaia; touch config.jsonc)",
    "f=.gaia/config.jsonc; echo x > $f",
    'echo x > "$PWD/.gaia/config.jsonc"',
    'echo x > "$UNKNOWN.gaia/config.jsonc"',
    "tee .gaia/config.jsonc < a",
    "cp a .gaia/config.jsonc",
    "mv .gaia .old",
    "rm -rf .gaia",
    "rm -rf .git/hooks",
    "rm .gaia/*",
    "ln -s .gaia/config.jsonc x",
    "ln .gaia/config.jsonc x; echo x > x",
    "ln -sf $PWD/.gaia x",
    "sed -i s/a/b/ opencode.json",
    "sed -i 's/.*/x y/' opencode.json",
    "sed -i -e s/a/b/ .gaia/config.jsonc",
    "dd if=a of=.gaia/config.jsonc",
    "install -t .opencode a",
    "curl -o .opencode/plugin/a.js http://x",
    "chmod +x .git/hooks/pre-commit",
    "git config core.hooksPath x",
    "git -C . config --local alias.x '!sh'",
    "git checkout main -- opencode.json",
    "git restore .gaia/config.jsonc",
    "jj config set --repo x y",
    "bash -c 'echo x > .gaia/config.jsonc'",
    'sh -c "cp a .gaia/agents/"',
    "sed -i s/proposed/accepted/ .gaia/knowledge/retry.md",
    "mv .gaia/knowledge .gaia/x",
    "cp x .gaia/k*/*.md",
    "env X=1 tee .gaia/config.jsonc",
    "xargs touch .gaia/config.jsonc",
    "setsid bash -c 'echo x > .gaia/config.jsonc'",
    "node -e \"require('fs').writeFileSync('.gaia/config.jsonc','x')\"",
    "python3 -c \"open('.gaia/config.jsonc','w')\"",
    "python3 <<'E'\nopen('.gaia/config.jsonc','w')\nE",
    "bash <<'E'\necho x > .gaia/config.jsonc\nE",
    "echo x > ~/.config/opencode/opencode.json",
    "echo x > $XDG_CONFIG_HOME/opencode/plugin/a.js",
    "touch ${XDG_DATA_HOME:-$HOME/.local/share}/opencode-gaia/panel.key",
    "unzip a.zip -d .opencode",
    "echo $(cp a .gaia/config.jsonc)",
    "true && (true | tee opencode.json)",
    "f() { cp a opencode.json; }; f",
  ])("bash %s", (command) => {
    expect(bash(command)).toMatchObject({ kind: "path" });
  });

  test.each([
    "cat .gaia/config.jsonc",
    "grep mode .gaia/config.jsonc",
    "ls -la .git/hooks",
    "git diff opencode.json",
    "git config --get user.name",
    "git add opencode.json .gaia/config.jsonc",
    "git commit -m 'Change opencode.json and .gaia/config.jsonc'",
    "gh pr create --body 'see opencode.json'",
    "echo see opencode.json > notes.md",
    "cat > notes.md <<'E'\n.gaia/config.jsonc\nE",
    "npm test",
    "touch src/opencode.ts",
    "mkdir -p .gaia/unit",
    "curl https://example.com:4096/x",
    "curl http://localhost:3000",
    "sed -i 's/.*/x y/' src/a.ts",
    "opencode --version",
    "npm install opencode-gaia",
    "mkdir opencode",
    "git commit -m 'Say how opencode run is called'",
    "npx vitest run -t 'opencode run'",
    "python3 -c 'print(\"opencode\")'",
  ])("not bash %s", (command) => {
    expect(bash(command)).toBeNull();
  });

  test.each([
    "opencode run --agent build x",
    "npx opencode-gaia trust --yes",
    "bunx opencode-gaia@latest init",
    "pnpm dlx opencode-gaia init",
    "opencode plugin x",
    "node node_modules/.bin/opencode-gaia init",
    "node node_modules/opencode-gaia/dist/cli.js trust grant --all",
    "setsid opencode-gaia trust grant",
    "script -qc 'opencode-gaia trust grant'",
    "expect -c 'spawn opencode-gaia trust grant'",
    `python3 -c 'import os; os.system("opencode run x")'`,
    `node -e 'require("child_process").spawnSync("opencode", ["run", "x"])'`,
    `node -e 'require("child_process").execSync("npx opencode-ai@1 serve")'`,
    "echo opencode run x | bash",
    "python3 <<'E'\nimport os\nos.system('opencode run x')\nE",
  ])("nor starts %s", (command) => {
    expect(bash(command)).toMatchObject({ kind: "program" });
  });

  test.each<[string, unknown]>([
    ["read", { filePath: ".gaia/config.jsonc" }],
    ["grep", { pattern: "x", path: ".gaia" }],
    ["plan_gaia", { path: ".gaia/config.jsonc" }],
    ["write", { filePath: ".gaia/unit/notes.md", content: "opencode.json" }],
    ["fs_search", { query: "opencode.json", path: "src" }],
    ["webfetch", { url: "https://opencode.ai/docs" }],
  ])("not %s %j", (tool, args) => {
    expect(find(tool, args)).toBeNull();
  });

  it("reads the script that a command runs", () => {
    const scripts: Record<string, string> = {
      "/project/a.sh": "cp x .gaia/config.jsonc\n",
      "/project/a.mjs": 'fs.writeFileSync(".opencode/plugin/a.js", "")',
      "/project/ok.sh": "ls .gaia > list.txt\n",
      "/project/call.py": 'urlopen("http://127.0.0.1:4096/session")',
    };
    const context = { readScript: (path: string) => scripts[path.replace("/./", "/")] };
    for (const command of [
      "bash a.sh",
      "sh ./a.sh",
      "./a.sh",
      "node a.mjs",
      "source a.sh",
      "cd . && bash a.sh",
    ])
      expect([command, bash(command, context)]).toMatchObject([command, { kind: "path" }]);
    expect(bash("python3 call.py", context)).toMatchObject({ kind: "address" });
    expect(bash("bash ok.sh", context)).toBeNull();
  });
});

describe("what a manager of hooks has git run", () => {
  const folder = "/home/a/project";
  const of = (tool: string, args: unknown): ReturnType<typeof examineCall> =>
    examineCall(tool, readToolCall(tool, args), { folder, project: folder });

  test.each([
    ".husky/pre-commit",
    ".husky/_/husky.sh",
    "packages/a/.husky/pre-push",
    ".HUSKY/pre-commit",
    ".githooks/pre-commit",
    ".git-hooks/post-merge",
    "lefthook.yml",
    ".lefthook-local.yaml",
    ".lefthook/pre-commit/a.sh",
    ".pre-commit-config.yaml",
    ".overcommit.yml",
    ".simple-git-hooks.json",
  ])("%s is changed with the user's yes", (path) => {
    expect(of("write", { filePath: path, content: "" })).toMatchObject({
      effect: "outside",
      protectedTarget: null,
    });
    expect(of("read", { filePath: path }).effect).toBe("read");
    for (const command of [`echo x > ${path}`, `rm ${path}`, `cp a ${path}`, `sed -i s/a/b/ ${path}`])
      expect(of("bash", { command }).effect, command).toBe("outside");
    for (const command of [`cat ${path}`, `git log -- ${path}`, `git add ${path}`])
      expect(of("bash", { command }).effect, command).not.toBe("outside");
  });

  test.each([
    "echo x > .hus*/pre-commit",
    "cd .husky && echo x > pre-commit",
    "bash -c 'echo x >> .husky/pre-commit'",
    "mkdir .husky",
    "npm test > .husky/pre-commit",
    "node -e 'write(\".husky/pre-commit\")'",
    "chmod +x .githooks/pre-push && ls",
    "ls (a > .husky/pre-commit",
  ])("%s asks for it", (command) => {
    expect(of("bash", { command }).effect).toBe("outside");
  });

  test.each([
    ["src/hooks/use-husky.ts", "project"],
    ["docs/pre-commit.md", "project"],
    ["hooks/pre-commit.ts", "project"],
    ["src/lefthook.ts", "project"],
  ])("%s is ordinary work", (filePath, effect) => {
    expect(of("write", { filePath, content: "" }).effect).toBe(effect);
  });

  it("is left to what the user allows, and to checks", () => {
    const allow = ["chmod *"];
    const command = "chmod +x .husky/pre-commit";
    expect(examineCall("bash", readToolCall("bash", { command }), { folder, allow }).effect).toBe("project");
    expect(of("bash", { command: "npx prettier --check .husky" }).isCheck).toBe(true);
  });
});

describe("OpenCode's own address", () => {
  const server = { host: "10.0.0.7", port: 43_127 };
  test.each([
    "http://localhost:43127/session",
    "http://127.0.0.1:43127",
    "http://127.1:43127",
    "http://2130706433:43127/",
    "http://0x7f000001:43127/",
    "http://017700000001:43127/",
    "http://0:43127",
    "http://0.0.0.0:43127",
    "http://[::1]:43127/",
    "http://[::]:43127/",
    "http://[::ffff:127.0.0.1]:43127",
    "http://LOCALHOST.:43127",
    "http://x.localhost:43127",
    "http://user:pw@localhost:43127/",
    "http://10.0.0.7:43127",
    "http://localtest.me:43127/config/providers",
    "http://my-laptop:43127",
    "localhost:43127/config",
    "http://localhost:4096/",
    "localhost:04096",
    "ip6-localhost:4096",
    "http://l%6fcalhost:4096",
    "http://①②⑦.0.0.1:4096",
    "fetch('http://localhost:4096')",
    "localhost:4096.",
    `${"a".repeat(100_000)} localhost:4096`,
    "see http://a.b/ and http://localhost:43127/",
  ])("%s", (url) => {
    expect(namesOwnAddress(url, server, ["my-laptop"])).toBe(true);
  });

  test.each([
    "http://localhost:3000",
    "http://localhost",
    "http://10.0.0.8:43127",
    "https://example.com",
    "https://example.com:4096/",
    "a 127.0.0.1 b 43127",
    "file.ts:4096",
    "localhost:40960",
    "localhost:14096",
    "",
  ])("not %j", (url) => {
    expect(namesOwnAddress(url, server)).toBe(false);
  });

  test.each([
    "curl localhost:43127/config/providers",
    "curl -s 'http://127.0.0.1:43127/session' | jq .",
    "curl -X PATCH -d '{}' http://[::1]:43127/session/a",
    "p=43127; curl localhost:$p/x",
    "wget -qO- http://2130706433:43127",
    "nc localhost 43127",
    "exec 3<>/dev/tcp/127.0.0.1/43127",
    "echo x > /dev/tcp/localhost/43127",
    "node -e \"fetch('http://localhost:43127/session')\"",
    "python3 -c \"urllib.request.urlopen('http://127.1:43127')\"",
    "bash -c 'curl localhost:43127'",
    "curl localhost:4096",
  ])("is not called by %s", (command) => {
    expect(bash(command, { server })).toMatchObject({ kind: "address" });
  });

  it("is not fetched, nor called by another tool", () => {
    expect(find("webfetch", { url: "http://localhost:43127/config/providers" }, { server })).not.toBeNull();
    expect(find("webfetch", { url: "http://localhost:4096/config/providers" })).not.toBeNull();
    expect(find("web_get", { request: { url: "http://127.0.0.1:4096/" } })).not.toBeNull();
  });
});

describe("links", () => {
  let directory: string;
  let examine: ExamineCall;
  beforeAll(async () => {
    directory = await realpath(await mkdtemp(join(tmpdir(), "gaia-protected-")));
    await mkdir(join(directory, ".gaia/agents"), { recursive: true });
    await writeFile(join(directory, ".gaia/config.jsonc"), "{}");
    await writeFile(join(directory, "run.sh"), "cp a .gaia/config.jsonc\n");
    await symlink(".gaia/config.jsonc", join(directory, "notes.md"));
    await symlink(".gaia", join(directory, "record"));
    await symlink(".gaia/config.json", join(directory, "dangling"));
    await symlink("loop", join(directory, "loop"));
    examine = loadPolicy({ directory, own: [], dangerous: [], allowSensitive: [], checks: [] });
  });
  afterAll(async () => rm(directory, { recursive: true }));

  it.each(["notes.md", "record/agents/new/a.md", "dangling", "record/config.json"])(
    "are followed to what they lead to: %s",
    async (path) => {
      const write = readToolCall("write", { filePath: join(directory, path), content: "" });
      expect((await examine("write", write)).protectedTarget).toMatchObject({ kind: "path" });
      const command = readToolCall("bash", { command: `echo x > ${path}` });
      expect((await examine("bash", command)).protectedTarget).toMatchObject({ kind: "path" });
    },
  );

  it("lead out of where they point, and not of where they lie", async () => {
    await mkdir(join(directory, "deep/.gaia/agents"), { recursive: true });
    await symlink("deep/.gaia/agents", join(directory, "src-link"));
    const command = readToolCall("bash", { command: "echo x > src-link/../config.jsonc" });
    expect((await examine("bash", command)).protectedTarget).toMatchObject({ kind: "path" });
  });

  it("lead nowhere else", async () => {
    for (const path of ["src/new/a.ts", "loop", "loop/a"]) {
      const write = readToolCall("write", { filePath: path, content: "" });
      expect((await examine("write", write)).protectedTarget).toBeNull();
    }
  });

  it("are followed for so many files, and more are refused", async () => {
    const touch = async (count: number, last: string, before = "") => {
      const files = Array.from({ length: count }, (_, at) => `f${at}`).join(" ");
      const call = readToolCall("bash", { command: `${before}touch ${files} ${last}` });
      return (await examine("bash", call)).protectedTarget;
    };
    expect(await touch(1_000, "src")).toBeNull();
    expect(await touch(1_000, "notes.md")).toEqual({ kind: "path", text: "notes.md" });
    expect(await touch(600, "src", "cd a; cd b; ")).toMatchObject({ kind: "path" });
  });

  it("and the script that runs is read where it lies", async () => {
    const call = readToolCall("bash", { command: "bash run.sh" });
    expect((await examine("bash", call)).protectedTarget).toMatchObject({ kind: "path" });
  });
});
