import type { ToolCall } from "../../host/port.ts";
import { describeError, isRefusal, refuse } from "../../lib/error.ts";
import { openPullRequest } from "./open.ts";
import { type PullRequestNeeds, renderCommands, surveyPullRequest, type Survey } from "./survey.ts";
import { askApproval } from "../../conversation/approvals/ask-approval.ts";
import type { Dialogs } from "../../conversation/approvals/dialogs.ts";
import type { Conversation } from "../../conversation/conversation.ts";
import type { Part } from "../../conversation/part.ts";

/** What the user asked for, and what of it was on their screen. */
interface Wish {
  readonly unit: string;
  readonly wantsDraft: boolean;
  readonly shown: string;
}

export type PullRequests = ReturnType<typeof createPullRequests>;

/** Pull requests of this conversation: only what the user has asked for can be put to them (SPEC 2.7). */
export function createPullRequests(needs: PullRequestNeeds) {
  const { services } = needs;
  const { treeOf } = services;
  let wished: Wish | null = null;

  /** The user wants one, of this unit. @returns why there is none; else what they and GAIA are told */
  const typed = async (
    name: string | undefined,
    wantsDraft: boolean,
  ): Promise<string | { forUser: string; forModel: string; isWished: boolean }> => {
    const survey = await surveyPullRequest(needs, name, wantsDraft).catch(describeError);
    if (typeof survey === "string") return survey;
    const { unit, shown, way } = survey;
    const isWished = way.kind === "open";
    if (isWished) wished = { unit, wantsDraft, shown };
    const forModel =
      "The user sees the pull request. Call plan_gaia with op request_pr now, nothing else; then say in one line what it returned.";
    return { forUser: shown, forModel, isWished };
  };

  return {
    typed,
    /** A unit is closed: the last steps for GAIA, with a pull request where there can be one. */
    async offer(unit: string): Promise<string> {
      const given = await typed(unit, false);
      if (typeof given === "string" || !given.isWished) return "Then tell";
      // It was not on their screen.
      wished = { unit, wantsDraft: false, shown: "" };
      return "\n6. plan_gaia request_pr: the plugin asks the user whether this becomes a pull request; no is fine.\n7. Tell";
    },
    /**
     * Has the user asked about what they wished for, once, and does exactly that: a model can neither begin this nor choose what
     * it is about. @returns a refusal, or what came of it
     */
    async request(conversation: Conversation, dialogs: Dialogs, call: ToolCall): Promise<object> {
      const wish = wished;
      wished = null;
      if (wish === null) return refuse("Only the user asks for this, with /gaia-pr.");
      const { outbox } = conversation;
      const no = (why: string): object => refuse(`Nothing was pushed${why}`, END);
      const look = async (): Promise<Survey> => surveyPullRequest(needs, wish.unit, wish.wantsDraft);
      const survey = await look();
      const { way, effect, shown, unit, isOpen } = survey;
      if (shown !== wish.shown) outbox.note(shown);
      if (way.kind === "by-hand") return no(`: ${way.why}.`);
      const gate = { kind: "pull-request", workUnit: isOpen ? unit : "", title: effect } as const;
      const answer = await askApproval(conversation, dialogs, gate, call);
      if (isRefusal(answer)) {
        outbox.note(renderCommands(way));
        return no(`. ${answer.reason}`);
      }
      // A dialog may stand open for hours.
      const now = await look();
      const isSame = now.effect === effect && now.tree === survey.tree;
      if (
        !isSame ||
        now.way.kind !== "open" ||
        now.way.commit !== way.commit ||
        conversation.state.knobs.mode === "locked"
      )
        return no(": something changed meanwhile; /gaia-pr asks again.");
      if (call.abort.aborted) return no(": it was stopped.");
      const at = { ...services, directory: treeOf(unit).place.project };
      const { ok, text, commands = [] } = await openPullRequest(way, now, at, call.abort);
      outbox.note([text, renderCommands({ commands })].filter(Boolean).join("\n"));
      if (isOpen) await conversation.log("Pull request", `- ${text}`, unit);
      return ok ? { ok, pull_request: text } : refuse(text, END);
    },
    userSpoke(how) {
      // Before the dialog GAIA may ask them something.
      if (how !== "answer") wished = null;
    },
  } satisfies Part & Record<string, unknown>;
}

const END = "Tell the user in one line and end your turn.";
