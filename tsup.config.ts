import { defineConfig } from "tsup";

export default defineConfig({
  entry: { index: "src/index.ts" },
  format: "esm",
  target: "es2023",
  platform: "node",
  dts: true,
  clean: true,
  splitting: true,
  treeshake: true,
  minifySyntax: true,
  minifyWhitespace: true,
  noExternal: [/.*/],
});
