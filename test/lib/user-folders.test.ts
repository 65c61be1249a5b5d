import { describe, expect, it } from "vitest";
import { openCodeConfigFolder, ownDataFolder } from "../../src/lib/user-folders.ts";
import { isProtectedPath } from "../../src/policy/protected-path.ts";
import { userFolders } from "../../src/policy/policy.ts";
import { readCases } from "../support/cases.ts";

describe("the user's folders", () => {
  it.each(readCases<[Record<string, string>, string, string]>("lib/user-folders.with-and-only-a-person"))(
    "with %j, and only a person changes them",
    (environment, data, config) => {
      expect(ownDataFolder(environment, "/home/me")).toBe(data);
      expect(openCodeConfigFolder(environment, "/home/me")).toBe(config);
      const folders = userFolders(environment, "/home/me");
      for (const folder of [data, config]) expect(isProtectedPath(`${folder}/a.json`, folders)).toBe(true);
    },
  );
});
