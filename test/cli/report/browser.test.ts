import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { inflateSync } from "node:zlib";
import axe from "axe-core";
import { describe, expect, it } from "vitest";
import { renderPage } from "../../../src/report/render.ts";
import { createRedactor } from "../../../src/lib/redaction.ts";
import { largeUnit } from "./large-unit.ts";

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu"];
/** One that is there but cannot start, as in a container without its libraries, is none. */
const BROWSER = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) =>
    spawnSync(name, [...FLAGS, "--dump-dom", "about:blank"], { stdio: "ignore", timeout: 60_000 }).status ===
    0,
);
if (BROWSER === undefined) console.info("No Chromium can be started here: nobody looks at the report.");

const SCHEMES = [
  { scheme: "light", number: 1, background: "ffffff" },
  { scheme: "dark", number: 0, background: "14181d" },
];

/** What a browser makes of a page, once its scripts have run, and a picture of it. */
async function open(page: string, scheme: number): Promise<{ dom: string; picture: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), "gaia-page-"));
  try {
    const path = join(folder, "page.html");
    await writeFile(path, page);
    const args = [...FLAGS, `--user-data-dir=${folder}/own`];
    args.push("--virtual-time-budget=60000", `--blink-settings=preferredColorScheme=${scheme}`);
    args.push("--dump-dom", `--screenshot=${folder}/page.png`, `file://${path}`);
    const options = { maxBuffer: 50_000_000, timeout: 120_000 };
    const { stdout } = await promisify(execFile)(BROWSER ?? "", args, options);
    return { dom: stdout, picture: await readFile(join(folder, "page.png")) };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The first point of a PNG, as hexadecimal digits: no filter changes it, for there is nothing before it. */
function firstPoint(png: Buffer): string {
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at))
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  return inflateSync(Buffer.concat(data)).toString("hex", 1, 4);
}

describe.runIf(BROWSER !== undefined)("the report in a browser", () => {
  it.each(SCHEMES)(
    "is accessible, $scheme by the reader's setting, hostile texts stay text in it, and long words break no other column",
    async ({ number, background }) => {
      const page = renderPage(
        largeUnit(`<img src=x onerror="document.title='taken'"> ${"long".repeat(200)}`, 12),
        createRedactor({}),
      );
      // The page itself lets no script run, so the one that looks at it comes in its place.
      const script = `<script>${axe.source};const broken=(document.documentElement.scrollWidth>innerWidth?" wide":"")+([...document.querySelectorAll("th")].some(each=>each.offsetHeight>85)?" narrow":"");axe.run().then(({violations})=>{document.body.dataset.found="FOUND"+violations.map(({id})=>id)+(document.title.startsWith("<img src=x")?"":" taken")+broken+"END"})</script></body>`;
      const examined = page.replace(/<meta http-equiv[^>]*>/, "").replace("</body>", () => script);
      const { dom, picture } = await open(examined, number);
      expect(/data-found="FOUND(.*?)END/.exec(dom)?.[1]).toBe("");
      expect(firstPoint(picture)).toBe(background);
    },
    300_000,
  );
});
