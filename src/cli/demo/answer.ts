import { recordOf, textOf } from "../../lib/json.ts";
import type { OpenCodeApi, OpenCodeEvent } from "./api.ts";

/** Plays the user: allows what a specialist asks for, once; takes the first option of a question. */
export async function answerRequest(api: OpenCodeApi, event: OpenCodeEvent): Promise<void> {
  const id = textOf(event.properties["id"]) ?? "";
  if (event.type === "permission.asked") await api.call("POST", `/permission/${id}/reply`, { reply: "once" });
  if (event.type === "question.asked") {
    const answers = questionsOf(event).map(({ first }) => [first]);
    await api.call("POST", `/question/${id}/reply`, { answers });
  }
}

/** The questions of an event, each with the label of its first option. */
export function questionsOf(event: OpenCodeEvent): { question: string; first: string }[] {
  const questions = event.properties["questions"];
  if (!Array.isArray(questions)) return [];
  return questions.map(recordOf).map((question) => {
    const options = Array.isArray(question["options"]) ? question["options"] : [];
    return {
      question: textOf(question["question"]) ?? "",
      first: textOf(recordOf(options[0])["label"]) ?? "Yes",
    };
  });
}
