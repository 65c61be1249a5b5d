import { afterAll, vi } from "vitest";

// Test files share a process: what one of them changes of it is as before for the next, even where it failed on the way.
const environment = { ...process.env };
const directory = process.cwd();

afterAll(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(directory);
});
