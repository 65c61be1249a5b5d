import { describe, expect, it } from "vitest";
import { tidyPlanArgs } from "../../src/tools/plan-args.ts";

describe("the text of a plan", () => {
  it.each([
    ["as it is", "## Tasks\n", "## Tasks\n"],
    [
      "without the block around all of it",
      "```markdown\n## Tasks\n- [ ] 1. A\n```\n",
      "## Tasks\n- [ ] 1. A\n",
    ],
    ["of any sign and line end", "~~~~md\r\n## Tasks\r\n~~~~", "## Tasks\r\n"],
    ["with a block of code in it", "```ts\na;\n```\n", "```ts\na;\n```\n"],
    ["with two blocks", "```md\na\n```\n\n```md\nb\n```", "```md\na\n```\n\n```md\nb\n```"],
    ["with text behind one", "```md\na\n```\nb", "```md\na\n```\nb"],
  ])("is read %s", (_how, given, read) => {
    expect(tidyPlanArgs({ op: "update_plan", markdown: given })).toMatchObject({
      content: { markdown: read },
    });
  });
});
