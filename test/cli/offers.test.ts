import { describe, expect, it } from "vitest";
import { listOffers, type OfferInput } from "../../src/cli/offers.ts";

const BARE: OfferInput = {
  names: [],
  settings: [],
  config: { code: "off", ast: "off", specialistTools: [], agents: {} },
  languages: [],
};
const PYTHON = { language: "python", program: null, install: "pip install pyright" };
const NODE: OfferInput = {
  ...BARE,
  names: ["package.json"],
  languages: [PYTHON],
};
const MCP = { mcp: { context7: { type: "remote" } } };
const fixes = (input: OfferInput): string[] => listOffers(input).map(({ fix }) => fix);

describe("what a project could have", () => {
  it("is nothing where nothing of it fits", () => {
    expect(listOffers(BARE)).toEqual([]);
  });

  it("comes with the lines or the command that add it", () => {
    expect(fixes(NODE)).toEqual([
      'In .gaia/config.jsonc: "code": "on"; and install: pip install pyright',
      expect.stringContaining("npm install -D @ast-grep/cli"),
      expect.stringMatching(/opencode\.json: "mcp": .*"apollo": \{ "toolbox": \{ "tools": \["context7_\*"\]/),
    ]);
  });

  it("is not offered where it is there, or was decided against", () => {
    const agents = { apollo: { toolbox: { tools: ["context7_*"] } } };
    const config: OfferInput["config"] = { code: "on", ast: "on", specialistTools: [], agents };
    expect(fixes({ ...NODE, config, settings: [{ formatter: false }, MCP] })).toEqual([]);
    const all = { ...config, agents: {}, specialistTools: ["*"] };
    expect(fixes({ ...NODE, config: all, settings: [MCP] })).toEqual([]);
  });

  it.each([[true], [{ mine: { command: ["./fmt", "$FILE"] } }]])(
    "says that OpenCode's own formatters run outside of the sandbox: %j",
    (formatter) => {
      expect(fixes({ ...BARE, settings: [{ formatter }] })).toEqual([
        expect.stringContaining('In opencode.json: "formatter": false'),
      ]);
    },
  );

  it("names only the line that is missing for a server that is there", () => {
    const [, , last] = fixes({ ...NODE, settings: [MCP] });
    expect(last).toBe(
      'in .gaia/config.jsonc: "agents": { "apollo": { "toolbox": { "tools": ["context7_*"] } } }',
    );
  });
});
