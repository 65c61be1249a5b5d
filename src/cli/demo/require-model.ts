import { createError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { recordOf } from "../../lib/json.ts";
import type { OpenCodeApi } from "./api.ts";

/**
 * Makes sure that OpenCode has the model that the user named: it would quietly take another one.
 * @param model `provider/model`
 * @throws GaiaError that lists the models there are
 */
export async function requireModel(api: Pick<OpenCodeApi, "call">, model: string): Promise<void> {
  const { providers } = recordOf(await api.call("GET", "/config/providers"));
  const known = (Array.isArray(providers) ? providers.map(recordOf) : []).flatMap((provider) =>
    Object.keys(recordOf(provider["models"])).map((id) => `${String(provider["id"])}/${id}`),
  );
  if (known.includes(model)) return;
  throw createError("demo", `Your OpenCode has no model "${model}".`, {
    hint: `It has ${excerpt(known.join(", "), 400) || "none"}. "opencode auth login" connects a provider.`,
  });
}
