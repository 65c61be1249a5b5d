import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { SPECIALISTS } from "../../agents/registry.ts";
import { startScriptedModel, type ScriptedModel } from "../../scripted-model/server.ts";
import { hermeticEnvironment, startOpenCodeProcess } from "./opencode-server.ts";
import { builtPlugin } from "./package-folder.ts";
import { gaiaTurns } from "./script/gaia.ts";
import { paced } from "./script/pace.ts";
import { specialistTurns } from "./script/specialists.ts";

export interface StageOptions {
  readonly root: string;
  /** The sample project. */
  readonly directory: string;
  /** `provider/model`, or null for the scripted one. */
  readonly model: string | null;
  readonly signal: AbortSignal;
}

/** OpenCode with the plugin, and a model behind it. */
export interface Stage {
  readonly url: string;
  /** Resolves with OpenCode's last words, should it end. */
  readonly exited: Promise<string>;
  close(): Promise<void>;
}

/** @throws GaiaError when OpenCode cannot be found or does not start */
export async function openStage(options: StageOptions): Promise<Stage> {
  const home = join(options.root, "home");
  await mkdir(home, { recursive: true });
  if (options.model !== null) {
    const environment = {
      ...process.env,
      OPENCODE_CONFIG_CONTENT: JSON.stringify(realConfig(options.model)),
    };
    const process_ = await startOpenCodeProcess({ environment, cwd: home, signal: options.signal });
    return { url: process_.url, exited: process_.exited, close: process_.kill };
  }
  const model = await startScriptedModel();
  const script = { gaia: gaiaTurns(), ...specialistTurns(options.directory) };
  for (const [agent, turns] of Object.entries(script)) model.script(agent, ...turns.map(paced));
  const config = join(home, ".config", "opencode");
  await mkdir(config, { recursive: true });
  await writeFile(join(config, "opencode.json"), JSON.stringify(scriptedConfig(model)));
  try {
    const environment = hermeticEnvironment(home);
    const server = await startOpenCodeProcess({ environment, cwd: home, signal: options.signal });
    return {
      url: server.url,
      exited: server.exited,
      async close() {
        await server.kill();
        await model.close();
      },
    };
  } catch (error) {
    await model.close();
    throw error;
  }
}

function scriptedConfig(model: ScriptedModel): object {
  const limit = { context: 200_000, output: 8_000 };
  return {
    model: "scripted/model",
    small_model: "scripted/model",
    plugin: [builtPlugin()],
    provider: {
      scripted: {
        npm: "@ai-sdk/openai-compatible",
        name: "Scripted",
        options: { baseURL: model.url, apiKey: "none" },
        models: { model: { name: "Scripted", temperature: true, tool_call: true, limit } },
      },
    },
  };
}

/** Added to the user's own configuration: the plugin, and everybody on the model that was asked for. */
function realConfig(model: string): object {
  const agents = Object.fromEntries(
    ["gaia", ...SPECIALISTS.map(({ name }) => name)].map((name) => [name, { model }]),
  );
  return { plugin: [[builtPlugin(), { agents }]] };
}
