import type { ModelId } from "../host/port.ts";

export type StructuredOutputMode = "auto" | "native" | "text";

/** Decides per model whether OpenCode's structured output is used, and remembers what did not work (SPEC 4, 7). */
export type StructuredOutput = ReturnType<typeof createStructuredOutput>;

/**
 * `auto` asks for the contract in text. OpenCode 1.18.33 cannot read back a session that holds a structured prompt
 * (`GET /session/:id/message` answers 400, `Expected OutputFormatJsonSchema`): the user could not enter the child, and
 * its result could not be rebuilt after a restart. `native` is for those who prefer it all the same.
 */
export function createStructuredOutput(mode: StructuredOutputMode) {
  const textOnly = new Set<ModelId | null>();
  return {
    useNative: (model: ModelId | null): boolean => mode === "native" && !textOnly.has(model),
    rememberTextOnly(model: ModelId | null): void {
      textOnly.add(model);
    },
  };
}
