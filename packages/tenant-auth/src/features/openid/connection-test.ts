import type { AuthContext } from "@better-auth/core";
import { isAPIError } from "better-auth/api";
import { generateRandomString } from "better-auth/crypto";
import * as z from "zod";
import { requireInstance } from "../../call/context/current-state";
import type { Limits } from "../../call/network/guarded-fetch";
import { flag } from "../../described";
import { callbackPathOf } from "../../management/oauth-clients/callback-path";
import { type Credentials, readCredentials } from "../../management/oauth-clients/cipher";
import type { OAuthConfigRow } from "../../management/oauth-clients/config";
import { buildTenantProvider, ownClientOf } from "../../management/oauth-clients/provider";
import { isOwnProviderId } from "../../providers";
import { type Target, type Tested, testClient, testRedirectUri } from "./connection-probes";
import {
	failed,
	type Outcome,
	passed,
	type Step,
	skipped,
	stepSchema,
	unknown,
} from "./connection-step";
import { loadKeys } from "./id-token";
import { buildOwnProvider } from "./own-provider";
import { type ProviderMetadata, ProviderProblem } from "./provider-metadata";

export const connectionTestSchema = z.object({
	ok: flag("Whether no step failed; look at those that are unknown"),
	steps: z.array(stepSchema).meta({ description: "The steps in their order" }),
});

export type ConnectionTest = z.output<typeof connectionTestSchema>;

const NOT_REACHED = skipped("Not tested, because an earlier step failed");
const TOO_SLOW = unknown("Not tested, because the provider responds too slowly");

/** In milliseconds. No step starts later. */
const TIME_LIMIT = 20_000;

/**
 * Tests a config without a person: asks the provider for what a sign-in needs, up to the point where
 * somebody would have to sign in. It changes nothing, and a step passes only if its response proves it.
 */
export async function testConnection(
	ctx: AuthContext,
	row: OAuthConfigRow,
): Promise<ConnectionTest> {
	const target = await prepare(ctx, row).catch((error: unknown) => {
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

async function prepare(ctx: AuthContext, row: OAuthConfigRow): Promise<Target> {
	const credentials = await readCredentials(ctx, row);
	const random = generateRandomString(32);
	const wrong =
		credentials.clientSecret === ""
			? { clientId: random, clientSecret: "" }
			: { ...credentials, clientSecret: random };
	return {
		credentials,
		tested: await build(ctx, row, credentials),
		wrong: (await build(ctx, row, wrong)).provider,
		redirectURI: row.redirectURI ?? `${ctx.baseURL}${callbackPathOf(row.providerId, row.tenantId)}`,
		limits: { allowPrivate: requireInstance(ctx).options.allowPrivateProviderHosts },
	};
}

async function build(
	ctx: AuthContext,
	row: OAuthConfigRow,
	credentials: Credentials,
): Promise<Tested> {
	const instance = requireInstance(ctx);
	return isOwnProviderId(row.providerId)
		? buildOwnProvider(ownClientOf(row, credentials, instance))
		: buildTenantProvider(row, credentials, undefined, instance);
}

async function runSteps(target: Target): Promise<Step[]> {
	const start = Date.now();
	const inTime = (work: () => Promise<Outcome>) =>
		Date.now() - start < TIME_LIMIT ? work() : TOO_SLOW;
	const config: Step = {
		name: "config",
		...passed("The settings are valid, and the credentials can be decrypted"),
	};
	const { metadata: load } = target.tested;
	const loaded = load ? await testDiscovery(load) : BUILT_IN;
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
