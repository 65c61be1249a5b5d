import { writeBetween } from "./markers.ts";
import { renderHostPage } from "./host-page.ts";
import { renderConfigReference } from "./config-reference.ts";

/** `npm run docs`: writes the generated parts of the documents again. */
await writeBetween("docs/configuration.md", "configuration", renderConfigReference());
await writeBetween("docs/hosts.md", "hosts", renderHostPage());
