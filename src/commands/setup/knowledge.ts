import { personName } from "../../lib/person.ts";
import { describeError } from "../../lib/error.ts";
import { visible } from "../../lib/visible.ts";
import { waiting } from "../../knowledge/judge.ts";
import { titleOf } from "../../knowledge/entry.ts";
import { pickQuestion, type PrepareStep } from "./define.ts";

const MOST = 4;
/** A yes is to what is shown: longer ones are decided on the command line, which shows all of it. */
const MAX_SHOWN = 600;

/** What was proposed as known counts only when the user says so. */
export const prepareKnowledge: PrepareStep = async ({ knowledge }) => {
  const entries = await knowledge.all().catch(() => []);
  const open = waiting(entries).filter(({ body }) => body.length <= MAX_SHOWN);
  const shown = open.slice(0, MOST);
  if (shown.length === 0) return null;
  const { question, read } = pickQuestion(
    "Knowledge",
    "What of this is so, for everyone who works here? What you leave out goes on waiting; opencode-gaia knowledge reject declines it.",
    shown,
    ({ id, type, scope, standing, by, reason, body }) => ({
      label: titleOf({ body, id }),
      description: visible(
        [
          `${type} ${id}${scope === "user" ? ", yours in all projects" : ""}`,
          standing === "unconfirmed" ? "its file says accepted" : `proposed by ${by || "somebody"}`,
          reason,
          body.replaceAll(/\s+/g, " "),
        ]
          .filter(Boolean)
          .join(" · "),
      ),
    }),
  );
  return {
    question,
    async settle(labels) {
      const picked = read(labels)?.picked ?? [];
      const told: string[] = [];
      for (const entry of picked) {
        try {
          await knowledge.settle({ entry, status: "accepted", reason: "", by: personName() });
          told.push(entry.id);
        } catch (error) {
          told.push(`${entry.id} was not accepted (${describeError(error)})`);
        }
      }
      return told.length === 0 ? "" : `Knowledge accepted: ${told.join(", ")}.`;
    },
  };
};
