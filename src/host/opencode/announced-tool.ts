import type { Hooks } from "@opencode-ai/plugin";
import type { AnnouncedTool } from "../tool.ts";
import type { OpenCodeHost } from "./adapter.ts";
import type { Calls } from "./calls.ts";
import type { OpenCodeServedTools, ServedTools } from "./tools.ts";

type OpenCodeTools = NonNullable<Hooks["tool"]>;

/** Tools in OpenCode's form, as far as it asks for them at a start. @param open loads what they do */
export function announceToOpenCode(
  tools: readonly AnnouncedTool[],
  { logger, openCalls }: Pick<OpenCodeHost, "logger" | "openCalls">,
  open: () => Promise<ServedTools>,
  calls: Pick<Calls, "ofContext" | "reasonFor" | "endDenied">,
): OpenCodeTools {
  let served: OpenCodeServedTools | null = null;
  const serve = async (): Promise<OpenCodeServedTools> => {
    const features = await open();
    const { serveTools } = await import("./tools.ts");
    return (served ??= serveTools(features, logger, calls));
  };
  const entries = tools.map(({ name, description, args }): [string, OpenCodeTools[string]] => [
    name,
    {
      description,
      args,
      async execute(raw, context) {
        const tool = (await serve())[name];
        if (tool === undefined) throw new Error(`${name} is announced, and nothing serves it.`);
        const call = calls.ofContext(context);
        const end = openCalls.begin(context);
        try {
          return await tool.execute(raw, context, calls.reasonFor(call));
        } catch (error) {
          calls.endDenied(call); // OpenCode says nothing of what fails.
          throw error;
        } finally {
          end();
        }
      },
    },
  ]);
  return Object.fromEntries(entries);
}
