import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { readToolCall } from "../../src/host/opencode/tool-call.ts";
import { examineCall } from "../../src/policy/examine-call.ts";
import { isSensitivePath } from "../../src/policy/sensitive-path.ts";
import { policyContext } from "../support/examination.ts";
import { readCases } from "../support/cases.ts";

const LINKS: Readonly<Record<string, string>> = { notes: "/project/.env", "sub/notes": "/project/.env" };
const realPath = (path: string): string => LINKS[path.replace("/project/", "")] ?? path;
const find = async (tool: string, args: unknown, allowSensitive: readonly string[] = []) =>
  (await examineCall(tool, readToolCall(tool, args), policyContext("/project", { realPath, allowSensitive })))
    .secret;

describe("isSensitivePath", () => {
  test.each(readCases<string>("policy/sensitive.may-hold-secrets"))("%s may hold secrets", (path) => {
    expect(isSensitivePath(path)).toBe(true);
  });

  test.each(readCases<string>("policy/sensitive.holds-none"))("%j holds none", (path) => {
    expect(isSensitivePath(path)).toBe(false);
  });

  test.each(readCases<[string, string[] | never[], boolean]>("policy/sensitive.with-allowed"))(
    "%s with %j allowed: %s",
    (path, allow, expected) => {
      expect(isSensitivePath(path, allow)).toBe(expected);
    },
  );

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

  test.each(readCases<[string, object | null]>("policy/sensitive.names-nothing"))(
    "%s %j names nothing",
    async (tool, args) => {
      expect(await find(tool, args)).toBeNull();
    },
  );

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
