import { mkdir } from "node:fs/promises";
import { GAIA } from "../../agents/gaia.ts";
import { SPECIALISTS } from "../../agents/registry.ts";
import { startScriptedModel } from "../../scripted-model/server.ts";
import { hermeticEnvironment } from "./hermetic-environment.ts";
import { startOpenCodeProcess, type OpenCodeProcess } from "./opencode-server.ts";
import { builtPlugin } from "./package-folder.ts";
import { gaiaTurns } from "./script/gaia.ts";
import { paced } from "./script/pace.ts";
import { specialistTurns } from "./script/specialists.ts";

/** The model that the demo brings along. */
const SCRIPTED_MODEL = "scripted/model";

export interface StageOptions {
  /** An empty folder for OpenCode's own files. */
  readonly home: string;
  /** The sample project. */
  readonly directory: string;
  /** `provider/model`, or null for the scripted one. */
  readonly model: string | null;
  readonly signal: AbortSignal;
}

/** OpenCode with this very plugin, and a model behind it. */
export interface Stage extends Pick<OpenCodeProcess, "url" | "version" | "exited"> {
  /** `provider/model`. */
  readonly model: string;
  close(): Promise<void>;
}

/** @throws GaiaError when OpenCode cannot be found or does not start */
export async function openStage(options: StageOptions): Promise<Stage> {
  return options.model === null ? openScripted(options) : openReal(options, options.model);
}

/** The user's own OpenCode, with the plugin added and everybody on the model that was asked for. */
async function openReal({ home, signal }: StageOptions, model: string): Promise<Stage> {
  const names = [GAIA, ...SPECIALISTS.map(({ name }) => name)];
  const agents = Object.fromEntries(names.map((name) => [name, { model, fallback: [] }]));
  const config = { plugin: [[builtPlugin(), { agents }]] };
  const environment = { ...process.env, TMPDIR: home, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) };
  const server = await startOpenCodeProcess({ environment, cwd: home, signal });
  return { ...server, model, close: server.kill };
}

async function openScripted({ home, directory, signal }: StageOptions): Promise<Stage> {
  const model = await startScriptedModel();
  const script = { gaia: gaiaTurns(), ...specialistTurns(directory) };
  for (const [agent, turns] of Object.entries(script)) model.script(agent, ...turns.map(paced));
  try {
    await mkdir(home, { recursive: true });
    const config = JSON.stringify(scriptedConfig(model.url));
    const environment = { ...hermeticEnvironment(home), OPENCODE_CONFIG_CONTENT: config };
    const server = await startOpenCodeProcess({ environment, cwd: home, signal });
    return {
      ...server,
      model: SCRIPTED_MODEL,
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

function scriptedConfig(baseURL: string): object {
  const [provider = "", model = ""] = SCRIPTED_MODEL.split("/");
  const entry = { name: "Scripted", temperature: true, limit: { context: 200_000, output: 8_000 } };
  return {
    model: SCRIPTED_MODEL,
    small_model: SCRIPTED_MODEL,
    plugin: [builtPlugin()],
    provider: {
      [provider]: {
        npm: "@ai-sdk/openai-compatible",
        name: "Scripted",
        options: { baseURL, apiKey: "none" },
        models: { [model]: entry },
      },
    },
  };
}
