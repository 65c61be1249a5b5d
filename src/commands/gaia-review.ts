import { nameOf } from "../agents/registry.ts";
import { renderCommandText } from "../workspace/templates.ts";
import { defineCommand } from "./define.ts";

const SHIPPED = `${nameOf("checker")} and ${nameOf("reviewer")}`;

/** `/gaia-review [focus]`: what checkers and reviewers say about the uncommitted changes; nothing is changed for it. */
export const gaiaReview = defineCommand({
  name: "gaia-review",
  description: `GAIA: have ${SHIPPED} look at my uncommitted changes, for advice only; [focus]`,
  async run(argumentText, { conversation, runtime: { agents, host, reviewerBriefs } }) {
    const advisers = agents.named("checker", "reviewer");
    const brief =
      advisers.length === 0 ? null : await reviewerBriefs.current(conversation.state.knobs.reviewDepth);
    if (brief === null) {
      const why = advisers.length === 0 ? `${SHIPPED} are disabled.` : "There are no uncommitted changes.";
      await host.toast("info", `Nothing to review: ${why}`);
      return { forModel: `Nothing is reviewed, and you review nothing. Tell the user in one line: ${why}` };
    }
    conversation.parts.planning.begin("review");
    conversation.parts.lanes.say("review");
    const focus = argumentText.trim();
    return {
      forModel: await renderCommandText("gaia-review", {
        advisers: advisers.join(" and "),
        focus: focus === "" ? "" : ` The user wants to know above all: ${focus}`,
      }),
    };
  },
});
