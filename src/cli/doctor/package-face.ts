import { stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { recordOf, textOf } from "../../lib/json.ts";
import { PACKAGE_NAME, readManifest } from "../own-package.ts";

/** Which of the two modules of this package a path leads to, and the file that OpenCode would load. */
export interface Face {
  readonly face: "panel" | "plugin";
  readonly target: string;
}

/**
 * What OpenCode loads for a path into this package: the package's folder stands for both modules, a file for itself.
 * @param wanted the export that the configuration file in question asks for
 */
export async function faceOf(path: string, wanted: "./server" | "./tui"): Promise<Face> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const manifest = isFolder ? await readManifest(path) : null;
  if (manifest === null) return { face: isPanelFile(path) ? "panel" : "plugin", target: path };
  const exported = textOf(recordOf(recordOf(manifest["exports"])[wanted])["import"]);
  return { face: wanted === "./tui" ? "panel" : "plugin", target: join(path, exported ?? ".") };
}

/** Built it is `dist/tui.js`, in the sources `src/tui/index.ts`. */
function isPanelFile(path: string): boolean {
  return basename(path, extname(path)) === "tui" || basename(dirname(path)) === "tui";
}

/** Whether a name asks for a part of the package, as an import would: for OpenCode that is another package. */
export function isPartOfPackage(spec: string): boolean {
  return spec.replace(/^npm:/, "").startsWith(`${PACKAGE_NAME}/`);
}
