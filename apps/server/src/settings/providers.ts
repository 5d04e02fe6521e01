import { socialProviders } from "@better-auth/core/social-providers";
import type { BetterAuthOptions } from "better-auth";
import * as z from "zod";
import { commaSeparated, oneOf } from "./formats";

export type HostProviders = NonNullable<BetterAuthOptions["socialProviders"]>;

const text = z.string();
const required = z.string().meta({ isRequired: true });
const list = commaSeparated(z.string()).meta({ description: "comma-separated list" });
const url = z
	.url({ protocol: /^https?$/, error: "must be an http or https URL." })
	.meta({ description: "http or https URL" });
const choice = (...values: [string, ...string[]]) =>
	oneOf(values).meta({ description: values.map((value) => `\`${value}\``).join(", ") });

const accessType = choice("offline", "online");
const prompt = choice("none", "consent", "login", "select_account", "select_account consent");

/** Options of a provider beyond client id and secret, by their names in Better Auth. */
const providerOptions: Record<string, Record<string, z.ZodType>> = {
	apple: { appBundleIdentifier: text, audience: list },
	cognito: { domain: required, region: required, userPoolId: required, identityProvider: text },
	discord: { prompt },
	dropbox: { accessType },
	facebook: { configId: text, fields: list },
	gitlab: { issuer: url },
	google: { hd: text, accessType, prompt },
	microsoft: { tenantId: text, authority: url, prompt },
	paybin: { issuer: url },
	paypal: { environment: choice("sandbox", "live") },
	reddit: { duration: choice("temporary", "permanent") },
	salesforce: { environment: choice("sandbox", "production"), loginUrl: text },
	twitch: { claims: list },
	vk: { scheme: choice("light", "dark") },
	wechat: { lang: choice("cn", "en") },
};

/** Providers that have OAuth clients without a secret. */
const secretIsOptional = new Set(["cloudflare", "cognito", "microsoft"]);

/** One provider and the variables of its OAuth client, such as `GITHUB_CLIENT_ID` for `clientId`. */
export const providerClients = Object.keys(socialProviders).map((id) => {
	const variableOf = (option: string) =>
		`${id.replaceAll("-", "_")}_${option.replace(/[A-Z]/g, "_$&")}`.toUpperCase();
	// TikTok calls the client id a client key.
	const idOption = id === "tiktok" ? "clientKey" : "clientId";
	return {
		id,
		clientId: { option: idOption, variable: variableOf(idOption) },
		clientSecret: { option: "clientSecret", variable: variableOf("clientSecret") },
		options: Object.entries(providerOptions[id] ?? {}).map(([option, schema]) => ({
			option,
			variable: variableOf(option),
			schema,
			isRequired: schema.meta()?.isRequired === true,
		})),
	};
});

export const providerVariables: Record<string, z.ZodOptional> = Object.fromEntries(
	providerClients.flatMap(({ clientId, clientSecret, options }) => [
		[clientId.variable, text.optional()],
		[clientSecret.variable, text.optional()],
		...options.map(({ variable, schema }) => [variable, schema.optional()] as const),
	]),
);

type Problem = { variable: string; message: string };

/** The providers whose OAuth client is set. Tenants without an OAuth config of their own use them. */
export function readHostProviders(
	values: Record<string, unknown>,
	report: (problem: Problem) => void,
): HostProviders {
	const providers: Record<string, Record<string, unknown>> = {};
	for (const client of providerClients) {
		const problem = findProblem(client, values);
		if (problem) report(problem);
		const { clientId, clientSecret, options, id } = client;
		if (values[clientId.variable] === undefined) continue;
		providers[id] = Object.fromEntries(
			[clientId, clientSecret, ...options].flatMap(({ option, variable }) =>
				values[variable] === undefined ? [] : [[option, values[variable]]],
			),
		);
	}
	return providers;
}

function findProblem(
	{ id, clientId, clientSecret, options }: (typeof providerClients)[number],
	values: Record<string, unknown>,
): Problem | null {
	const isSet = ({ variable }: { variable: string }) => values[variable] !== undefined;
	const secretIsMissing = !isSet(clientSecret) && !secretIsOptional.has(id);
	if (isSet(clientId) ? secretIsMissing : isSet(clientSecret)) {
		const message = `and ${clientSecret.variable} must be set together.`;
		return { variable: clientId.variable, message };
	}
	const option = options.find((one) =>
		isSet(clientId) ? one.isRequired && !isSet(one) : isSet(one),
	);
	if (!option) return null;
	const message = isSet(clientId)
		? `must be set together with ${clientId.variable}.`
		: `is set, but ${clientId.variable} is not.`;
	return { variable: option.variable, message };
}
