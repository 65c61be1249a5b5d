import type { Hooks } from "@opencode-ai/plugin";

type HookName =
  | "config"
  | "event"
  | "chat.message"
  | "chat.params"
  | "tool.execute.before"
  | "tool.execute.after"
  | "command.execute.before"
  | "experimental.chat.system.transform"
  | "experimental.session.compacting"
  | "experimental.text.complete";

type HookFunction<Name extends HookName> = NonNullable<Hooks[Name]>;
export type HookInput<Name extends HookName> = Parameters<HookFunction<Name>>[0];
export type HookOutput<Name extends HookName> =
  Parameters<HookFunction<Name>> extends [unknown, infer Output] ? Output : undefined;

/** One hook of the plugin. Several may stand at the same event; the registry's order is their order. */
export interface HookDefinition<Name extends HookName = HookName> {
  /** The file's name; also the log tag. */
  readonly id: string;
  readonly event: Name;
  /** Why it stands where it stands in the order. */
  readonly why: string;
  /** `open`: a failure is logged and the turn goes on. `closed`: a failure denies (SPEC 2.4). */
  readonly onFailure: "open" | "closed";
  run(input: HookInput<Name>, output: HookOutput<Name>): Promise<void> | void;
}

/** A hook that refuses on purpose throws this; its message is what the model is told. */
export class Denial extends Error {
  override readonly name = "Denial";
}

/** Keeps a hook's event and types together when hooks are listed side by side. */
export function defineHook<Name extends HookName>(definition: HookDefinition<Name>): HookDefinition {
  return definition;
}
