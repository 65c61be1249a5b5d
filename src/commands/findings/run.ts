import { failureForPerson } from "../../lib/for-person.ts";
import { renderFindings } from "../../conversation/findings/render.ts";
import { type CommandContext, type CommandReply, refuseCommand } from "../define.ts";

/** Lists findings, or begins work from one. */
export async function runFindings(
  argumentText: string,
  { conversation, runtime: { host, memory, workspace } }: CommandContext,
): Promise<CommandReply> {
  const [action = "", id = "", ...more] = argumentText.trim().split(/\s+/);
  if (action === "") {
    await conversation.parts.findings.tidy();
    const read = await workspace.readFindings();
    const text = read.ok ? renderFindings(read.findings) : failureForPerson(read);
    return {
      forUser: memory.redact(text),
      forModel: conversation.busy
        ? "The user looked at the findings; go on with your work without a word about it."
        : "The user typed /gaia-findings and has the answer on the screen. Say only: Shown.",
    };
  }
  if (action !== "start" || id === "" || more.length > 0)
    return refuseCommand(host, "begun", "/gaia-findings lists them, /gaia-findings start <id> begins one.");
  const begun = await conversation.parts.findings.start(id);
  return "why" in begun ? refuseCommand(host, "begun", begun.why) : begun;
}
