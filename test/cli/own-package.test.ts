import { expect, it } from "vitest";
import { howToRun } from "../../src/cli/own-package.ts";

it.each([
  ["/p/node_modules/opencode-gaia", "npx opencode-gaia"],
  ["/src/opencode-gaia", "node /src/opencode-gaia/dist/cli.js"],
  ["/my src/opencode-gaia", 'node "/my src/opencode-gaia/dist/cli.js"'],
])("a command of %s is typed behind %s", (folder, words) => {
  expect(howToRun(folder)).toBe(words);
});
