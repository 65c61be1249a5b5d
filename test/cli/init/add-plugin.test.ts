import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changePlugins } from "../../../src/cli/init/edit-list.ts";
import { readPluginList } from "../../../src/cli/opencode-files.ts";
import { readCases } from "../../support/cases.ts";

const SCHEMA = "https://example.com/schema.json";

describe("adding the plugin to a text", () => {
  it.each(readCases<[string, string, string]>("cli/init/add-plugin.keeps-the-rest-as-it"))(
    "keeps the rest as it is: %s",
    (_name, before, after) => {
      expect(changePlugins(before, [], "gaia", SCHEMA)).toBe(after);
    },
  );

  it("takes nothing away from any object, however it is laid out", () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }));
    fc.assert(
      fc.property(
        json,
        fc.option(fc.array(fc.string())),
        fc.constantFrom(0, 2, "\t"),
        (rest, list, layout) => {
          const { plugin: _plugin, ...others } = rest;
          const config = list === null ? others : { ...others, plugin: list };
          const text = JSON.stringify(config, null, layout);
          const result = changePlugins(text, [], "gaia", SCHEMA);
          expect(JSON.parse(result ?? "")).toEqual({
            ...JSON.parse(text),
            plugin: [...(list ?? []), "gaia"],
          });
        },
      ),
    );
  });
});

it.each<[string, string, object]>([
  ["a syntax error", '{\n  "a": 1\n  "b" 2\n}', { problem: expect.stringMatching(/^:3:/) }],
  ["a list where an object belongs", "[]", { problem: ":1:1: an object was expected" }],
  [
    "an old shape, one name",
    '{\n  "plugin": "x"\n}',
    { problem: expect.stringMatching(/^:2:\d+: "plugin" is not a list/) },
  ],
  ["no list", "{}", { entries: [], keys: [] }],
  ["entries of both kinds", '{"plugin": ["a", ["b", {}]]}', { entries: ["a", ["b", {}]] }],
])("reading the list says what it finds: %s", (_name, text, expected) => {
  expect(readPluginList(text)).toMatchObject(expected);
});
