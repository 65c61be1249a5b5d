import { writeBetween } from "./markers.ts";
import { renderConfigReference } from "./config-reference.ts";

/** `npm run docs`: writes the README's generated part anew. */
await writeBetween("README.md", "configuration", renderConfigReference());
