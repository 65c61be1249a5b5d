import type { ModelId } from "../port.ts";

/** `provider/model` as OpenCode's API wants it; only the first slash separates. */
export function splitModel(model: ModelId): { providerID: string; modelID: string } {
  const slash = model.indexOf("/");
  return { providerID: model.slice(0, slash), modelID: model.slice(slash + 1) };
}

export function joinModel(model: { providerID: string; modelID: string }): ModelId {
  return `${model.providerID}/${model.modelID}`;
}
