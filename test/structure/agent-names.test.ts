import { expect, it } from "vitest";
import { SPECIALISTS } from "../../src/agents/registry.ts";
import { readSources } from "./imports.ts";

/** Where an agent may be called by its name: its own definition, and the demo, which tells a story about them. */
const ALLOWED = [/^agents\//, /^cli\/demo\//];

const sources = await readSources("src");
const names = new RegExp(`\\b(${SPECIALISTS.map(({ name }) => name).join("|")})\\b`, "i");

it("nothing but an agent's own definition knows its name: all else asks for its role", () => {
  const wrong = [...sources].filter(
    ([path, text]) => names.test(text) && !ALLOWED.some((place) => place.test(path)),
  );
  expect(wrong.map(([path, text]) => `${path}: ${names.exec(text)?.[0]}`)).toEqual([]);
  expect([...sources].filter(([, text]) => names.test(text)).length).toBeGreaterThan(SPECIALISTS.length);
});
