import type { Model } from "@opencode-ai/sdk/v2/types";
import type { ModelFacts, ModelId } from "../port.ts";

/** `provider/model` as OpenCode's API wants it; only the first slash separates. */
export function splitModel(model: ModelId): { providerID: string; modelID: string } {
  const slash = model.indexOf("/");
  return { providerID: model.slice(0, slash), modelID: model.slice(slash + 1) };
}

export function joinModel(model: { providerID: string; modelID: string }): ModelId {
  return `${model.providerID}/${model.modelID}`;
}

/** What OpenCode knows of a model; null for one that cannot do an agent's work. Older OpenCodes say less. */
export function factsOf(model: ModelId, about: Partial<Model>): ModelFacts | null {
  const { capabilities: can, cost, limit, release_date: date = "", status } = about;
  const isAble = can === undefined || (can.toolcall && can.input.text && can.output.text);
  if (!isAble || status === "deprecated" || status === "alpha") return null;
  const [reasoning, price, context] = [can?.reasoning ?? false, cost?.output ?? 0, limit?.context ?? 0];
  return { model, reasoning, price, context, released: Date.parse(date) || 0 };
}
