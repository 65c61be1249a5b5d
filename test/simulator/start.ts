import { spawn } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Plugin } from "esbuild";
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

/** What stands in for git, which sees no file of a schedule. */
const SNAPSHOTS = resolve(import.meta.dirname, "snapshots.ts");

/** Processes at the same time: none of them waits for anything but its core. */
const AT_ONCE = availableParallelism();

/** A gate that can be left open, to see whether the oracle notices. */
export interface Fault {
  /** The value of SIM_FAULT that leaves it open. */
  readonly name: string;
  /** Its file, by the end of its path. */
  readonly file: string;
  /** The expression that decides, as it is written there. */
  readonly decides: string;
  /** What it is then. */
  readonly instead: string;
}

/** How one process of the simulator ended. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/**
 * Bundles the simulator and runs it once for each of these environments, on all cores. In one file nothing is loaded
 * while it runs, and files are read without threads: what a seed does once it does always.
 */
export async function startSimulators(
  environments: readonly NodeJS.ProcessEnv[],
  faults: readonly Fault[] = [],
): Promise<Ended[]> {
  const outDir = resolve(import.meta.dirname, "../../.tmp", `simulator-${process.pid}-${faults.length}`);
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
            bundle.onResolve({ filter: /\/snapshot\/snapshots\.ts$|^\.\/snapshots\.ts$/ }, ({ importer }) =>
              importer === SNAPSHOTS ? undefined : { path: SNAPSHOTS },
            );
          },
        },
        ...faults.map(switchFor),
      ],
      esbuildOptions(options) {
        options.mainFields = ["module", "main"];
      },
    });
    const ended: Ended[] = [];
    const left = environments.entries();
    const work = async (): Promise<void> => {
      for (const [index, env] of left) ended[index] = await run(resolve(outDir, "run.js"), env);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return ended;
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}

function switchFor({ name, file, decides, instead }: Fault): Plugin {
  return {
    name,
    setup: (bundle) => {
      bundle.onLoad({ filter: new RegExp(`${file.replaceAll(".", "\\.")}$`) }, async ({ path }) => {
        const source = await readFile(path, "utf8");
        const [before, behind, ...more] = source.split(decides);
        if (before === undefined || behind === undefined || more.length > 0)
          throw new Error(`${file} has to hold \`${decides}\` once.`);
        const contents = `${before}(process.env.SIM_FAULT === "${name}" ? ${instead} : ${decides})${behind}`;
        return { contents, loader: "ts" };
      });
    },
  };
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
    child.once("close", (code) => done({ code, output: Buffer.concat(chunks).toString("utf8") }));
  });
}

if (isAlone) {
  const [ended] = await startSimulators([{}]);
  process.exitCode = ended?.code ?? 1;
}
