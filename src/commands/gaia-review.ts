import { nameOf } from "../agents/registry.ts";
import { excerpt } from "../lib/excerpt.ts";
import type { Vcs } from "../vcs/port.ts";
import { renderCommandText } from "../workspace/templates.ts";
import { type CommandRun, refuseCommand } from "./define.ts";

const SHIPPED = `${nameOf("checker")} and ${nameOf("reviewer")}`;
const BRANCH = /^(?:branch(?=\s|$)|--base(?:[=\s]+(?<name>\S+)|$))\s*/u;

/** What is looked at; without a base the uncommitted changes. */
interface Range {
  readonly what: string;
  readonly base?: string;
}

/** `/gaia-review [branch | --base <ref>] [focus]`: what checkers and reviewers say; nothing is changed for it. */
export const gaiaReview: CommandRun = async (argumentText, { conversation, runtime: { agents, host } }) => {
  const { reviewerBriefs, vcs } = conversation.tree;
  const advisers = agents.named("checker", "reviewer");
  if (advisers.length === 0) return refuseCommand(host, "reviewed", `${SHIPPED} are disabled.`);
  const text = argumentText.trim();
  const asked = BRANCH.exec(text);
  const range = asked === null ? UNCOMMITTED : await rangeOf(vcs, asked.groups?.["name"] ?? null);
  if (typeof range === "string") return refuseCommand(host, "reviewed", range);
  const { reviewDepth } = conversation.state.knobs;
  const brief = await reviewerBriefs.current(reviewDepth, undefined, null, range.base);
  if (brief === null) return refuseCommand(host, "reviewed", `There are no ${range.what}.`);
  conversation.parts.planning.begin("review", range.base);
  conversation.parts.lanes.say("review");
  const focus = text.slice(asked?.[0].length ?? 0);
  return {
    forModel: await renderCommandText("gaia-review", {
      what: `the ${range.what}`,
      advisers: advisers.join(" and "),
      focus: focus === "" ? "" : ` The user wants to know above all: ${focus}`,
    }),
  };
};

const UNCOMMITTED: Range = { what: "uncommitted changes" };

/** @returns why the branch cannot be looked at, where it cannot */
async function rangeOf(vcs: Vcs, name: string | null): Promise<Range | string> {
  const found = await vcs.branchBase(name);
  if (found.kind === "unknown") return `The branch cannot be compared: ${excerpt(found.why, 200)}.`;
  const { base, commits } = found;
  const count = `${commits} commit${commits === 1 ? "" : "s"}`;
  return { base, what: `changes of this branch since ${found.name} (${count}, and what is uncommitted)` };
}
