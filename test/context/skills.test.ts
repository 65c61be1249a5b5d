import { expect, it } from "vitest";
import { openSkills } from "../../src/context/open.ts";
import type { HostSkill } from "../../src/host/port.ts";
import { createRedactor } from "../../src/lib/redaction.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { createFakeHost } from "../support/fake-host.ts";

const OWN = { name: "customize-opencode", about: "its own", location: "<built-in>" };
const FILE = {
  name: "tables",
  about: "how tables are made",
  location: "/project/.opencode/skills/tables/SKILL.md",
};

it.each<[string, boolean, readonly HostSkill[] | null]>([
  ["OpenCode lists none", true, []],
  ["it lists its own", true, [OWN]],
  ["there is one in a file", false, [OWN, FILE]],
  ["it does not tell", false, null],
])("there are certainly no skills where %s: %s", async (_what, areNone, listed) => {
  const host = { ...createFakeHost(), skills: async () => listed };
  const input = { configured: [], servers: false, clock: createFakeClock(), redact: createRedactor({}) };
  expect(await openSkills(input, host).areNone()).toBe(areNone);
});
