import { socialProviders } from "@better-auth/core/social-providers";
import type { BetterAuthOptions } from "better-auth";
import {
	isClientSecretOptional,
	type ProviderSetting,
	settingsOfProvider,
} from "better-auth-tenant/providers";
import * as z from "zod";
import { commaSeparated, oneOf } from "./formats";

export type HostProviders = NonNullable<BetterAuthOptions["socialProviders"]>;

const text = z.string();
const list = commaSeparated(z.string()).meta({ description: "comma-separated list" });
const url = z
	.url({ protocol: /^https?$/, error: "must be an http or https URL." })
	.meta({ description: "http or https URL" });
const choice = (values: readonly string[]) =>
	oneOf(values).meta({ description: values.map((value) => `\`${value}\``).join(", ") });

/** The settings that have a variable, by provider. */
const withVariable: Record<string, readonly string[]> = {
	apple: ["appBundleIdentifier", "audience"],
	cognito: ["domain", "region", "userPoolId", "identityProvider"],
	discord: ["prompt"],
	dropbox: ["accessType"],
	facebook: ["configId", "fields"],
	gitlab: ["issuer"],
	google: ["hd", "accessType", "prompt"],
	microsoft: ["tenantId", "authority", "prompt"],
	paybin: ["issuer"],
	paypal: ["environment"],
	reddit: ["duration"],
	salesforce: ["environment", "loginUrl"],
	twitch: ["claims"],
	vk: ["scheme"],
	wechat: ["lang"],
};

function schemaOf({ name, kind, choices }: ProviderSetting): z.ZodType {
	// Reddit's only values. The plugin accepts any text.
	if (name === "duration") return choice(["temporary", "permanent"]);
	if (choices) return choice(choices.map(String));
	if (kind === "texts") return list;
	return kind === "url" ? url : text;
}

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
		options: settingsOfProvider(id)
			.filter(({ name }) => withVariable[id]?.includes(name))
			.map((setting) => ({
				option: setting.name,
				variable: variableOf(setting.name),
				schema: schemaOf(setting),
				isRequired: setting.required === true,
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
	const secretIsMissing = !isSet(clientSecret) && !isClientSecretOptional(id);
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
