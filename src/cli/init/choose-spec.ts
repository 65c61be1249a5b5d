import { realpath } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { PACKAGE_NAME } from "../own-package.ts";

/** How a project refers to this package. */
export interface Reference {
  /** The entry of `plugin`. */
  readonly spec: string;
  /** The value of `$schema` in a file of `configFolder`. */
  readonly schema: string;
  /** Why this spec and not another one, as half a sentence. */
  readonly reason: string;
}

/** Where the schema of a published version can be read by editors. */
const PUBLISHED_SCHEMA = `https://unpkg.com/${PACKAGE_NAME}/dist/gaia.schema.json`;

/**
 * The copy in the project's own node_modules is what its package.json pins, so OpenCode should load that one; a clone
 * is loaded from where it is; everything else (npx, a global installation) is OpenCode's to install, by name.
 * @param packageFolder the real folder of the package that runs
 * @param directory the folder of opencode.json
 * @param configFolder the folder of GAIA's own configuration
 */
export async function chooseReference(
  packageFolder: string,
  directory: string,
  configFolder: string,
): Promise<Reference> {
  const local = join(directory, "node_modules", PACKAGE_NAME);
  if ((await realpath(local).catch(() => null)) === packageFolder) {
    const schema = relative(configFolder, join(local, "dist", "gaia.schema.json"));
    return {
      spec: `./node_modules/${PACKAGE_NAME}`,
      schema: schema.split(sep).join("/"),
      reason: "the version that this project has installed",
    };
  }
  if (basename(dirname(packageFolder)) !== "node_modules") {
    const schema = pathToFileURL(join(packageFolder, "dist", "gaia.schema.json")).href;
    return { spec: packageFolder, schema, reason: "the copy that you ran this from" };
  }
  return { spec: PACKAGE_NAME, schema: PUBLISHED_SCHEMA, reason: "OpenCode installs it at its next start" };
}
