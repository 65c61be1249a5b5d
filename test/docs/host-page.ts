import type { HookEvent } from "../../src/host/hook-events.ts";
import type { Host } from "../../src/host/port.ts";
import { HOST_NEEDS } from "../conformance/host-needs.ts";

type Answer<Member> = Member extends (...given: never[]) => infer Given ? Awaited<Given> : Member;
type Nullable = { [Name in keyof Host]: null extends Answer<Host[Name]> ? Name : never }[keyof Host];

/** What a host may lack, which it says by null, and what the product is without it: the type finds every such member of the port. */
const MAY_LACK: Readonly<Record<Nullable, string>> = {
  oneShot: "the process goes on after a request, so nothing is printed at its end",
  address: "commands and requests to the host's own server are not recognised as such",
  askInSession: "what a specialist asks for is left to its own session, or refused and left for the user",
  skills: "no specialist is told which skills fit its task",
  formatters: "each edit by the host's own tools is asked for",
  version: "nobody is warned of a release that is not supported",
};

/** Where a hook stands, in words for whoever writes an adapter; the type finds every event. */
const EVENTS: Readonly<Record<HookEvent, string>> = {
  configuration: "the host reads its configuration: agents, commands and tools are registered",
  "host-event": "something happened; nobody waits",
  "user-message": "a message is about to be sent",
  "command-typed": "a slash command was typed",
  "before-tool": "a call waits to run; a throw refuses it",
  "after-tool": "a call has ended well",
  "shell-environment": "the shell of a command is about to start; a throw keeps it from starting",
  "before-request": "a request's system prompt",
  "request-parameters": "a request's parameters; a throw holds it",
  compaction: "a conversation is about to be summarised",
  "answer-text": "a text of the model's is complete",
};

/** The generated part of docs/hosts.md. */
export function renderHostPage(): string {
  const table = (head: string, rows: readonly (readonly [string, string])[]): string =>
    [head, "| --- | --- |", ...rows.map(([name, what]) => `| \`${name}\` | ${what} |`)].join("\n");
  return `
An adapter is one folder below \`src/host/\`. It implements \`Host\` (\`src/host/port.ts\`) over the host's own calls, translates its hooks to our
events (\`src/host/hook-events.ts\`), and reads what its tools do as a \`ToolEffect\` (\`src/host/tool-call.ts\`). It is put in by \`src/plugin.ts\`;
beside the panel and the command line no other file knows a word of the host's (\`test/structure/host-words.test.ts\`).

## What a host has to do

One scene, played in the real OpenCode (\`test/e2e/host-needs.test.ts\`). An argument that the adapter does not know by name fails open: map all.

${table(
  "| need | the host, through its adapter |",
  HOST_NEEDS.map(({ id, what }) => [id, what] as const),
)}

A host that takes the hook before a call and never fires it is found out by the first call of a tool of ours: it refuses, no specialist begins, and
the user is told in one sentence.

## Events

${table("| event | when |", Object.entries(EVENTS))}

## What a host may lack

It answers null, and nothing else is asked of it:

${table("| member of `Host` | without it |", Object.entries(MAY_LACK))}
`.trim();
}
