import { describe, expect, it } from "vitest";
import { userDenies, deniesCommand } from "../../src/config/user-denies.ts";
import { matchesWildcard } from "../../src/lib/path-pattern.ts";
import { readCases } from "../support/cases.ts";

describe("what the user's rules deny", () => {
  it.each(readCases<[string, unknown, object]>("config/user-denies.places"))(
    "of places: %s",
    (_name, permission, expected) => {
      expect(userDenies(permission ?? undefined)).toMatchObject({ read: [], edit: [], ...expected });
    },
  );

  it.each(readCases<[string, unknown, boolean]>("config/user-denies.commands"))(
    "of commands: one %s",
    (_name, permission, expected) => {
      expect(deniesCommand(userDenies(permission), "touch a.txt")).toBe(expected);
    },
  );
});

it.each(readCases<[string, string, boolean]>("config/user-denies.against"))(
  "OpenCode's wildcards %s against %s: %s",
  (text, pattern, expected) => {
    expect(matchesWildcard(text, pattern)).toBe(expected);
  },
);
