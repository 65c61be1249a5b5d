import { claimsOf } from "../../../src/checks/evidence/claims.ts";
import type { PageFacts } from "../../../src/report/gather.ts";

type TaskEntry = PageFacts["tasks"][number];

/** A unit of forty tasks in eight waves, five at a time. */
export function largeUnit(text = "Write the parser", tasks = 40): PageFacts {
  const at = Date.UTC(2026, 10, 22, 9);
  const place = { root: "root", model: "anthropic/claude", unit: "demo" };
  const list = Array.from({ length: tasks }, (_none, index): TaskEntry => {
    const begin = at + Math.floor(index / 5) * 120_000 + (index % 5) * 5_000;
    const agent = ["hephaestus", "artemis", "hades", "poseidon"][index % 4] ?? "";
    return {
      kind: "task",
      isRepaired: false,
      at: begin,
      end: begin + 90_000 + (index % 3) * 10_000,
      ...place,
      session: `ses_${index}`,
      agent,
      wave: `w${Math.floor(index / 5) + 1}`,
      title: `${text} ${index + 1}`,
      status: index === 7 ? "partial" : "completed",
      verdict: agent === "hades" ? `APPROVE: ${text}` : "",
      task: index + 1,
      files: [{ path: `src/part-${index}.ts`, added: 1_000, removed: 2 }],
    };
  });
  const plan: PageFacts["plan"] = {
    title: text,
    status: "in-progress",
    errors: [],
    conditions: [],
    places: [],
    tasks: list.map(({ task, title, agent }) => ({
      number: task ?? 0,
      text: title,
      done: (task ?? 0) < 39,
      needs: [],
      skills: [],
      details: "",
      agent,
      verify: "npm test",
    })),
  };
  return {
    unit: "demo",
    request: text,
    goal: `${text} and show it`,
    unfixed: [`src/part-0.ts: ${text} (hades)`],
    left: Array.from({ length: 12 }, (_none, at) => `task ${at}: ${text}`),
    plan,
    claims: claimsOf(plan.tasks, []).map((claim) => ({
      ...claim,
      standing: claim.isTicked ? "proven" : "open",
      why: "",
      isRefuted: false,
    })),
    log: list.map(({ title }) => `## 2026-11-22 — ${title}\n\n- ${text} ${"x".repeat(80)}`).join("\n\n"),
    decisions: [
      {
        date: "2026-11-22 09:00",
        question: `Approve the plan (${text})?`,
        choice: "approved",
        rationale: text,
        impact: "",
        line: 1,
      },
    ],
    checks: [
      {
        key: "k",
        command: "npm test",
        status: "passed",
        exit_code: 0,
        duration_ms: 4_200,
        tree: null,
        at: "2026-11-22T09:30:00Z",
      },
      {
        key: "l",
        command: `lint ${text}`,
        status: "failed",
        exit_code: 1,
        duration_ms: 900,
        tree: null,
        at: "2026-11-22T09:31:00Z",
      },
    ],
    isSealed: true,
    tasks: list,
    spent: list.flatMap(({ session, agent, wave }) =>
      Array.from({ length: 9 }, () => ({
        ...place,
        kind: "spent" as const,
        at,
        session,
        agent,
        wave,
        requests: 1,
        input: 12_000,
        output: 800,
        cached: 40_000,
        cost: 0.03,
      })),
    ),
  };
}
