import { minify } from "terser";

/**
 * Makes code smaller than esbuild does: shaking what is unused out of small code makes some of it large again (`true` for
 * `!0`, long names).
 * @param isOwn a module of ours; else one function that holds libraries, of which less may be taken for granted
 */
export async function makeSmall(text: string, isOwn = true): Promise<string> {
  const compress = { passes: 2, keep_fargs: false, hoist_funs: true };
  const { code = "" } = await minify(text, {
    module: isOwn,
    ecma: 2020,
    compress: isOwn
      ? { ...compress, unsafe_arrows: true, unsafe_methods: true }
      : { ...compress, expression: true, negate_iife: false },
    format: { comments: false },
  });
  return code;
}
