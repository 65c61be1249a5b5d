import { describe, expect, it } from "vitest";
import { userDenies, deniesCommand } from "../../src/config/user-denies.ts";
import { matchesWildcard } from "../../src/lib/path-pattern.ts";
import { readCases } from "../support/cases.ts";

describe("the places that the user's rules deny", () => {
  it.each<[string, unknown, object]>([
    ["none", undefined, {}],
    ["a folder", { read: { "private/*": "deny", "keys/**": "deny" } }, { read: ["private", "keys"] }],
    [
      "a file, also outside",
      { edit: { "a/b.txt": "deny", "~/notes": "deny" } },
      { edit: ["a/b.txt", "~/notes"] },
    ],
    ["nothing that no mount can hold", { read: { "*.pem": "deny", "a/*/b": "deny", "*": "deny" } }, {}],
    ["nothing that is allowed again", { read: { "private/*": "deny", "*": "allow" } }, {}],
    ["both, by a rule for all tools", { "*": { "x/*": "deny" } }, { read: ["x"], edit: ["x"] }],
    ["none of a rule that asks", { read: { "x/*": "ask" }, edit: "ask" }, {}],
  ])("%s", (_name, permission, expected) => {
    expect(userDenies(permission)).toMatchObject({ read: [], edit: [], ...expected });
  });
});

describe("a command that the user's rules name", () => {
  it.each<[string, unknown, boolean]>([
    ["is denied", { bash: { "*": "ask", "touch *": "deny" } }, true],
    ["is denied by a rule for all tools", { "*": { "touch *": "deny" } }, true],
    ["is allowed again", { bash: { "t*": "deny", "touch *": "allow" } }, false],
    ["is asked for where a later rule for all says so", { bash: { "t*": "deny", "*": "ask" } }, false],
    ["is left to OpenCode where all are denied", { bash: "deny" }, false],
  ])("%s", (_name, permission, expected) => {
    expect(deniesCommand(userDenies(permission), "touch a.txt")).toBe(expected);
  });
});

describe("OpenCode's wildcards", () => {
  it.each(readCases<[string, string, boolean]>("config/user-denies.against"))(
    "%s against %s: %s",
    (text, pattern, expected) => {
      expect(matchesWildcard(text, pattern)).toBe(expected);
    },
  );
});
