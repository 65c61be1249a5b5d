import { fitsDialog, renderQuestion, renderTooLong } from "../trust/render.ts";
import type { CommandRun } from "./define.ts";

/** `/gaia-trust`: shows what the project's files ask for, and has the user asked in a dialog (SPEC 2.10). */
export const gaiaTrust: CommandRun = async (_argumentText, { conversation, runtime: { trust } }) => {
  const { ungranted, problem } = await trust.survey();
  if (problem !== null) return shown(`Nothing is trusted. ${problem}`);
  if (ungranted.length === 0) return shown("This project asks for nothing that you have not granted.");
  if (!fitsDialog(ungranted)) return shown(renderTooLong(ungranted));
  conversation.parts.trust.put(ungranted);
  return {
    forUser: renderQuestion(ungranted),
    forModel:
      "The user wants to be asked about trust in this project, and has the list on the screen. Call plan_gaia with op request_trust now, nothing else; then say in one line what it returned.",
  };
};

function shown(text: string): { forUser: string; forModel: string } {
  return {
    forUser: text,
    forModel: "The user has the answer on the screen. Call no tool and say only: Shown.",
  };
}
