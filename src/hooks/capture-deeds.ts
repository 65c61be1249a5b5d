import { relative, resolve } from "node:path";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import { describeError } from "../lib/error.ts";
import { numberOf, recordOf, textOf } from "../lib/json.ts";
import type { Deed } from "../memory/capture/fix.ts";
import type { Runtime } from "../runtime.ts";

const EDITING_TOOLS = new Set(["edit", "write", "multiedit"]);

/** Shows commands and edits of GAIA's sessions to the capture; no tool call waits for it. */
export function createCaptureDeedsHook({ sessions, memory, host }: Runtime): HookDefinition {
  return defineHook({
    id: "capture-deeds",
    event: "tool.execute.after",
    why: "only watches: after whatever changes a result",
    onFailure: "open",
    run({ tool, sessionID, args }, { output, metadata }) {
      const deed = readDeed(tool, args, { output, metadata }, host.directory);
      if (deed === null) return;
      const note = async (): Promise<void> => {
        const session = await sessions.find(sessionID);
        if (session !== null) memory.capture.deed(session.rootId, deed);
      };
      note().catch((error: unknown) => {
        host.logger.log("debug", "capture-deeds", describeError(error));
      });
    },
  });
}

function readDeed(
  tool: string,
  args: unknown,
  { output, metadata }: { output: unknown; metadata: unknown },
  directory: string,
): Deed | null {
  const input = recordOf(args);
  if (EDITING_TOOLS.has(tool)) {
    const file = textOf(input["filePath"]);
    return file === undefined ? null : { type: "edit", file: relative(directory, resolve(directory, file)) };
  }
  const command = textOf(input["command"]);
  const exit = numberOf(recordOf(metadata)["exit"]);
  if (tool !== "bash" || command === undefined || exit === undefined) return null;
  return { type: "command", command, exit, output: textOf(output) ?? "" };
}
