import { excerpt } from "../../lib/excerpt.ts";
import { tellWhy } from "../../memory/why.ts";
import { type CommandContext, type CommandReply, refuseCommand } from "../define.ts";

/** Tells what the record and the history say of a place; a model is asked only where both are silent. */
export async function answerWhy(
  argumentText: string,
  { runtime: { host, memory, vcs } }: CommandContext,
): Promise<CommandReply> {
  const asked = argumentText.trim();
  if (asked === "")
    return refuseCommand(host, "looked up", "/gaia-why needs a file, a file:line or a symbol.");
  const { recall, confidence } = memory;
  const found = await tellWhy(
    { recall, vcs, directory: host.project, from: host.directory, confidence },
    asked,
  );
  const what = JSON.stringify(excerpt(asked, 200));
  if (found === null)
    return {
      forModel: `The user typed /gaia-why ${what}. Nothing was found in the record and the history. Look at the code yourself, answer in a few sentences with path:line, and say what is only inferred. Change nothing.`,
    };
  return {
    forUser: memory.redact(found),
    forModel: `The user typed /gaia-why ${what} and has the answer on the screen. Say only: Shown.`,
  };
}
