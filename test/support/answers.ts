import { spawn } from "node:child_process";
import { once } from "node:events";

/** How long OpenCode took to answer, in milliseconds. */
export interface Answers {
  readonly count: number;
  readonly median: number;
  /** Of a hundred answers one was slower. */
  readonly p99: number;
  readonly slowest: number;
}

/** Asks again and again, in a process of its own: what the test does meanwhile delays no question. */
const ASK = `
const [address, pause] = process.argv.slice(1);
const took = [];
let isOver = false;
process.stdin.resume().on("end", () => (isOver = true));
while (!isOver) {
  const begun = performance.now();
  await fetch(address).then((answer) => answer.arrayBuffer()).catch(() => undefined);
  took.push(performance.now() - begun);
  await new Promise((done) => setTimeout(done, Number(pause)));
}
process.stdout.write(JSON.stringify(took));
`;
const PAUSE_MS = 20;

/** Asks an OpenCode for its health until told to stop. */
export function watchAnswers(url: string): { stop(): Promise<Answers> } {
  const address = new URL("/global/health", url).href;
  const args = ["--input-type=module", "--eval", ASK, address, String(PAUSE_MS)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return {
    async stop() {
      child.stdin.end();
      await once(child, "close");
      const took = (JSON.parse(output) as number[]).toSorted((a, b) => a - b);
      const at = (share: number): number => took[Math.floor((took.length - 1) * share)] ?? 0;
      return { count: took.length, median: at(0.5), p99: at(0.99), slowest: at(1) };
    },
  };
}
