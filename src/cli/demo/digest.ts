import { recordOf, textOf, type JsonRecord } from "../../lib/json.ts";

/**
 * What a specialist's result comes down to, in one line.
 * @param output what `delegate_gaia` gave back, as JSON text
 */
export function digestResult(output: string): { ok: boolean; text: string } {
  const result = parse(output);
  const status = textOf(result["status"]) ?? "";
  const envelope = recordOf(result["parsed_json"]);
  const ok = status === "completed" && envelope["ok"] !== false;
  if (!ok) return { ok, text: textOf(result["message"]) ?? (status || "no result") };
  const text = DIGESTS[textOf(result["agent"]) ?? ""]?.(recordOf(envelope["data"])) ?? "";
  const outcome = textOf(recordOf(envelope["outcome"])["verdict"]) ?? textOf(envelope["outcome"]) ?? "";
  return { ok, text: [outcome, text].filter(Boolean).join(": ") };
}

/** Only for the specialists of the feature pipeline; others end with "done". */
const DIGESTS: Readonly<Record<string, (data: JsonRecord) => string>> = {
  minerva: (data) => joined(count(data, "plan", "step"), first(data, "risk_list", "risk")),
  apollo: (data) => joined(count(data, "conventions", "convention"), first(data, "conventions", "such as")),
  hephaestus: (data) =>
    list(data, "revision_ids").length > 0
      ? `revision ${list(data, "revision_ids").join(", ")}`
      : (textOf(data["diff_summary"]) ?? ""),
  artemis: (data) => joined(count(data, "tests_added", "test"), textOf(data["pass_status"]) ?? ""),
  aether: (data) =>
    joined(list(data, "checks_run").map(spelledExit).join(", "), first(data, "failures", "first failure")),
  hades: (data) => {
    const [finding] = Array.isArray(data["vulnerabilities"]) ? data["vulnerabilities"].map(recordOf) : [];
    return joined(`risk ${textOf(data["risk_level"]) ?? "unknown"}`, textOf(finding?.["issue"]) ?? "");
  },
  demeter: (data) => textOf(data["session_summary"]) ?? "",
};

function parse(output: string): JsonRecord {
  try {
    return recordOf(JSON.parse(output));
  } catch {
    return { status: "failed", message: output }; // OpenCode cut it, or it is an error's text.
  }
}

function list(data: JsonRecord, key: string): string[] {
  const value = data[key];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function count(data: JsonRecord, key: string, noun: string): string {
  const { length } = list(data, key);
  return `${length} ${noun}${length === 1 ? "" : "s"}`;
}

function first(data: JsonRecord, key: string, label: string): string {
  const [item] = list(data, key);
  return item === undefined ? "" : `${label}: ${item}`;
}

function joined(...parts: readonly string[]): string {
  return parts.filter(Boolean).join("; ");
}

/** A check as the contract has it is `command: exit code`. */
function spelledExit(check: string): string {
  return check.replace(/: (\d+)$/, " → exit $1");
}
