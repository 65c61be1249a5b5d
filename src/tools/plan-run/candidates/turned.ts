import type { Step } from "../../../snapshot/lanes/versions.ts";

/** A change the other way round. */
export function turned({ path, from, to }: Step): Step {
  return { path, from: to, to: from };
}
