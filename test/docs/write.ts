import { writeBetween } from "./markers.ts";
import { renderConfigReference } from "./config-reference.ts";

/** `npm run docs`: writes the generated part of the documents again. */
await writeBetween("docs/configuration.md", "configuration", renderConfigReference());
