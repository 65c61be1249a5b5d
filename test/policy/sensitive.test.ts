import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { examineCall } from "../../src/policy/examine-call.ts";
import { isSensitivePath } from "../../src/policy/sensitive-path.ts";
import { policyContext } from "../support/examination.ts";

const LINKS: Readonly<Record<string, string>> = { notes: "/project/.env", "sub/notes": "/project/.env" };
const realPath = (path: string): string => LINKS[path.replace("/project/", "")] ?? path;
const find = async (tool: string, args: unknown, allowSensitive: readonly string[] = []) =>
  (await examineCall(tool, readToolCall(tool, args), policyContext("/project", { realPath, allowSensitive })))
    .secret;

describe("isSensitivePath", () => {
  test.each([
    ".env",
    ".ENV",
    "./.env",
    "a/../.env",
    "config/.env.production",
    "C:\\app\\.env",
    ".envrc",
    "prod.env",
    "/home/a/.ssh/id_ed25519",
    "/home/a/.ssh/config",
    "id_rsa",
    "deploy/id_rsa.old",
    "server.pem",
    "tls.KEY",
    "cert.p12",
    "store.jks",
    "/home/a/.netrc",
    "/home/a/.npmrc",
    "/home/a/.pgpass",
    "/home/a/.aws/credentials",
    "/home/a/.aws/sso/cache/x.json",
    "/home/a/.kube/config",
    "/home/a/.docker/config.json",
    "/home/a/.config/gcloud/credentials.db",
    "/home/a/.azure/accessTokens.json",
    "/home/a/.local/share/opencode/auth.json",
    "infra/terraform.tfstate",
    "infra/terraform.tfstate.backup",
    "my-service-account.json",
    "/etc/shadow",
    "/proc/self/environ",
    "/proc/self/task/1/environ",
    "/proc/environ",
    "/home/a/.local/share/opencode-gaia/panel.key",
    "/home/a/.local/share/opencode-gaia/",
    "/home/a/.local/share/opencode-gaia/worktree/../panel.key",
    "/home/a/.local/share/opencode-gaia/worktree/k/lanes/u/1/../../../../../panel.key",
    "/home/a/.local/share/opencode-gaia/worktree/..",
    "src/../.ssh/id",
    ".gaia/knowledge/retry.md",
    "/p/.gaia/knowledge",
    "/home/a/.config/opencode/gaia-knowledge/mine.md",
  ])("%s may hold secrets", (path) => {
    expect(isSensitivePath(path)).toBe(true);
  });

  test.each([
    ".env.example",
    ".env.local.example",
    ".env.sample",
    ".env.template",
    ".env.dist",
    "src/env.ts",
    "environment.md",
    "process.env",
    "id_rsa.pub",
    "/home/a/.ssh/known_hosts",
    "/home/a/.aws/config",
    "/home/a/.local/share/opencode-gaia/worktree/k/lanes/u/1/src/../package.json",
    "/home/a/.local/share/opencode-gaia/worktree/k/lanes/u/1/packages/the app/../../lib/a.js",
    "keys.ts",
    "monkey",
    "package.json",
    "",
    "/",
  ])("%j holds none", (path) => {
    expect(isSensitivePath(path)).toBe(false);
  });

  test.each([
    [".env.local", [".env.local"], false],
    [".gaia/knowledge/a.md", ["**/*.md"], true],
    [".gaia/knowledge-base/a.md", [], false],
    ["/p/app/.env.local", [".env.*"], false],
    [".env", [".env.*"], true],
    ["/p/test/fixtures/a.pem", ["test/**/*.pem"], false],
    ["/p/src/a.pem", ["test/**/*.pem"], true],
    ["/p/x/.env", [], true],
    ["/p/x.env", ["*"], false],
  ])("%s with %j allowed: %s", (path, allow, expected) => {
    expect(isSensitivePath(path, allow)).toBe(expected);
  });

  it("takes any text for a path", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.array(fc.string()), (path, allow) => {
        expect(typeof isSensitivePath(path, allow)).toBe("boolean");
      }),
    );
  });
});

describe("the secret that a call would show", () => {
  test.each([
    ["read", { filePath: "/project/.env" }, "/project/.env"],
    ["read", { filePath: "notes" }, "notes"],
    ["grep", { pattern: "x", path: ".env" }, ".env"],
    ["bash", { command: "cat config", workdir: "/home/a/.ssh" }, "config"],
    ["bash", { command: "cat notes", workdir: "sub" }, "notes"],
  ])("%s %j names %s", async (tool, args, path) => {
    expect(await find(tool, args)).toBe(path);
  });

  test.each([
    ["read", { filePath: "src/a.ts" }],
    ["read", {}],
    ["read", null],
    ["grep", { pattern: "\\.env" }],
    ["glob", { pattern: "**/*" }],
    ["glob", { pattern: "**/*.{ts,json}" }],
    ["write", { filePath: ".env" }],
    ["bash", { command: 5 }],
  ])("%s %j names nothing", async (tool, args) => {
    expect(await find(tool, args)).toBeNull();
  });

  it("follows what the user allows", async () => {
    expect(await find("read", { filePath: ".env.test" }, [".env.test"])).toBeNull();
    expect(await find("bash", { command: "cat .env.test" }, [".env.test"])).toBeNull();
    expect(await find("bash", { command: "cat .env.test .env" }, [".env.test"])).toBe(".env");
  });

  it("is a cloud's service for keys as well", async () => {
    expect(await find("webfetch", { url: "http://169.254.169.254/latest/meta-data" })).not.toBeNull();
    expect(await find("webfetch", { url: "https://example.com" })).toBeNull();
  });
});
