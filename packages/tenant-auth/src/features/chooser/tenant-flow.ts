import type { GenericEndpointContext } from "@better-auth/core";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import { addOAuthServerContext, getOAuthState } from "better-auth/api";
import { defineCallState, requireState } from "../../call/context/current-state";
import { isSocialCallback } from "../../call/context/endpoint-rules";
import { type TenantRow, tenantIdIn } from "../../call/context/tenant";
import { digest } from "../../database/digest";
import { clientOf } from "./app-provider";
import { bindToBrowser } from "./browser";
import { findBaseURL } from "./home";
import { type KeptChoice, type KeptEntry, keep, takeKept } from "./kept-values";
import type { Person } from "./person";

/**
 * The sign-in ends with an ordinary social flow of the tenant: core's own start and callback, with the
 * state, the cookie and all rules of that tenant. In this flow, the chooser takes the place of the
 * provider. Its "sign-in page" is `confirm`, at the host where the browser has proved to be the right one,
 * and its code is exchanged for what the real provider has said before.
 */

export const ENTER_PATH = "/tenant/chooser/enter";
export const CONFIRM_PATH = "/tenant/chooser/confirm";

const KEY = "tenantChooser";

/** The entry that a call at {@link ENTER_PATH} presents. */
const entering = defineCallState<{ token?: string; entry?: KeptEntry }>(() => ({}));

/** Where the browser goes on to the tenant. */
export async function leadToTenant(
	ctx: GenericEndpointContext,
	choice: KeptChoice,
	tenant: TenantRow,
): Promise<string> {
	requireState(ctx.context).noteTenant(tenant);
	const token = await keep(ctx, "entry", { ...choice, tenantId: tenant.id });
	await bindToBrowser(ctx, token);
	const baseURL = await findBaseURL(ctx, tenant.id);
	return `${baseURL}${ENTER_PATH}?${new URLSearchParams({ token })}`;
}

/** Notes that the call starts the flow of a tenant, for {@link replaceProvider}. */
export function startWith(token: string, entry: KeptEntry): void {
	Object.assign(entering.get(), { token, entry });
}

/** Replaces the provider in a flow of a tenant that comes from the chooser. All others keep it. */
export async function replaceProvider(
	ctx: GenericEndpointContext,
	provider: OAuthProvider,
): Promise<OAuthProvider> {
	const { token, entry } = entering.find() ?? {};
	if (token && entry) {
		await addOAuthServerContext({ [KEY]: true });
		return {
			...provider,
			createAuthorizationURL: async ({ state }) => pageOf(entry, token, state),
		};
	}
	// No client can write this part of the state.
	const state = isSocialCallback(ctx.path) ? await getOAuthState() : null;
	return state?.serverContext?.[KEY] === true ? withKeptPerson(ctx, provider) : provider;
}

const pageOf = ({ home }: KeptEntry, token: string, state: string): URL =>
	new URL(`${home}${CONFIRM_PATH}?${new URLSearchParams({ token, state })}`);

/** Responds with what the real provider has said. A code of the real provider is worth nothing here. */
function withKeptPerson(ctx: GenericEndpointContext, provider: OAuthProvider): OAuthProvider {
	let person: Person | null = null;
	const requirePerson = (): Person => {
		if (person) return person;
		throw new Error("no code of the chooser was exchanged");
	};
	return {
		...provider,
		validateAuthorizationCode: async ({ code }) => {
			person = await takePerson(ctx, provider, code);
			return person && withoutNulls(person.tokens);
		},
		getUserInfo: async () => {
			const { info } = requirePerson();
			return info as Awaited<ReturnType<OAuthProvider["getUserInfo"]>>;
		},
		accountSubject: () => requirePerson().accountId,
	};
}

async function takePerson(
	ctx: GenericEndpointContext,
	provider: OAuthProvider,
	code: string,
): Promise<Person | null> {
	const state: unknown = ctx.query?.state;
	if (typeof state !== "string" || !(await startedHere(ctx, state))) return null;
	const { scope } = requireState(ctx.context);
	const kept = await takeKept(ctx, "code", code);
	// The code is for one flow, of one tenant.
	if (kept?.state !== (await digest(state))) return null;
	if (!scope || tenantIdIn(scope) !== kept.tenantId) return null;
	const { person } = kept;
	const isSameClient = person.client === (await clientOf(provider));
	return isSameClient && person.providerId === provider.id ? person : null;
}

/**
 * Whether the tenant's flow started in this browser. Core checks it too, but the app can turn that off.
 * Somebody could otherwise sign a victim in to an account of their own, with a link.
 */
async function startedHere(ctx: GenericEndpointContext, state: string): Promise<boolean> {
	// Core finds a state in a cookie in no other browser.
	if (ctx.context.oauthConfig.storeStateStrategy === "cookie") return true;
	const { name } = ctx.context.createAuthCookie("state");
	return (await ctx.getSignedCookie(name, ctx.context.secret)) === state;
}

const withoutNulls = ({ accessToken, refreshToken, idToken, ...tokens }: Person["tokens"]) => ({
	...tokens,
	...(accessToken == null ? {} : { accessToken }),
	...(refreshToken == null ? {} : { refreshToken }),
	...(idToken == null ? {} : { idToken }),
});
