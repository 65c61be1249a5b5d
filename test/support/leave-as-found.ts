import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, vi } from "vitest";

// The plugin keeps snapshots of the projects that tests make among the data of whoever runs it.
if (process.env["GAIA_TEST_DATA"] === undefined) {
  const data = mkdtempSync(join(tmpdir(), "gaia-test-data-"));
  process.env["XDG_DATA_HOME"] = process.env["GAIA_TEST_DATA"] = data;
  process.once("exit", () => rmSync(data, { recursive: true, force: true }));
}

// Test files share a process: what one of them changes of it is as before for the next, even where it failed on the way.
const environment = { ...process.env };
const directory = process.cwd();

afterEach(() => void vi.unstubAllEnvs());
afterAll(() => {
  vi.useRealTimers();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(directory);
});
