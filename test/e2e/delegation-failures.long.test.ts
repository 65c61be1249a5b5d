import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, say, type TurnSource } from "../../src/scripted-model/turn.ts";
import { openFailingProject, type FailingProject } from "../support/failing-models.ts";
import { httpError } from "../support/project.ts";

/** Silence after which a child is given up here. Far above what a busy machine needs for a step. */
const STALL_SECONDS = 5;
/** What no scenario may exceed: two silences and all of OpenCode's start-up work on a busy machine. */
const LIMIT_MS = 28_000;

interface Failure {
  readonly name: string;
  readonly turn: TurnSource;
  /** What the attempt is recorded as. */
  readonly recorded: string;
  /** A port on which nobody listens, instead of a turn. */
  readonly isDead?: true;
}

const FAILURES: readonly Failure[] = [
  { name: "auth", turn: httpError(401, "Invalid API key"), recorded: "auth" },
  { name: "unknown", turn: httpError(404, "The model `one` does not exist"), recorded: "not-found" },
  { name: "quota", turn: httpError(429, "Rate limit reached"), recorded: "overload" },
  { name: "later", turn: httpError(429, "Rate limit", { "retry-after": "3600" }), recorded: "overload" },
  { name: "overload", turn: httpError(529, "Overloaded"), recorded: "overload" },
  { name: "unavailable", turn: httpError(503, "Service unavailable"), recorded: "overload" },
  { name: "internal", turn: httpError(500, "Internal server error"), recorded: "overload" },
  { name: "refused", turn: { trouble: "reset" }, recorded: "overload", isDead: true },
  { name: "reset", turn: { trouble: "reset" }, recorded: "overload" },
  { name: "hang", turn: { trouble: "hang" }, recorded: "stalled" },
  { name: "stall", turn: { text: "half a sen", trouble: "stall" }, recorded: "stalled" },
  {
    name: "halfcall",
    turn: { ...call("read", { filePath: "/a/b/c" }), trouble: "half-call" },
    recorded: "stalled",
  },
  { name: "garbage", turn: { trouble: "garbage" }, recorded: "unknown" },
  {
    name: "overflow",
    turn: httpError(400, "This model's maximum context length is 128000 tokens."),
    recorded: "context-overflow",
  },
];

let failing: FailingProject;
beforeAll(async () => {
  const specialists = FAILURES.map(({ name, turn, isDead }) => ({ name, first: turn, isDead }));
  failing = await openFailingProject(specialists, { stallSeconds: STALL_SECONDS });
  // OpenCode compacts by itself when a context overflows; here its summary succeeds and does not help.
  failing.project.model.always("native", say("A summary."));
});
afterAll(async () => {
  await failing.assertNothingLeft();
  await failing.project.close();
});

describe.concurrent("a specialist whose model fails", () => {
  it.each(FAILURES)("goes on with the next model: $name", async ({ name, recorded }) => {
    const { result, ms } = await failing.delegate(name);
    expect(result).toMatchObject({
      status: "completed",
      model_used: `${name}-b/two`,
      raw_text: "done",
      attempts: [
        { model: `${name}-a/one`, failure: recorded },
        { model: `${name}-b/two`, failure: null },
      ],
    });
    expect(ms).toBeLessThan(LIMIT_MS);
  });
});
