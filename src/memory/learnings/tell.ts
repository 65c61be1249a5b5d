import type { Workspace } from "../../workspace/workspace.ts";
import { describeConfidence, type Judged } from "./confidence.ts";

/**
 * What is to be told of each learning's confidence beside it, by what was seen in this checkout; empty for nothing.
 * @param now milliseconds since the epoch
 */
export async function tellConfidence(
  workspace: Pick<Workspace, "learningEvidence">,
  now: number,
): Promise<(learning: Judged) => string> {
  const read = await workspace.learningEvidence();
  const evidence = read.ok ? read.evidence : new Map<string, never>();
  return (learning) => describeConfidence(learning, evidence, now);
}
