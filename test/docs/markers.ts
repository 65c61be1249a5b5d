import { readFile, writeFile } from "node:fs/promises";

/** What stands in a file between `<!-- name -->` and `<!-- /name -->`. @throws when it has no such place */
export async function readBetween(file: string, name: string): Promise<string> {
  const { content, from, to } = await locate(file, name);
  return content.slice(from, to).trim();
}

/** Replaces it, and leaves all else as it is. @throws when the file has no such place */
export async function writeBetween(file: string, name: string, text: string): Promise<void> {
  const { content, from, to } = await locate(file, name);
  await writeFile(file, `${content.slice(0, from)}\n${text}\n${content.slice(to)}`);
}

async function locate(file: string, name: string): Promise<{ content: string; from: number; to: number }> {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const content = await readFile(file, "utf8");
  const [from, to] = [content.indexOf(open), content.indexOf(close)];
  if (from < 0 || to < from) throw new Error(`${file} has no ${open} … ${close}`);
  return { content, from: from + open.length, to };
}
