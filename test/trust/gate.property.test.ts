import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { renderConfigJsonSchema } from "../../src/config/json-schema.ts";
import type { JsonValue } from "../../src/config/json-value.ts";
import { resolveSources, type KeySource } from "../../src/config/resolve.ts";
import { createGate } from "../../src/trust/gate.ts";
import { arbitraryOf } from "./config-arbitrary.ts";
import { loosened } from "./looser.ts";

const AGENTS = ["gaia", "minerva", "hephaestus", "demeter"];
const KNOWN = Object.fromEntries(AGENTS.map((name) => [name, null]));
const anyConfig = arbitraryOf(renderConfigJsonSchema(AGENTS));

// A run builds schema and agents several times over.
vi.setConfig({ testTimeout: 60_000 });

function source(kind: "user file" | "project file", value: JsonValue): KeySource {
  return {
    source: kind,
    file: kind,
    isProjects: kind === "project file",
    content: { state: "read", bytes: Buffer.from(JSON.stringify(value)) },
  };
}

function resolve(sources: readonly KeySource[], granted: readonly string[] = []) {
  const gate = createGate(new Set(granted), (agent) => (agent === "gaia" ? undefined : 40), 40);
  const loaded = resolveSources(sources, KNOWN, gate.restrain);
  return { ...loaded, gate };
}

describe("a project's configuration", () => {
  it("without a yes is never looser than none", () => {
    fc.assert(
      fc.property(anyConfig, anyConfig, (user, project) => {
        const own = [source("user file", user)];
        const alone = resolve(own);
        const both = resolve([...own, source("project file", project)]);
        expect(loosened(alone.config, both.config)).toEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  it("is looser only by what is listed: where nothing is listed, it is not", () => {
    let looser = 0;
    fc.assert(
      fc.property(anyConfig, (project) => {
        const { config, wanted, gate } = resolve([source("project file", project)]);
        if (gate.powers.length === 0) expect(config).toEqual(wanted);
        if (loosened(config, wanted).length === 0) return;
        looser += 1;
        expect(gate.ungranted).not.toEqual([]);
      }),
      { numRuns: 40 },
    );
    expect(looser).toBeGreaterThan(12);
  });

  it("with every yes is what it says", () => {
    fc.assert(
      fc.property(anyConfig, (project) => {
        const sources = [source("project file", project)];
        const hashes = resolve(sources).gate.powers.map(({ hash }) => hash);
        const { config, wanted, gate } = resolve(sources, hashes);
        expect(gate.ungranted).toEqual([]);
        expect(plain(config)).toEqual(plain(wanted));
      }),
      { numRuns: 40 },
    );
  });
});

/** Without what is empty, which says nothing. */
function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, plain(inner)] as const);
  const full = entries.filter(([, inner]) => inner !== undefined);
  return full.length === 0 ? undefined : Object.fromEntries(full);
}
