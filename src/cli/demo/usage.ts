import { numberOf, recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import type { OpenCodeApi } from "./api.ts";

/** What one agent used, over all its sessions. */
export interface Usage {
  readonly agent: string;
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  /** Milliseconds that its turns took, their tools included. */
  readonly ms: number;
}

/** Adds up the transcripts of GAIA's session and its children, in order of appearance. */
export async function readUsage(api: OpenCodeApi, root: string): Promise<Usage[]> {
  const children = await api.list(`/session/${root}/children`);
  const born = (child: JsonRecord): number => numberOf(recordOf(child["time"])["created"]) ?? 0;
  const sorted = children.toSorted((a, b) => born(a) - born(b)).map((child) => textOf(child["id"]) ?? "");
  const transcripts = await Promise.all(
    [root, ...sorted].map(async (id) => api.list(`/session/${id}/message`)),
  );
  const byAgent = new Map<string, Usage>();
  for (const message of transcripts.flat()) {
    const info = recordOf(message["info"]);
    if (info["role"] !== "assistant") continue;
    const agent = textOf(info["agent"]) ?? "?";
    byAgent.set(agent, add(byAgent.get(agent) ?? { agent, requests: 0, input: 0, output: 0, ms: 0 }, info));
  }
  return [...byAgent.values()];
}

function add(usage: Usage, info: JsonRecord): Usage {
  const tokens = recordOf(info["tokens"]);
  const cache = recordOf(tokens["cache"]);
  const time = recordOf(info["time"]);
  const [created, completed] = [numberOf(time["created"]) ?? 0, numberOf(time["completed"]) ?? 0];
  const read = (numberOf(tokens["input"]) ?? 0) + (numberOf(cache["read"]) ?? 0);
  return {
    agent: usage.agent,
    requests: usage.requests + 1,
    input: usage.input + read,
    output: usage.output + (numberOf(tokens["output"]) ?? 0) + (numberOf(tokens["reasoning"]) ?? 0),
    ms: usage.ms + Math.max(0, completed - created),
  };
}

/** A table for the terminal. */
export function renderUsage(rows: readonly Usage[]): string {
  const count = (value: number): string => value.toLocaleString("en-US");
  const cells = rows.map(({ agent, requests, input, output, ms }) => [
    agent,
    count(requests),
    count(input),
    count(output),
    `${(ms / 1000).toFixed(1)} s`,
  ]);
  const table = [["agent", "requests", "tokens in", "tokens out", "time"], ...cells];
  return table
    .map(([agent = "", ...figures]) => agent.padEnd(12) + figures.map((cell) => cell.padStart(12)).join(""))
    .join("\n");
}
