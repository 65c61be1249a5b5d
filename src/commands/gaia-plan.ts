import { PLAN_REVIEWER } from "../conversation/planning/stage.ts";
import { renderCommandText } from "../workspace/templates.ts";
import { defineCommand, refuseCommand } from "./define.ts";

/** `/gaia-plan <request>`: recon, interview, plan, review, approval; nothing is carried out (SPEC 12). */
export const gaiaPlan = defineCommand({
  name: "gaia-plan",
  description: "GAIA: plan <request> with me: recon, questions, plan, review, my approval",
  async run(argumentText, { conversation, runtime: { agents, host } }) {
    const request = argumentText.trim();
    if (request === "") return refuseCommand(host, "started", "/gaia-plan needs what is to be planned.");
    conversation.parts.planning.begin("planning");
    conversation.parts.lanes.say(/\brefactor/i.test(request) ? "refactor" : "feature");
    const recon = agents.named("recon").join(" and ");
    const review = agents.specialists.has(PLAN_REVIEWER)
      ? `Delegate to ${PLAN_REVIEWER}: "TASK: review the plan .gaia/<slug>/plan.md"; the plugin says what to look for and what follows from the verdict.`
      : "Read the plan once more as somebody who has to carry it out, and fix what would block them.";
    return {
      forModel: await renderCommandText("gaia-plan", {
        request,
        recon: recon === "" ? "read and search yourself," : recon,
        review,
      }),
    };
  },
});
