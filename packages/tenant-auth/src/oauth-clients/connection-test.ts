import type { AuthContext } from "@better-auth/core";
import { isAPIError } from "better-auth/api";
import { generateRandomString } from "better-auth/crypto";
import * as z from "zod";
import type { Limits } from "../network/guarded-fetch";
import { loadKeys } from "../openid/id-token";
import { type ProviderMetadata, ProviderProblem } from "../openid/provider-metadata";
import type { ResolvedOptions } from "../options";
import { callbackPathOf } from "./callback-path";
import type { OAuthConfigRow } from "./config";
import { type Target, testClient, testRedirectUri } from "./connection-probes";
import {
	failed,
	type Outcome,
	passed,
	type Step,
	skipped,
	stepSchema,
	unknown,
} from "./connection-step";
import { buildTenantProvider, readCredentials } from "./provider";

export const connectionTestSchema = z.object({
	ok: z.boolean().meta({ description: "Whether no step failed; look at those that are unknown" }),
	steps: z.array(stepSchema).meta({ description: "The steps in their order" }),
});

export type ConnectionTest = z.output<typeof connectionTestSchema>;

const NOT_REACHED = skipped("Not tested, because an earlier step failed");
const TOO_SLOW = unknown("Not tested, because the provider answers too slowly");

/** In milliseconds. No step starts later. */
const TIME_LIMIT = 20_000;

/**
 * Tests a config without a person: asks the provider for what a sign-in needs, up to the point where
 * somebody would have to sign in. It changes nothing, and a step passes only if its answer proves it.
 */
export async function testConnection(
	ctx: Pick<AuthContext, "secretConfig" | "logger" | "baseURL">,
	row: OAuthConfigRow,
	options: ResolvedOptions,
): Promise<ConnectionTest> {
	const target = await prepare(ctx, row, options).catch((error: unknown) => {
		if (isAPIError(error)) return failed(error.message);
		throw error;
	});
	const steps = "state" in target ? rejected(target) : await runSteps(target);
	return { ok: steps.every(({ state }) => state !== "failed"), steps };
}

function rejected(outcome: Outcome): Step[] {
	const rest = (["discovery", "keys", "redirect-uri", "client"] as const).map((name) => ({
		name,
		...NOT_REACHED,
	}));
	return [{ name: "config", ...outcome }, ...rest];
}

async function prepare(
	ctx: Pick<AuthContext, "secretConfig" | "logger" | "baseURL">,
	row: OAuthConfigRow,
	options: ResolvedOptions,
): Promise<Target> {
	const credentials = await readCredentials(ctx, row);
	const random = generateRandomString(32);
	const wrong =
		credentials.clientSecret === ""
			? { clientId: random, clientSecret: "" }
			: { ...credentials, clientSecret: random };
	return {
		credentials,
		bound: await buildTenantProvider(row, credentials, undefined, options),
		wrong: await buildTenantProvider(row, wrong, undefined, options),
		redirectURI: row.redirectURI ?? `${ctx.baseURL}${callbackPathOf(row.providerId, row.tenantId)}`,
		limits: { allowPrivate: options.allowPrivateProviderHosts },
	};
}

async function runSteps(target: Target): Promise<Step[]> {
	const start = Date.now();
	const inTime = (work: () => Promise<Outcome>) =>
		Date.now() - start < TIME_LIMIT ? work() : TOO_SLOW;
	const config: Step = {
		name: "config",
		...passed("The settings are valid, and the credentials can be decrypted"),
	};
	const { own } = target.bound;
	const loaded = own ? await testDiscovery(own.metadata) : BUILT_IN;
	const { metadata } = loaded;
	const discovery: Step = { name: "discovery", ...loaded.outcome };
	if (loaded.outcome.state === "failed") {
		const [, , ...rest] = rejected(NOT_REACHED);
		return [config, discovery, ...rest];
	}
	const keys = metadata ? await inTime(() => testKeys(metadata, target.limits)) : BUILT_IN.outcome;
	return [
		config,
		discovery,
		{ name: "keys", ...keys },
		{ name: "redirect-uri", ...(await inTime(() => testRedirectUri(target))) },
		{ name: "client", ...(await inTime(() => testClient(target))) },
	];
}

const BUILT_IN = {
	metadata: null,
	outcome: skipped("Not needed: the addresses of this provider are built in"),
};

async function testDiscovery(load: () => Promise<ProviderMetadata>) {
	try {
		const metadata = await load();
		return { metadata, outcome: passed("The discovery document is valid") };
	} catch (error) {
		if (!(error instanceof ProviderProblem)) throw error;
		return { metadata: null, outcome: failed(error.message) };
	}
}

async function testKeys({ jwksUri }: ProviderMetadata, limits: Limits): Promise<Outcome> {
	try {
		const { keys } = await loadKeys(jwksUri, limits);
		return passed(`The provider has ${keys.length} ${keys.length === 1 ? "key" : "keys"}`);
	} catch (error) {
		if (!(error instanceof ProviderProblem)) throw error;
		return failed(error.message);
	}
}
