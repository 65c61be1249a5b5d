import { writeBetween } from "./markers.ts";
import { renderConfigReference } from "./config-reference.ts";

/** `npm run docs`: writes the README's generated part again. */
await writeBetween("README.md", "configuration", renderConfigReference());
