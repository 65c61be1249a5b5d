import { join } from "node:path";
import { expect, it } from "vitest";
import { call, say } from "../../src/scripted-model/turn.ts";
import { copySources } from "../support/copy-sources.ts";
import { openProject } from "../support/project.ts";
import { type } from "./scenes.ts";

const TOOL = `import { defineTool, type ToolDefinition } from "../host/tool.ts";
import type { Runtime } from "../runtime.ts";
import { TOY } from "./announced.ts";
export function createToyTool({ conversations }: Runtime): ToolDefinition {
  return defineTool({
    ...TOY,
    renderRefusal: (refusal) => refusal,
    async execute({ word }, { sessionId }) {
      const heard = (await conversations.of(sessionId))?.conversation.parts.toy.heard();
      return { title: word, result: { heard } };
    },
  });
}
`;
const PART = `import type { Part } from "../part.ts";
export function createToy() {
  let count = 0;
  return { heard: () => count, userSpoke: () => void (count += 1) } satisfies Omit<Part, "heard"> & { heard(): number };
}
`;
const GATE = `  {
    name: "toy",
    why: "to play",
    decide: ({ args }) => (args["word"] === "no" ? "Refused: not this word." : null),
  },
`;
const COMMAND = `import type { CommandRun } from "./define.ts";
export const toy: CommandRun = (words) => ({ forUser: \`Toy: \${words}\`, did: "played" });
`;

it("a tool, a part, a gate and a slash command take the files that CONTRIBUTING names, and work in OpenCode", async () => {
  const sources = await copySources();
  await sources.write("src/tools/toy.ts", TOOL);
  await sources.add(
    "src/tools/registry.ts",
    ["import { createDelegateTool }", 'import { createToyTool } from "./toy.ts";\n'],
    ["createRecallTool].map", "createToyTool, "],
  );
  await sources.add(
    "src/tools/announced.ts",
    [
      "export const TELL",
      'export const TOY = { name: "toy_gaia", description: "Play.", args: { word: z.string() } };\n',
    ],
    ["RECALL.name];", "TOY.name, "],
    ["RECALL];", "TOY, "],
  );
  await sources.write("src/conversation/toy/toy.ts", PART);
  await sources.add(
    "src/conversation/parts.ts",
    ["import { createTurns }", 'import { createToy } from "./toy/toy.ts";\n'],
    ["  };\n}\n\nexport type Parts", "    toy: createToy(),\n"],
  );
  await sources.add("src/conversation/tool-calls/gates.ts", ['  {\n    name: "question",', GATE]);
  await sources.write("src/commands/toy.ts", COMMAND);
  await sources.add(
    "src/commands/registry.ts",
    ["import { back, talk }", 'import { toy } from "./toy.ts";\n'],
    ['  "gaia-why": gaiaWhy', "  toy,\n"],
  );
  await sources.add("src/commands/menu.ts", ['  entry("gaia-why"', '  entry("toy", "play", "always"),\n']);

  const project = await openProject({ plugin: join(sources.root, "src/index.ts") });
  project.model.always("title", say("A title"));
  project.model.script(
    "gaia",
    call("toy_gaia", { word: "yes" }),
    call("toy_gaia", { word: "no" }),
    say("Played."),
  );
  const { tools, sessionId } = await project.prompt("gaia", "Play");
  expect(tools.map(({ output }) => output)).toEqual([
    expect.stringMatching(/^\{"heard":[1-9]\}$/),
    expect.stringContaining("Refused: not this word."),
  ]);
  project.model.script("gaia", say("Shown."));
  await type(project, sessionId, "toy", "with it");
  expect(JSON.stringify(await project.messages(sessionId))).toContain("Toy: with it");
  await project.close();
});
