import type { Runtime } from "../runtime.ts";
import { listFileTools } from "../tools/registry.ts";
import { listAfterTools } from "./after-tools.ts";
import { listBeforeTools } from "./before-tools.ts";
import { createCollaboration } from "./collaborate.ts";
import { listOnMessages } from "./on-messages.ts";
import { listOnRequests } from "./on-requests.ts";
import { defineHook, type HookDefinition } from "../host/hook-events.ts";

/** The hooks of GAIA's features in the order in which they run; at one event, the list's order is the only order. */
export function listHooks(runtime: Runtime): HookDefinition[] {
  const { supervision, conversations, engine, bounds, ledger } = runtime;
  const collaboration = createCollaboration(runtime);
  const observers = [ledger, bounds, engine, supervision, conversations, collaboration];
  return [
    defineHook({
      id: "observe-events",
      event: "host-event",
      run(event) {
        for (const observer of observers) observer.observe(event);
      },
    }),
    ...listOnMessages(runtime),
    ...collaboration.hooks,
    ...listOnRequests(runtime),
    ...listBeforeTools(runtime, listFileTools(runtime)),
    ...listAfterTools(runtime),
  ];
}
