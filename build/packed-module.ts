import { readFile, writeFile } from "node:fs/promises";
import { brotliCompressSync } from "node:zlib";
import { transform } from "esbuild";

/** Large modules that few sessions load, by the names of their files: what they share with others stays where it is. */
const SPLIT_OFF = /^(run-plan|commands|features)-\w+\.js$/;

/**
 * Ships a file of the built package compressed, with one in its place that reads it when it is first asked for. It takes its
 * imports from that one, for a text has no place of its own from which they could be found.
 */
export async function packModule(name: string): Promise<void> {
  const [, base] = SPLIT_OFF.exec(name) ?? [];
  if (base === undefined) return;
  const text = await readFile(`dist/${name}`, "utf8");
  const { code } = await transform(text, {
    format: "cjs",
    platform: "node",
    target: "es2023",
    minify: true,
    define: { "import.meta.url": "place" },
  });
  const own = code.replaceAll(/\bimport\((?=["']\.\/)/g, "bring(");
  await writeFile(
    `dist/${base}.br`,
    brotliCompressSync(`(function(module,exports,require,bring,place){${own}\n})`),
  );
  const shared = [...new Set([...own.matchAll(/\brequire\("(\.\/[^"]+)"\)/g)].map(([, path = ""]) => path))];
  const exported = [...(/\bexport\{([^}]*)\}/.exec(text)?.[1] ?? "").matchAll(/(?:\w+ as )?(\w+)/g)];
  await writeFile(
    `dist/${name}`,
    `// @bun
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { runInThisContext } from "node:vm";
import { brotliDecompressSync } from "node:zlib";
${shared.map((path, at) => `import * as m${at} from "${path}";\n`).join("")}
const shared = { ${shared.map((path, at) => `"${path}": m${at}`).join(", ")} };
const other = createRequire(import.meta.url);
const code = brotliDecompressSync(readFileSync(new URL("./${base}.br", import.meta.url))).toString();
const module = { exports: {} };
runInThisContext(code, { filename: "${base}.br" })(module, module.exports, (name) => shared[name] ?? other(name), (name) => import(name), import.meta.url);
export const { ${exported.map(([, as]) => as).join(", ")} } = module.exports;
`,
  );
}
