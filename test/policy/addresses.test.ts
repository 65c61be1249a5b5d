import { describe, expect, it, test } from "vitest";
import { isMetadataService, isOwnServer } from "../../src/policy/protected-target.ts";
import { readCases } from "../support/cases.ts";

describe("OpenCode's own address", () => {
  const server = { host: "10.0.0.7", port: 43_127 };
  test.each(readCases<string>("policy/addresses.open-code-s-own-address"))("%s", (url) => {
    expect(isOwnServer(url, server, ["my-laptop"])).toBe(true);
  });

  test.each(readCases<string>("policy/addresses.not"))("not %j", (url) => {
    expect(isOwnServer(url, server, [])).toBe(false);
  });

  it("has its usual port where it is not known", () => {
    expect(isOwnServer("http://127.0.0.1:4096/x", null, [])).toBe(true);
    expect(isOwnServer("http://example.com:4096/x", null, [])).toBe(false);
  });
});

describe("a cloud's service for keys", () => {
  test.each(readCases<string>("policy/addresses.a-cloud-s-service"))("%s", (url) => {
    expect(isMetadataService(url)).toBe(true);
  });

  test.each(["https://example.com/169.254.169.254", "http://10.0.0.1/", "not an address"])(
    "not %s",
    (url) => {
      expect(isMetadataService(url)).toBe(false);
    },
  );
});
