import { spawn } from "node:child_process";
import { rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "tsup";

/** Whether this file is the program, and not part of a test. */
const isAlone = import.meta.url === pathToFileURL(process.argv[1] ?? "").href;

/** What stands in for the machine's files and programs. */
const DISK = resolve(import.meta.dirname, "disk");
const STAND_INS: Readonly<Record<string, string>> = {
  "node:fs": "sync.ts",
  "node:fs/promises": "promises.ts",
  "node:child_process": "processes.ts",
};

/** How one process of the simulator ended. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Bundles the simulator and runs it once for each of these environments, all at the same time. In one file nothing is loaded
 * while it runs, and files are read without threads: what a seed does once it does always.
 */
export async function startSimulators(environments: readonly NodeJS.ProcessEnv[]): Promise<Ended[]> {
  const outDir = resolve(import.meta.dirname, "../../.tmp", `simulator-${process.pid}`);
  try {
    await build({
      entry: { run: resolve(import.meta.dirname, "run.ts") },
      outDir,
      config: false,
      silent: true,
      format: "esm",
      target: "es2023",
      platform: "node",
      splitting: false,
      removeNodeProtocol: false,
      sourcemap: "inline",
      noExternal: [/./],
      esbuildPlugins: [
        {
          name: "disk",
          setup: (bundle) => {
            bundle.onResolve({ filter: /^node:(?:fs(?:\/promises)?|child_process)$/ }, ({ path, importer }) =>
              dirname(importer) === DISK
                ? { path, external: true }
                : { path: resolve(DISK, STAND_INS[path] ?? "") },
            );
          },
        },
      ],
      esbuildOptions(options) {
        options.mainFields = ["module", "main"];
      },
    });
    return await Promise.all(environments.map(async (env) => run(resolve(outDir, "run.js"), env)));
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

async function run(file: string, environment: NodeJS.ProcessEnv): Promise<Ended> {
  // Nothing of this machine's: each variable is read for secrets that must not be shown.
  const ours = Object.entries(process.env).filter(([name]) => name.startsWith("SIM_") || name === "PATH");
  const env = { ...Object.fromEntries(ours), ...environment };
  const child = spawn(process.execPath, ["--max-semi-space-size=64", "--enable-source-maps", file], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    if (isAlone) process.stdout.write(chunk);
  });
  return new Promise((done) => {
    child.once("close", (code) => {
      done({ code, output: Buffer.concat(chunks).toString("utf8") });
    });
  });
}

if (isAlone) {
  const [ended] = await startSimulators([{}]);
  process.exitCode = ended?.code ?? 1;
}
