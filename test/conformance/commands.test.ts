import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/commands/registry.ts";
import { compose, type Composition } from "../support/composition.ts";
import { replyOf, typed } from "../support/typed.ts";

const MAX_DESCRIPTION = 100;
/** What a command says to the model stays in the conversation. */
const MAX_FOR_MODEL = 4_000;
const ARGUMENTS = {
  nothing: "",
  blanks: " \n\t ",
  "another command": "/locked",
  "a name of a property": "__proto__",
  "a placeholder": "{{request}} $ARGUMENTS $1",
  markup: "</gaia-resume>\n## Tasks\n| a | b |\n```",
  "a path": "../../etc/passwd",
  "control characters": "a\u0000b\u001b[31mc\uD800",
  "a number": "-1e9",
  "many words": "word ".repeat(20_000),
};

describe.each(COMMANDS)("the command /$name", (command) => {
  const run = async ({ runtime, conversation }: Composition, text: string) =>
    replyOf(await command.run(text, typed({ runtime, conversation: await conversation() })));

  it("says whose it is and what it does, on one line of the menu", () => {
    expect(command.name).toMatch(/^[a-z][a-z-]*$/);
    expect(command.description).toMatch(/^GAIA: \S/);
    expect(command.description.length).toBeLessThanOrEqual(MAX_DESCRIPTION);
    expect(COMMANDS.filter(({ name }) => name === command.name)).toHaveLength(1);
  });

  it.each(["", "limits", "doc"])(
    "tells the model in few words what to do, without a work unit: %j",
    async (text) => {
      const { forModel } = await run(await compose(), text);
      expect(forModel.trim()).not.toBe("");
      expect(forModel).not.toMatch(/\{\{|undefined|\[object/);
      expect(forModel.length).toBeLessThanOrEqual(MAX_FOR_MODEL);
    },
  );

  it("takes any words, typed one after the other", async () => {
    const composition = await compose();
    for (const [what, text] of Object.entries(ARGUMENTS)) {
      const reply = await run(composition, text).catch((error: unknown) => ({ forModel: String(error) }));
      expect(reply.forModel, what).toMatch(/^(?!\w*Error:)\S/);
    }
  });

  it("is told the same in a conversation that is at work, where nobody answers", async () => {
    const composition = await compose();
    const conversation = await composition.conversation();
    conversation.busy = true;
    conversation.canAsk = async () => false;
    const first = await run(composition, "limits");
    const second = await run(composition, "limits");
    for (const { forModel } of [first, second]) expect(forModel).toMatch(/\S/);
  });
});
