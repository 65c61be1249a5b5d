import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { composeHooks } from "../../../src/hooks/compose.ts";
import { listHooks } from "../../../src/hooks/registry.ts";
import { toOpenCodeHooks } from "../../../src/host/opencode/hooks.ts";
import { createCalls } from "../../../src/host/opencode/calls.ts";
import { silentLogger } from "../../../src/lib/error.ts";
import type { Runtime } from "../../../src/runtime.ts";
import { giveTask, type Order } from "../../../src/plan/delegate/give-task.ts";
import { compose, ROOT, type Composition } from "../../support/composition.ts";
import { sessionOf, turn, keyed } from "../../support/fake-host.ts";
import type { ToolCall } from "../../../src/host/port.ts";

/** What a call shows where nothing is to be told. */
export const READ = "<file>\n1: text\n</file>";

/** The plugin over a host in memory, and a project with these files. */
export class Scene {
  #count = 0;
  readonly #calls = createCalls();
  readonly #runtime: Runtime;
  readonly #composition: Composition;

  private constructor(composition: Composition) {
    this.#composition = composition;
    this.#runtime = composition.runtime;
  }

  static async open(files: Record<string, string>, options: object = {}): Promise<Scene> {
    const scene = new Scene(await compose(options));
    for (const [path, text] of Object.entries(files)) await scene.put(path, text);
    return scene;
  }

  get host(): Composition["host"] {
    return this.#composition.host;
  }

  /** A session of the user's own with a specialist. */
  guest(agent: string): string {
    this.host.stored.set("ses_guest", sessionOf("ses_guest"));
    this.#runtime.sessions.spoke("ses_guest", agent, "a/one");
    return "ses_guest";
  }

  async put(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(this.host.project, path)), { recursive: true });
    await writeFile(join(this.host.project, path), text);
  }

  /** Gives a task to a specialist. @returns what they were sent, and their session */
  async begin(
    agent: string,
    prompt: string,
    rest: Partial<Order> = {},
  ): Promise<{ sent: string; session: string }> {
    const specialist = this.#runtime.agents.specialists.get(agent);
    const found = await this.#runtime.conversations.of(ROOT);
    if (specialist === undefined || found === null) throw new Error(`no ${agent}`);
    this.#count += 1;
    const order = {
      specialist,
      prompt,
      background: false,
      resume: null,
      workUnit: null,
      waveId: null,
      ...rest,
    };
    const from = this.host.prompts.length;
    this.host.script(turn("```json\n{}\n```"));
    const call: ToolCall = {
      sessionId: ROOT,
      messageId: "msg_1",
      agent: "gaia",
      callId: keyed(`call_${this.#count}`),
      abort: new AbortController().signal,
      ask: async () => ({ approved: true, feedback: null }),
    };
    const scene = { runtime: this.#runtime, conversation: found.conversation, call };
    const { result } = await giveTask(scene, order);
    const request = this.host.prompts[from];
    if (!("session_id" in result) || request === undefined) throw new Error(JSON.stringify(result));
    return { sent: JSON.stringify(request), session: result.session_id };
  }

  /** What the plugin's hooks make of a call's output. */
  async use(session: string, tool: string, args: Record<string, unknown>, output = READ): Promise<string> {
    const hooks = this.#hooks();
    this.#count += 1;
    const input = { tool, sessionID: session, callID: `call_${this.#count}` };
    await hooks["tool.execute.before"]?.(input, { args });
    const result = { title: "", output, metadata: {} };
    await hooks["tool.execute.after"]?.({ ...input, args }, result);
    return result.output;
  }

  async read(session: string, path: string): Promise<string> {
    return this.use(session, "read", { filePath: join(this.host.project, path) });
  }

  /** Sums a session up as OpenCode does. */
  async compact(session: string): Promise<string> {
    await this.#runtime.sessions.find(session);
    const hooks = this.#hooks();
    const output = { text: "They worked." };
    await hooks["experimental.session.compacting"]?.({ sessionID: session }, { context: [] });
    const ids = { sessionID: session, messageID: "msg_s", partID: "prt_s" };
    await hooks["experimental.text.complete"]?.(ids, output);
    this.#runtime.conversations.observe({ type: "session.compacted", sessionId: session });
    return output.text;
  }

  #hooks() {
    return toOpenCodeHooks(composeHooks(listHooks(this.#runtime), silentLogger), {
      ...this.host,
      calls: this.#calls,
    } as never);
  }
}
