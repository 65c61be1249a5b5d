import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { marked, processesWith } from "../checks/project.ts";

const WATCHED = resolve(import.meta.dirname, "fixtures/watched.ts");

async function start(end: "waits" | "ends" | "loses the shell", ...commands: string[]) {
  const child = spawn(process.execPath, ["--import", "tsx", WATCHED, end, ...commands], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child;
}

/** Whether a command still runs whose command line holds this; the leader's shell says it too. */
const runs = async (mark: string): Promise<boolean> => (await processesWith(`sleep ${mark}`)).length > 0;

describe.skipIf(process.platform === "win32")("process groups that are watched", () => {
  it.each([
    ["SIGKILL", "waits"],
    ["SIGINT", "waits"],
    ["SIGKILL", "loses the shell"],
  ] as const)(
    "end when their process has ended by %s (it %s), those as well that do not listen; those that were taken back stay",
    async (signal, end) => {
      const [free, polite, stubborn] = [marked(), marked(), marked()];
      const stop = `pkill -f 'sleep ${free.mark}'`;
      onTestFinished(() => void spawn(stop, { shell: true }));
      const child = await start(end, free.sleep, polite.sleep, `trap "" TERM; ${stubborn.sleep}; :`);
      child.kill(signal);
      for (const { mark } of [polite, stubborn])
        await expect.poll(async () => runs(mark), { timeout: 10_000, interval: 200 }).toBe(false);
      expect(await runs(free.mark)).toBe(true);
    },
  );

  it("keep no process that has nothing more to do, and end with it", async () => {
    const [free, other] = [marked(), marked()];
    onTestFinished(() => void spawn(`pkill -f 'sleep ${free.mark}'`, { shell: true }));
    const child = await start("ends", free.sleep, other.sleep);
    if (child.exitCode === null) await once(child, "exit");
    expect(child.exitCode).toBe(0);
    await expect.poll(async () => runs(other.mark), { timeout: 10_000, interval: 200 }).toBe(false);
  });
});
