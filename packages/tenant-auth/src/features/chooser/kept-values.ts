import type { GenericEndpointContext } from "@better-auth/core";
import { generateRandomString } from "better-auth/crypto";
import * as z from "zod";
import { requireInstance, runInScope } from "../../call/context/current-state";
import { PLATFORM } from "../../call/context/tenant";
import { digest } from "../../database/digest";
import { seal, unseal } from "../../database/encrypted-values";
import { keptPerson } from "./person";

const MINUTE_MS = 60_000;

/** Checked when the flow starts, by Better Auth. */
const flowRequest = z.object({
	callbackURL: z.string().optional(),
	/** Absolute, so that errors lead to the page where the flow started. */
	errorCallbackURL: z.string().optional(),
	newUserCallbackURL: z.string().optional(),
	requestSignUp: z.boolean().optional(),
});

const atHome = {
	request: flowRequest,
	/** The base URL at which the flow started. The cookie that it is bound to is there. */
	home: z.string(),
};

/** What is kept at each step of a flow. */
const SCHEMAS = {
	/** While the user is at the provider. */
	flow: z.object({
		...atHome,
		providerId: z.string(),
		client: z.string(),
		codeVerifier: z.string(),
		nonce: z.string().optional(),
	}),
	/** While the user chooses. */
	choice: z.object({ ...atHome, person: keptPerson }),
	/** While the browser goes to the host of the tenant. */
	entry: z.object({ ...atHome, person: keptPerson, tenantId: z.string() }),
	/** While the browser goes back to the callback. It is bound to the flow that the tenant has started. */
	code: z.object({ person: keptPerson, tenantId: z.string(), state: z.string() }),
};

type Step = keyof typeof SCHEMAS;
type Kept<S extends Step> = z.output<(typeof SCHEMAS)[S]>;

export type KeptFlow = Kept<"flow">;
export type KeptChoice = Kept<"choice">;
export type KeptEntry = Kept<"entry">;

const LIFETIMES: Record<Step, number> = {
	flow: 10 * MINUTE_MS,
	choice: 10 * MINUTE_MS,
	entry: MINUTE_MS,
	code: MINUTE_MS,
};

const PREFIX = "chooser-";
const TOKEN = /^chooser-[\w-]{32}$/;

/**
 * Tells a state of the chooser from those of Better Auth without a query. Better Auth has never stored it, so
 * it finishes nothing at another callback, neither in a tenant nor on the platform.
 */
export const isChooserToken = (text: unknown): text is string =>
	typeof text === "string" && TOKEN.test(text);

const newToken = (): string => `${PREFIX}${generateRandomString(32)}`;

/**
 * What is stored. The row belongs to the platform, so no tenant can read it. The database contains only a
 * digest of the token, and the value is encrypted: it has the tokens of the provider.
 */
const placeOf = async (step: Step, token: string) => ["tenant-chooser", step, await digest(token)];
const identifierOf = (place: readonly string[]) => place.join(":");

const onPlatform = <T>({ context }: GenericEndpointContext, work: () => Promise<T>) =>
	runInScope(requireInstance(context), PLATFORM, work);

/** Keeps a value under a new token, which works once. */
export async function keep<S extends Step>(
	ctx: GenericEndpointContext,
	step: S,
	value: Kept<S>,
	token = newToken(),
): Promise<string> {
	const place = await placeOf(step, token);
	const sealed = await seal(ctx.context, place, JSON.stringify(value));
	await onPlatform(ctx, () =>
		ctx.context.internalAdapter.createVerificationValue({
			identifier: identifierOf(place),
			value: sealed,
			expiresAt: new Date(Date.now() + LIFETIMES[step]),
		}),
	);
	return token;
}

/** Reads a value that is used later. */
export const findKept = <S extends Step>(ctx: GenericEndpointContext, step: S, token: unknown) =>
	read(ctx, step, token, "findVerificationValue");

/** Uses up a value. Of two callers, only one gets it. */
export const takeKept = <S extends Step>(ctx: GenericEndpointContext, step: S, token: unknown) =>
	read(ctx, step, token, "consumeVerificationValue");

async function read<S extends Step>(
	ctx: GenericEndpointContext,
	step: S,
	token: unknown,
	method: "findVerificationValue" | "consumeVerificationValue",
): Promise<Kept<S> | null> {
	if (!isChooserToken(token)) return null;
	const place = await placeOf(step, token);
	const found = await onPlatform(ctx, () =>
		ctx.context.internalAdapter[method](identifierOf(place)),
	);
	if (!found || found.expiresAt <= new Date()) return null;
	const text = await unseal(ctx.context, place, found.value).catch(() => null);
	const value = text === null ? null : SCHEMAS[step].safeParse(JSON.parse(text));
	if (value?.success) return value.data as Kept<S>;
	// The secret was replaced meanwhile, or another version of this plugin has stored it. The cause may contain
	// a part of the plaintext.
	ctx.context.logger.warn(`A ${step} of tenantChooser cannot be read. The user has to start again`);
	return null;
}
