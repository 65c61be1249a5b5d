import type { ModelId } from "../host/port.ts";

export type StructuredOutputMode = "auto" | "native" | "text";

/** Decides per model whether OpenCode's structured output is used, and remembers what did not work (SPEC 7). */
export interface StructuredOutput {
  useNative(model: ModelId | null): boolean;
  rememberTextOnly(model: ModelId | null): void;
}

export function createStructuredOutput(mode: StructuredOutputMode): StructuredOutput {
  const textOnly = new Set<ModelId | null>();
  return {
    useNative: (model) => mode === "native" || (mode === "auto" && !textOnly.has(model)),
    rememberTextOnly(model) {
      textOnly.add(model);
    },
  };
}
