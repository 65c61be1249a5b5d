import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import { hermeticEnvironment, openCodeBinary } from "../../src/cli/demo/environment.ts";
import { type JsonRecord, recordOf, textOf } from "../../src/lib/json.ts";
import { call, say } from "../../src/scripted-model/turn.ts";
import { homeOf } from "../support/opencode.ts";
import { openProject, type Project } from "../support/project.ts";
import { sharedServer } from "../support/shared-server.ts";
import { childOf, done } from "./scenes.ts";

const COMMAND = "echo hi > made.txt";
let project: Project;
let editor: ChildProcess | null = null;
afterEach(async () => {
  editor?.kill("SIGKILL");
  editor = null;
  await project.close();
});

/** A specialist that runs a command, which is asked for in supervised mode. */
async function open(rest: JsonRecord = {}, config: JsonRecord = {}): Promise<void> {
  project = await openProject({ gaia: { sandbox: "off" }, config });
  project.model.script("gaia", call("delegate_gaia", { agent: "hephaestus", goal: "try", ...rest }));
  project.model.always("gaia", say("Done."));
  project.model.script("hephaestus", call("bash", { command: COMMAND, description: "try" }));
  project.model.always("hephaestus", done);
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: JsonRecord;
  readonly result?: JsonRecord;
}

/** An editor over ACP, as far as it takes one prompt. @returns what it was asked for, and all that it was told */
async function askInEditor(optionId: string): Promise<{ asked: string[]; told: string }> {
  const child = spawn(openCodeBinary(), ["acp"], {
    cwd: project.directory,
    env: hermeticEnvironment(homeOf(sharedServer().root)),
    stdio: ["pipe", "pipe", "ignore"],
  });
  editor = child;
  const asked: string[] = [];
  const answers = new Map<number, (message: Message) => void>();
  let told = "";
  const send = (message: object): void =>
    void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  createInterface({ input: child.stdout }).on("line", (line) => {
    told += line;
    const message = JSON.parse(line) as Message;
    if (message.method === undefined) answers.get(message.id ?? 0)?.(message);
    if (message.method !== "session/request_permission") return;
    asked.push(textOf(recordOf(message.params?.["toolCall"])["title"]) ?? "");
    send({ id: message.id, result: { outcome: { outcome: "selected", optionId } } });
  });
  const request = async (id: number, method: string, params: object): Promise<JsonRecord> => {
    const answer = new Promise<Message>((resolve) => answers.set(id, resolve));
    send({ id, method, params });
    return (await answer).result ?? {};
  };
  await request(1, "initialize", { protocolVersion: 1, clientCapabilities: {} });
  const { sessionId } = await request(2, "session/new", { cwd: project.directory, mcpServers: [] });
  await request(3, "session/set_mode", { sessionId, modeId: "gaia" });
  await request(4, "session/prompt", { sessionId, prompt: [{ type: "text", text: "Try it" }] });
  return { asked, told };
}

describe("what a specialist asks for, where nothing of its session is shown", () => {
  it("reaches the editor over ACP, and a yes runs it", async () => {
    await open();
    const { asked } = await askInEditor("once");
    expect(asked).toEqual([expect.stringContaining(`hephaestus asks for \`${COMMAND}\``)]);
    expect(await project.read("made.txt")).toBe("hi\n");
    // The model is sent no such tool there.
    const raw = project.model.requestsOf("gaia")[0]?.raw;
    expect(raw).toContain("There is no question tool in this client");
    expect(raw).not.toContain("call question with header");
  });

  it("runs nothing where a rule allows GAIA's dialogs, which is no word of a person's", async () => {
    await open({}, { agent: { gaia: { permission: { "gaia_approval*": "allow" } } } });
    const { asked } = await askInEditor("once");
    expect(asked).toEqual([]);
    await expect(project.read("made.txt")).rejects.toThrow("ENOENT");
    expect(JSON.stringify(project.model.requestsOf("hephaestus").at(-1)?.body)).toContain(
      "no client shows this request",
    );
  });

  it("is also raised in the root session for clients of a server, and one answer counts for both", async () => {
    await open();
    let root = "";
    const seen: string[] = [];
    project.autoAnswer((request) => {
      if (request.sessionID !== root) return null;
      seen.push(request.permission);
      return "once";
    });
    root = await project.start("gaia", "Try it");
    await project.until("a request in the root session", () => seen.length > 0);
    await project.until("the end", async () => (await project.outcome(root)).text === "Done.");
    expect(seen).toEqual([expect.stringContaining("hephaestus asks for")]);
    expect((await childOf(project, root)).tools[0]).toMatchObject({ tool: "bash", status: "completed" });
    expect(await project.read("made.txt")).toBe("hi\n");
  });
});
