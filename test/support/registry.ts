import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { recordOf, textOf } from "../../src/lib/json.ts";
import { listen } from "./webhook.ts";

/** An npm registry on loopback with this package, for `npm_config_registry`. @param tarball as `npm pack` wrote it */
export async function startRegistry(tarball: string) {
  const bytes = await readFile(tarball);
  const manifest = recordOf(JSON.parse(await readFile("package.json", "utf8")));
  const [name, version] = [textOf(manifest["name"]) ?? "", textOf(manifest["version"]) ?? ""];
  const digest = (kind: string, encoding: "hex" | "base64"): string =>
    createHash(kind).update(bytes).digest(encoding);
  const server = createServer((request, response) => {
    if (request.url === `/${name}/-/${name}-${version}.tgz`) response.end(bytes);
    else if (request.url !== `/${name}`) response.writeHead(404).end("{}");
    else {
      const dist = {
        tarball: `${url}${name}/-/${name}-${version}.tgz`,
        integrity: `sha512-${digest("sha512", "base64")}`,
        shasum: digest("sha1", "hex"),
      };
      const published = { ...manifest, devDependencies: {}, dist };
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({ name, "dist-tags": { latest: version }, versions: { [version]: published } }),
      );
    }
  });
  const { url, close } = await listen(server);
  return { url, close };
}
