import { transform } from "esbuild";

/** Makes a module smaller once more: shaking what is unused out of small code makes some of it large again (`true` for `!0`, long names). */
export async function makeSmall(text: string): Promise<string> {
  const { code } = await transform(text, {
    minify: true,
    target: "es2023",
    format: "esm",
    legalComments: "none",
  });
  return code;
}
