import { renderCommandText } from "../workspace/templates.ts";
import { type CommandRun, refuseCommand } from "./define.ts";

/** `/gaia-spec <feature>`: a spec in five phases, written together with the user into the unit's `spec.md`. */
export const gaiaSpec: CommandRun = async (argumentText, { conversation, runtime: { host } }) => {
  const request = argumentText.trim();
  if (request === "") return refuseCommand(host, "started", "/gaia-spec needs what is to be specified.");
  conversation.parts.planning.begin("spec");
  return { forModel: await renderCommandText("gaia-spec", { request }) };
};
