import { numberOf, recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import type { OpenCodeApi } from "./api.ts";
import { duration } from "./layout.ts";

/** What one agent used, over all its sessions. */
export interface Usage {
  readonly agent: string;
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  /** Milliseconds that its turns took: thinking and its own tools, not the specialists that it waited for. */
  readonly ms: number;
  /** US dollars, where OpenCode knows the price. */
  readonly cost: number;
}

/** Adds up the transcripts of GAIA's session and its children, in order of appearance. */
export async function readUsage(api: Pick<OpenCodeApi, "list">, root: string): Promise<Usage[]> {
  const children = await api.list(`/session/${root}/children`);
  const born = (child: JsonRecord): number => numberOf(recordOf(child["time"])["created"]) ?? 0;
  const sorted = children.toSorted((a, b) => born(a) - born(b)).map((child) => textOf(child["id"]) ?? "");
  const transcripts = await Promise.all(
    [root, ...sorted].map(async (id) => api.list(`/session/${id}/message`)),
  );
  return sumUsage(transcripts.flat());
}

/** @param messages transcripts as OpenCode has them, in order */
export function sumUsage(messages: readonly JsonRecord[]): Usage[] {
  const byAgent = new Map<string, Usage>();
  for (const message of messages) {
    const info = recordOf(message["info"]);
    if (info["role"] !== "assistant") continue;
    const agent = textOf(info["agent"]) ?? "?";
    const sum = byAgent.get(agent) ?? { agent, requests: 0, input: 0, output: 0, ms: 0, cost: 0 };
    byAgent.set(agent, add(sum, info, waited(message["parts"])));
  }
  return [...byAgent.values()];
}

function add(usage: Usage, info: JsonRecord, waitedMs: number): Usage {
  const tokens = recordOf(info["tokens"]);
  const figure = (key: string): number => numberOf(tokens[key]) ?? 0;
  const cache = recordOf(tokens["cache"]);
  const time = recordOf(info["time"]);
  const created = numberOf(time["created"]) ?? 0;
  const completed = numberOf(time["completed"]) ?? created;
  return {
    agent: usage.agent,
    requests: usage.requests + 1,
    input: usage.input + figure("input") + (numberOf(cache["read"]) ?? 0) + (numberOf(cache["write"]) ?? 0),
    output: usage.output + figure("output") + figure("reasoning"),
    ms: usage.ms + Math.max(0, completed - created - waitedMs),
    cost: usage.cost + (numberOf(info["cost"]) ?? 0),
  };
}

/** From the first start to the last end of a message's delegations, which run in parallel. */
function waited(parts: unknown): number {
  if (!Array.isArray(parts)) return 0;
  const delegations = parts.map(recordOf).filter((part) => part["tool"] === "delegate_gaia");
  const times = delegations.map((part) => recordOf(recordOf(part["state"])["time"]));
  const starts = times.flatMap((time) => numberOf(time["start"]) ?? []);
  const ends = times.flatMap((time) => numberOf(time["end"]) ?? []);
  return starts.length === 0 || ends.length === 0 ? 0 : Math.max(...ends) - Math.min(...starts);
}

/** A table for the terminal, with a line of sums. */
export function renderUsage(rows: readonly Usage[], wholeMs: number): string[] {
  const sum = (key: "requests" | "input" | "output" | "cost"): number =>
    rows.reduce((total, row) => total + row[key], 0);
  const priced = sum("cost") > 0;
  const cells = (row: Omit<Usage, "ms">, ms: number): string[] => [
    row.agent,
    count(row.requests),
    count(row.input),
    count(row.output),
    duration(ms),
    ...(priced ? [`$${row.cost.toFixed(4)}`] : []),
  ];
  const total = { requests: sum("requests"), input: sum("input"), output: sum("output"), cost: sum("cost") };
  const table = [
    ["agent", "requests", "tokens in", "tokens out", "time", ...(priced ? ["cost"] : [])],
    ...rows.map((row) => cells(row, row.ms)),
    cells({ agent: "all, by the clock", ...total }, wholeMs),
  ];
  return table.map(([name = "", ...figures]) =>
    [name.padEnd(18), ...figures.map((cell) => cell.padStart(12))].join(""),
  );
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
