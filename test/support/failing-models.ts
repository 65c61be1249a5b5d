import { recordOf, type JsonRecord } from "../../src/lib/json.ts";
import { messagesOf, type RecordedRequest } from "../../src/scripted-model/request.ts";
import { call, say, type Turn, type TurnSource } from "../../src/scripted-model/turn.ts";
import { freePort } from "./opencode-server.ts";
import { openProject, lastText, startScriptedModel } from "./project.ts";
import { assertNothingLeft, logPosition } from "./server-log.ts";

/** One scenario: a specialist of its own with two providers of its own, so that no cool-down reaches another one. */
export interface FailingSpecialist {
  /** Letters only; also the agent's name. */
  readonly name: string;
  /** What the first model does; the other one says "done". */
  readonly first: TurnSource;
  /** Whether nobody listens at the first provider's address. */
  readonly isDead?: true | undefined;
}

export type FailingProject = Awaited<ReturnType<typeof openFailingProject>>;

/** A project in which each specialist has models `<name>-a/one` and `<name>-b/two`, and GAIA delegates to whom she is told. */
export async function openFailingProject(
  specialists: readonly FailingSpecialist[],
  delegation: JsonRecord = {},
) {
  const model = await startScriptedModel();
  const deadUrl = `http://127.0.0.1:${await freePort()}/v1`;
  const providers = specialists.flatMap(({ name, isDead }) => [
    [`${name}-a`, provider(isDead ? deadUrl : model.url, "one")],
    [`${name}-b`, provider(model.url, "two")],
  ]);
  const agents = specialists.map(({ name }): [string, string] => [
    `.gaia/agents/${name}.md`,
    `---\ndescription: a test\nmodel: ${name}-a/one\nfallback: ["${name}-b/two"]\n---\nYou are ${name.toUpperCase()}, a specialist of a test.`,
  ]);
  for (const { name, first } of specialists) {
    model.always(name, async (request) =>
      request.body["model"] === "one" ? turnOf(first, request) : say("done"),
    );
  }
  model.always("gaia", (request) => {
    const isOver = messagesOf(request.body).at(-1)?.["role"] === "tool";
    if (isOver) return say("over");
    const agent = lastText(request, "user").split(/\s/)[0];
    return call("delegate_gaia", { agent, goal: "work" });
  });
  const position = await logPosition();
  const project = await openProject({
    model,
    gaia: { delegation: { stallSeconds: 4, ...delegation } },
    files: Object.fromEntries(agents),
    config: {
      provider: Object.fromEntries([["scripted", provider(model.url, "main")], ...providers]) as JsonRecord,
    },
  });
  return {
    project,
    /** @throws when a session is busy or something was logged as uncaught */
    assertNothingLeft: async () => assertNothingLeft(project, position),
    /** Lets GAIA delegate to one of the specialists and gives back the tool's result and how long the turn took. */
    async delegate(name: string): Promise<{ result: JsonRecord; ms: number }> {
      const sessionId = await project.session(name);
      const startedAt = Date.now();
      await project.start("gaia", name, { session: sessionId });
      await project.until(`the end of ${name}`, () =>
        project.events.some(
          ({ type, properties }) => type === "session.idle" && properties["sessionID"] === sessionId,
        ),
      );
      const outcome = await project.outcome(sessionId);
      const [row] = outcome.tools;
      const result = { ...row?.metadata, ...recordOf(JSON.parse(row?.output ?? "null")) };
      return { result, ms: Date.now() - startedAt };
    },
  };
}

async function turnOf(source: TurnSource, request: RecordedRequest): Promise<Turn> {
  return typeof source === "function" ? source(request) : source;
}

function provider(baseURL: string, model: string): JsonRecord {
  const entry = { name: model, limit: { context: 200_000, output: 8_000 } };
  return {
    npm: "@ai-sdk/openai-compatible",
    name: model,
    options: { baseURL, apiKey: "none" },
    models: { [model]: entry },
  };
}
