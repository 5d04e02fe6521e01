import { socialProviders } from "@better-auth/core/social-providers";
import type { BetterAuthOptions } from "better-auth";
import { StartError } from "../start-error";
import { type Read, splitList } from "./environment";
import { extrasOf, type ProviderExtra } from "./provider-extras";

export type GlobalProviders = NonNullable<BetterAuthOptions["socialProviders"]>;

/** Providers with clients that have no secret. */
const secretOptional = new Set(["cloudflare", "cognito", "microsoft"]);

/** The clients that tenants without one of their own use, for each provider whose client is given. */
export function readProviders(read: Read): GlobalProviders {
	return Object.fromEntries(
		Object.keys(socialProviders).flatMap((id) => {
			const options = readProvider(read, id);
			return options ? [[id, options]] : [];
		}),
	);
}

/** `GITHUB_CLIENT_ID` for `github`. */
const variable = (id: string, suffix: string) =>
	`${id.toUpperCase().replaceAll("-", "_")}_${suffix}`;

function readProvider(read: Read, id: string): Record<string, unknown> | null {
	// TikTok calls it a key.
	const idName = variable(id, id === "tiktok" ? "CLIENT_KEY" : "CLIENT_ID");
	const secretName = variable(id, "CLIENT_SECRET");
	const clientId = read(idName);
	const clientSecret = read(secretName);
	const extras = readExtras(read, id, idName, clientId !== null);
	if (clientId === null && clientSecret === null) return null;
	if (clientId === null || (clientSecret === null && !secretOptional.has(id))) {
		throw new StartError(`${idName} and ${secretName} must be set together.`);
	}
	return {
		[id === "tiktok" ? "clientKey" : "clientId"]: clientId,
		...(clientSecret === null ? {} : { clientSecret }),
		...extras,
	};
}

function readExtras(read: Read, id: string, idName: string, hasClient: boolean) {
	const found: Record<string, unknown> = {};
	for (const extra of extrasOf(id)) {
		const name = variable(id, extra.suffix);
		const value = read(name);
		if (value === null) {
			if (hasClient && extra.isRequired) {
				throw new StartError(`${name} must be set together with ${idName}.`);
			}
		} else if (hasClient) {
			found[extra.option] = parseExtra(extra, name, value);
		} else {
			throw new StartError(`${name} is set, but ${idName} is not.`);
		}
	}
	return found;
}

function parseExtra({ kind = "text" }: ProviderExtra, name: string, value: string): unknown {
	if (kind === "text") return value;
	if (kind === "list") return splitList(value);
	if (kind === "url") {
		if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) return value;
		throw new StartError(`${name} must be an http or https address.`);
	}
	if (kind.includes(value)) return value;
	throw new StartError(`${name} must be one of ${kind.join(", ")}, but it is "${value}".`);
}
