import { renderCommandText } from "../workspace/templates.ts";
import { defineCommand, refuseCommand } from "./define.ts";

/** `/gaia-spec <feature>`: a spec in five phases, written together with the user into the unit's `spec.md`. */
export const gaiaSpec = defineCommand({
  name: "gaia-spec",
  description: "GAIA: specify <feature> with me in five phases, written to the unit's spec.md",
  async run(argumentText, { conversation, runtime: { host } }) {
    const request = argumentText.trim();
    if (request === "") return refuseCommand(host, "started", "/gaia-spec needs what is to be specified.");
    conversation.parts.planning.begin("spec");
    return { forModel: await renderCommandText("gaia-spec", { request }) };
  },
});
