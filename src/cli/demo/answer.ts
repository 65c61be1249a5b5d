import { recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import type { OpenCodeApi, OpenCodeEvent } from "./api.ts";

/** What the demo answers to a permission request in the user's place. */
export interface PermissionAnswer {
  readonly reply: "once" | "reject";
  /** The same in the words that are shown, and that a refused model is told. */
  readonly words: string;
}

/**
 * Yes to everything inside the sample project: it is a copy. Nothing outside it is any business of the demo's.
 * @param asked the properties of OpenCode's `permission.asked`
 */
export function answerPermission(asked: JsonRecord): PermissionAnswer {
  if (asked["permission"] === "external_directory") {
    return { reply: "reject", words: "no, stay inside the project" };
  }
  return { reply: "once", words: "yes, once" };
}

/** Plays the user: answers what a specialist asks for, and takes the first option of a question. */
export async function answerRequest(api: OpenCodeApi, { type, properties }: OpenCodeEvent): Promise<void> {
  const id = textOf(properties["id"]) ?? "";
  if (type === "permission.asked") {
    const { reply, words } = answerPermission(properties);
    const body = reply === "once" ? { reply } : { reply, message: words };
    await api.call("POST", `/permission/${id}/reply`, body);
  }
  if (type === "question.asked") {
    const answers = questionsOf(properties).map(({ first }) => [first]);
    await api.call("POST", `/question/${id}/reply`, { answers });
  }
}

/**
 * The questions that GAIA asks, each with the label of its first option, which is her recommendation.
 * @param asked the properties of OpenCode's `question.asked`
 */
export function questionsOf(asked: JsonRecord): { question: string; first: string }[] {
  const questions = Array.isArray(asked["questions"]) ? asked["questions"].map(recordOf) : [];
  return questions.map(({ question, options }) => ({
    question: textOf(question) ?? "",
    first: textOf(recordOf(Array.isArray(options) ? options[0] : null)["label"]) ?? "Yes",
  }));
}
