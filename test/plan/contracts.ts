import type { Conversation } from "../../src/conversation/conversation.ts";
import type { JsonRecord } from "../../src/lib/json.ts";
import { result } from "../../src/scripted-model/turn.ts";
import { turn } from "../support/fake-host.ts";

/** What each specialist hands over where a scene says nothing else. */
export const CONTRACTS: Readonly<Record<string, JsonRecord>> = {
  hephaestus: {
    checks_run: [],
    diff_summary: "written",
    files_modified: [],
    revision_ids: [],
    notes: ["kept it small"],
    refactoring_done: [],
    known_issues: [],
  },
  artemis: { checks_run: [], tests_added: ["t.txt"], coverage_notes: "", pass_status: "pass" },
  aether: { checks_run: [], failures: [], failed_before: [], fixes: [], release_ready: true },
  hades: { vulnerabilities: [], rollback_plan: "", minimal_patch: "", risk_level: "low" },
  poseidon: { config_changes: [], checks_run: [], migrations: [], deploy_notes: "" },
  demeter: { log_entry: "it was done", decisions: [], learnings: [], plan_updates: [], session_summary: "x" },
};
export const APPROVED = { outcome: { verdict: "APPROVE", reason: "It holds." } };
export const isReviewer = (agent: string): boolean => agent === "aether" || agent === "hades";

/** How a specialist's turn ends; reviewers approve. */
export function handOver(agent: string, rest: JsonRecord = isReviewer(agent) ? APPROVED : {}) {
  return turn(result(CONTRACTS[agent] ?? {}, rest).text ?? "");
}

export function turnTo(conversation: Conversation, value: "supervised" | "autopilot" | "locked"): void {
  conversation.dispatch({ type: "command", change: { knob: "mode", value } });
}
