import { refuse } from "../lib/error.ts";
import { agentName } from "../agents/registry.ts";
import { counted } from "../lib/figures.ts";
import { excerpt } from "../lib/text.ts";
import type { VcsType } from "../contracts/contract.ts";
import { findBranchBase } from "../commit/history.ts";
import { renderCommandText } from "../record/templates.ts";
import type { CommandRun } from "./define.ts";

const ACCEPTED = "The checks count as they are now.";

/** `/gaia-check [scope] [force|accept]`: the project's own checks, run in the host; no model reads their output (SPEC 11). */
export const gaiaCheck: CommandRun = async (argumentText, { conversation, hasTurn, runtime: { host } }) => {
  const { checks } = conversation.parts;
  const words = argumentText.trim().split(/\s+/);
  if (words.includes("accept")) {
    await checks.acceptChecks(conversation.state.workUnit);
    return { forUser: ACCEPTED, forModel: "The user lets the changed checks count. Go on." };
  }
  const scope = words.filter((word) => word !== "force").join(" ");
  // The command's own turn is about to begin, and the result must not come between.
  if (hasTurn) conversation.busy = true;
  const isStarted = checks.runForUser(scope === "" ? undefined : scope, words.includes("force"));
  await host.toast("info", isStarted ? "The checks run." : "The checks are running already.");
  return {
    forUser: isStarted ? "The checks run; their result comes here." : "The checks are running already.",
    did: "has the plugin run the checks",
    say: "Checks are running.",
  };
};

const SHIPPED = `${agentName("checker")} and ${agentName("reviewer")}`;
const BRANCH = /^branch(?=\s|$)/u;
const BASE = /(?:^|\s)--base(?:[=\s]+(\S+)|$)/u;

const MAX_WORDS = 200;

interface Range {
  readonly what: string;
  readonly base?: string;
}

/** `/gaia-review [branch] [--base <ref>] [focus]`: what checkers and reviewers say; nothing is changed for it. */
export const gaiaReview: CommandRun = async (argumentText, { conversation, runtime: { agents } }) => {
  const { reviewerBriefs, vcs, place } = conversation.tree;
  const advisers = agents.named("checker", "reviewer");
  if (advisers.length === 0) return refuse(`${SHIPPED} are disabled.`);
  const { isOfBranch, base, focus } = readAsked(argumentText);
  const range = isOfBranch
    ? await rangeOf(vcs.kind, place.project, base)
    : { what: vcs.kind === "none" ? UNKEPT : UNCOMMITTED };
  if (typeof range === "string") return refuse(range);
  const { failed } = await vcs.changesSince(range.base ?? null);
  if (failed !== undefined)
    return refuse(`Version control does not tell what was changed: ${excerpt(failed, MAX_WORDS)}.`);
  const { reviewDepth } = conversation.state.knobs;
  const brief = await reviewerBriefs.current(reviewDepth, undefined, null, range.base);
  if (brief === null) return refuse(`There are no ${range.what}.`);
  conversation.parts.planning.begin({ kind: "review", base: range.base });
  conversation.parts.lanes.say("review");
  return {
    forModel: await renderCommandText("gaia-review", {
      what: `the ${range.what}`,
      advisers: advisers.join(" and "),
      focus: focus === "" ? "" : ` The user wants to know above all: ${focus}`,
    }),
  };
};

export function readAsked(typed: string): { isOfBranch: boolean; base: string | null; focus: string } {
  const base = BASE.exec(typed);
  const rest = typed.replace(BASE, " ").trim();
  const isOfBranch = base !== null || BRANCH.test(rest);
  return { isOfBranch, base: base?.[1] ?? null, focus: rest.replace(BRANCH, "").trim() };
}

const UNCOMMITTED = "uncommitted changes";
/** Without version control. */
const UNKEPT = "changes since OpenCode began here (earlier ones are not known without version control)";

async function rangeOf(kind: VcsType, folder: string, name: string | null): Promise<Range | string> {
  const found = await findBranchBase(kind, { folder }, name);
  if (found.kind === "unknown") return `The branch cannot be compared: ${excerpt(found.why, MAX_WORDS)}.`;
  const { base, commits } = found;
  const count = counted(commits, "commit");
  return { base, what: `changes of this branch since ${found.name} (${count}, and what is uncommitted)` };
}

const DRAFT = /(?:^|\s)--draft(?=\s|$)/;

/** `/gaia-pr [unit] [--draft]`: a pull request from the record; the user is asked before anything is pushed. */
export const gaiaPr: CommandRun = async (argumentText, { conversation, runtime: { extrasOf } }) => {
  const { knobs, workUnit } = conversation.state;
  if (knobs.mode === "locked") return refuse("The session is locked.");
  const name = argumentText.replace(DRAFT, " ").trim() || (workUnit ?? undefined);
  const typed = await extrasOf(conversation).pullRequests.typed(name, DRAFT.test(argumentText));
  if (typeof typed === "string") return refuse(typed);
  return typed.isWished ? typed : { forUser: typed.forUser, did: "looked at the pull request" };
};
