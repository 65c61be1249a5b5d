import { expect, it } from "vitest";
import { nearestName, sameName } from "../../src/lib/nearest-name.ts";
import { readCases } from "../support/cases.ts";

const NAMES = ["mode", "model", "temperature", "prompt_append", "hephaestus", "live", "ask"];
type Case = [name: string, meant: string | null];

it.each([...readCases<Case>("lib/nearest-name.meant"), ["temperature".repeat(1_000), null] as Case])(
  "%s is meant as %s",
  (name, meant) => {
    expect(nearestName(name, NAMES)).toBe(meant ?? undefined);
  },
);

it.each(readCases<Case>("lib/nearest-name.certain"))("%j certainly means %s", (name, meant) => {
  expect(sameName(name, [...NAMES, "my-agent", "myagent"])).toBe(meant ?? undefined);
});
