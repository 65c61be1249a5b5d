import { recordOf, textOf } from "../../lib/json.ts";

/** The hook that failed last, by git's own trace of what it started; null where none did. */
export function findFailedHook(trace: string): string | null {
  const hooks = new Map<unknown, string>();
  let failed: string | null = null;
  for (const line of trace.split("\n")) {
    const event = eventOf(line);
    // What a hook has git do has a longer name.
    if (textOf(event["sid"])?.includes("/") !== false) continue;
    const name = textOf(event["hook_name"]);
    if (event["event"] === "child_start" && name !== undefined) hooks.set(event["child_id"], name);
    const ended = event["event"] === "child_exit" && event["code"] !== 0;
    if (ended) failed = hooks.get(event["child_id"]) ?? failed;
  }
  return failed;
}

function eventOf(line: string): Record<string, unknown> {
  try {
    return recordOf(JSON.parse(line));
  } catch {
    return {}; // git was ended while it wrote.
  }
}
