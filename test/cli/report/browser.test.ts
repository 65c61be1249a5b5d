import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import axe from "axe-core";
import { expect, it } from "vitest";
import { renderPage } from "../../../src/report/render.ts";
import { createRedactor } from "../../../src/lib/redaction.ts";
import { largeUnit } from "./large-unit.ts";

const BROWSER = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
);

/** What a browser makes of a page, once its scripts have run. */
async function open(page: string, ...flags: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "gaia-page-"));
  try {
    const path = join(folder, "page.html");
    await writeFile(path, page);
    const args = [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      `--user-data-dir=${folder}/own`,
      "--virtual-time-budget=60000",
    ];
    const { stdout } = await promisify(execFile)(
      BROWSER ?? "",
      [...args, ...flags, "--dump-dom", `file://${path}`],
      {
        maxBuffer: 50_000_000,
        timeout: 120_000,
      },
    );
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

it.runIf(BROWSER !== undefined)(
  "finds nothing to object to in the page, light or dark, and hostile texts stay text in it",
  async () => {
    const page = renderPage(largeUnit("<img src=x onerror=\"document.title='taken'\">"), createRedactor({}));
    // The page itself lets no script run, so the one that looks at it comes in its place.
    const script = `<script>${axe.source};axe.run().then(({violations})=>{document.body.textContent="FOUND"+JSON.stringify(violations.map(({id,nodes})=>[id,nodes[0].html]))+"END"+document.title})</script></body>`;
    const examined = page.replace(/<meta http-equiv[^>]*>/, "").replace("</body>", () => script);
    for (const flags of [[], ["--blink-settings=preferredColorScheme=0"]])
      expect(/FOUND(.*)END(.{4})/s.exec(await open(examined, ...flags))?.slice(1)).toEqual(["[]", "&lt;"]);
  },
  300_000,
);
