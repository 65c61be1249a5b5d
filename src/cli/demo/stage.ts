import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { GAIA } from "../../agents/gaia.ts";
import { SPECIALISTS } from "../../agents/registry.ts";
import { createError } from "../../lib/error.ts";
import { startScriptedModel } from "../../scripted-model/server.ts";
import { hermeticEnvironment } from "./environment.ts";
import { type OpenCodeProcess, startOpenCodeProcess } from "./opencode-server.ts";
import { templatePath } from "./sample.ts";
import { scriptedTurns } from "./script.ts";

/** The model that the demo brings along. */
const SCRIPTED_MODEL = "scripted/model";

/** OpenCode with this very plugin, and a model behind it. */
export type Stage = Omit<OpenCodeProcess, "kill"> & {
  /** `provider/model`. */
  readonly model: string;
  close(): Promise<void>;
};

/**
 * Starts OpenCode: the user's own with the plugin added and all agents on `model`, or one that knows nothing of the
 * user, with the scripted model.
 * @param home an empty folder for OpenCode's own files
 * @param directory the sample project
 * @param model `provider/model`, or null for the scripted one
 * @throws GaiaError when OpenCode cannot be found or does not start
 */
export async function openStage(
  home: string,
  directory: string,
  model: string | null,
  signal: AbortSignal,
): Promise<Stage> {
  const start = async (environment: NodeJS.ProcessEnv, config: object): Promise<OpenCodeProcess> => {
    const settings = { ...environment, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) };
    return startOpenCodeProcess({ environment: settings, cwd: home, signal });
  };
  if (model !== null) {
    const names = [GAIA, ...SPECIALISTS.map(({ name }) => name)];
    const agents = Object.fromEntries(names.map((name) => [name, { model, fallback: [] }]));
    const server = await start({ ...process.env, TMPDIR: home }, { plugin: [[builtPlugin(), { agents }]] });
    return { ...server, model, close: server.kill };
  }
  const scripted = await startScriptedModel();
  for (const [agent, turns] of Object.entries(scriptedTurns(directory))) scripted.script(agent, ...turns);
  try {
    const server = await start(hermeticEnvironment(home), scriptedConfig(scripted.url));
    const close = async (): Promise<void> => {
      await server.kill();
      await scripted.close();
    };
    return { ...server, model: SCRIPTED_MODEL, close };
  } catch (error) {
    await scripted.close();
    throw error;
  }
}

function scriptedConfig(baseURL: string): object {
  const models = { model: { temperature: true, limit: { context: 200_000, output: 8_000 } } };
  const scripted = { npm: "@ai-sdk/openai-compatible", options: { baseURL, apiKey: "none" }, models };
  const model = SCRIPTED_MODEL;
  return { model, small_model: model, plugin: [builtPlugin()], provider: { scripted } };
}

/** The folder that OpenCode loads as a plugin: this very package. @throws GaiaError when it is not built */
function builtPlugin(): string {
  const folder = dirname(templatePath(""));
  if (existsSync(join(folder, "dist", "index.js"))) return folder;
  throw createError("demo", `The plugin is not built in ${folder}.`, { hint: "Run: npm run build" });
}
