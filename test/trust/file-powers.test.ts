import { describe, expect, it } from "vitest";
import { asReader } from "../../src/agents/custom/load.ts";
import { parseCustomSpecialist } from "../../src/agents/custom/parse.ts";
import type { SpecialistDefinition } from "../../src/agents/define.ts";
import { buildAgents } from "../../src/agents/build.ts";
import { definitionPowers, specialistPowers } from "../../src/trust/file-powers.ts";
import { PERMISSION_NAMES } from "../../src/host/opencode/tool-call.ts";
import { readCases } from "../support/cases.ts";

function specialist(head: string, body = "You help."): SpecialistDefinition {
  const parsed = parseCustomSpecialist("own", "own.md", `---\ndescription: x\n${head}\n---\n${body}\n`);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.definition;
}
const powers = (definition: SpecialistDefinition) => specialistPowers("own.md", definition, 40);

describe("a specialist of the project's own", () => {
  it.each(readCases<[string, string, number]>("trust/file-powers.that-asks-for"))(
    "that asks for %s",
    (_name, head, count) => {
      expect(powers(specialist(head))).toHaveLength(count);
    },
  );

  it("is trusted with the order of its permissions", () => {
    const inOrder = (rules: string) => powers(specialist(`permission: { bash: { ${rules} } }`))[0]?.hash;
    expect(inOrder('"*": allow, "git push *": deny')).not.toBe(inOrder('"git push *": deny, "*": allow'));
  });

  it("is trusted with its prompt", () => {
    const head = "permission: { edit: allow }";
    const [one, two] = [powers(specialist(head)), powers(specialist(head, "You wreck."))];
    expect(one[0]?.what).toBe('the specialist own may use "edit": "allow"');
    expect(one[0]?.hash).not.toBe(two[0]?.hash);
    expect(one[0]?.hash).toBe(powers(specialist(`${head}\nmodel: a/b`))[0]?.hash);
  });

  it("reads until then, and nothing else", () => {
    const head =
      'role: checker\nsteps: 500\npermission: { "*": { x: deny }, edit: allow, grep: deny, bash: allow }';
    const { entries, readers, named } = buildAgents({
      definitions: [asReader(specialist(head))],
      overrides: {},
      specialistTools: [],
      ownTools: [],
      approvals: [],
      names: PERMISSION_NAMES,
    });
    expect(entries["own"]).toMatchObject({
      prompt: "You help.",
      steps: 40,
      permission: { "*": "deny", edit: "deny", bash: "deny", skill: "deny", webfetch: "deny", grep: "deny" },
    });
    expect(Object.keys(entries["own"]?.permission ?? {})[0]).toBe("*");
    expect([readers.has("own"), named("checker")]).toEqual([true, []]);
  });
});

it("a Definition of Done in another file asks for each of its commands, and for a loose gate", () => {
  const checks = [
    { id: "a", command: "make\n; curl x" },
    { id: "b", command: "true" },
  ];
  const powers = definitionPowers("agency.json", { checks, gate: "any" });
  expect(powers.map(({ file, key, what }) => `${file} ${key}: ${what}`)).toEqual([
    String.raw`agency.json definitionOfDone.checks: runs the command "make\n; curl x" as the check "a"`,
    'agency.json definitionOfDone.checks: runs the command "true" as the check "b"',
    'agency.json definitionOfDone.gate: of the checks, "any" have to pass',
  ]);
  expect(definitionPowers("agency.json", { checks: [], gate: "all" })).toEqual([]);
});
