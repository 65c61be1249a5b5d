import { mkdir, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { runInThisContext } from "node:vm";
import { createRequire } from "node:module";
import { brotliCompressSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import type { Bundled } from "./licenses.ts";

const NOTHING = fileURLToPath(new URL("./nothing.cjs", import.meta.url));

/** Stands in front of each packed library: its code is read and run when the first module that needs it is loaded. */
const READER = `
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { runInThisContext } from "node:vm";
import { brotliDecompressSync } from "node:zlib";
export function unpack(name) {
  const code = brotliDecompressSync(readFileSync(new URL("./" + name, import.meta.url))).toString();
  const module = { exports: {} };
  runInThisContext(code, { filename: name })(module, module.exports, createRequire(import.meta.url));
  return module.exports;
}`;

/**
 * Modules of `src` that are large and seldom asked for, and all libraries. What is packed holds all that it imports: it shares
 * nothing with what is not.
 */
const PACKED_MODULES = [
  "libraries/[a-z-]+",
  "checks/definition-of-done/suggest/suggest",
  "checks/excerpt/excerpt",
  "code/code-servers",
  "commands/init-deep/offer",
  "contracts/verdict/settle",
  "conversation/advice/comment-check/comment-check",
  "editing/editors",
  "host/opencode/formatters",
  "memory/noticing",
  "sandbox/containment",
  "policy/judges",
  "report/render",
  "tools/plan-run/candidates/contest",
  "worktrees/engine",
];
const PACKED = new RegExp(`/src/(?:${PACKED_MODULES.join("|")})\\.ts$`.replaceAll("/", "[\\\\/]"));

/**
 * Ships each module of `src/libraries` as a file of its own, compressed to a quarter: code of others is half of what
 * a command's verdict needs, and the package has a limit (SPEC 14). What the module exports is read from it by running
 * it here; `bundled` is given what went into it, for the licences.
 */
export function packLibraries(bundled: (bundle: Bundled) => void): Plugin {
  return {
    name: "pack-libraries",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^unpack$/ }, ({ path }) => ({ path, namespace: "unpack" }));
      onLoad({ filter: /.*/, namespace: "unpack" }, () => ({ contents: READER }));
      onLoad({ filter: PACKED }, async ({ path }) => {
        const { outputFiles, metafile } = await build({
          entryPoints: [path],
          bundle: true,
          minify: true,
          format: "cjs",
          platform: "node",
          target: "es2023",
          legalComments: "none",
          // The validator of schemas that the protocol's server would make by itself, and is given another for.
          alias: { ajv: NOTHING, "ajv-formats": NOTHING },
          // jsonc-parser's CommonJS build loads its parts by a name that no bundler can follow.
          mainFields: ["module", "main"],
          metafile: true,
          write: false,
        });
        bundled(metafile);
        const code = `(function(module,exports,require){${outputFiles[0]?.text ?? ""}\n})`;
        const name = `${basename(path, ".ts")}.br`;
        await mkdir("dist", { recursive: true });
        await writeFile(`dist/${name}`, brotliCompressSync(code));
        const module = { exports: {} };
        const run = runInThisContext(code) as (...given: unknown[]) => void;
        run(module, module.exports, createRequire(import.meta.url));
        const names = Object.keys(module.exports).join(", ");
        return {
          contents: `import { unpack } from "unpack";\nexport const { ${names} } = unpack("${name}");`,
        };
      });
    },
  };
}
