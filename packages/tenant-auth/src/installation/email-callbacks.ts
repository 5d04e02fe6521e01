import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { currentScope } from "../call/context/current-scope";
import { inCurrentState } from "../call/context/current-state";
import { bindToken } from "../call/context/email-token";
import { leadToTenantHost } from "../call/context/host-links";
import { tenantIdIn } from "../call/context/tenant";
import { getCurrentTenant } from "../management/tenants/current-tenant";

interface Email {
	url: string;
	token: string;
}

type Send<Data> = (data: Data, request?: Request) => unknown;

/**
 * The app's options with its email callbacks wrapped: each also gets the `tenant` (`null` for the
 * platform), and the links work in their own tenant only, without a header.
 *
 * The options of an app win over those that a plugin returns from `init`. So the callbacks are wrapped
 * in a copy of the final options.
 */
export function withTenantEmails(ctx: AuthContext): BetterAuthOptions {
	const { emailVerification, emailAndPassword, user } = ctx.options;
	const changed = { ...ctx.options };
	if (emailVerification?.sendVerificationEmail) {
		changed.emailVerification = {
			...emailVerification,
			sendVerificationEmail: withBoundToken(ctx, emailVerification.sendVerificationEmail),
		};
	}
	if (emailAndPassword?.sendResetPassword) {
		changed.emailAndPassword = {
			...emailAndPassword,
			sendResetPassword: withTenant(ctx, emailAndPassword.sendResetPassword),
		};
	}
	changed.user = user && withUserEmails(ctx, user);
	return changed;
}

function withUserEmails(ctx: AuthContext, user: NonNullable<BetterAuthOptions["user"]>) {
	const confirm = user.changeEmail?.sendChangeEmailConfirmation;
	const deletion = user.deleteUser?.sendDeleteAccountVerification;
	return {
		...user,
		...(confirm && user.changeEmail
			? {
					changeEmail: {
						...user.changeEmail,
						sendChangeEmailConfirmation: withBoundToken(ctx, confirm),
					},
				}
			: {}),
		...(deletion && user.deleteUser
			? {
					deleteUser: {
						...user.deleteUser,
						sendDeleteAccountVerification: withTenant(ctx, deletion),
					},
				}
			: {}),
	};
}

/** The callback gets the tenant, and the link leads to the tenant's own host, if there is one. */
function withTenant<Data extends Email>(ctx: AuthContext, send: Send<Data>) {
	return async (data: Data, request?: Request): Promise<void> => {
		const tenant = await getCurrentTenant();
		const next = URL.canParse(data.url) ? new URL(data.url).searchParams.getAll("callbackURL") : [];
		const url = tenant ? await leadToTenantHost(ctx, tenant.id, data.url, next) : data.url;
		// A plugin's callback may call an endpoint of its own, which must stay in this call.
		await inCurrentState(() => send({ ...data, url, tenant }, request));
	};
}

/** The callback gets the tenant, and the token is bound to it. */
function withBoundToken<Data extends Email>(ctx: AuthContext, send: Send<Data>) {
	const sendWithTenant = withTenant(ctx, send);
	return async (data: Data, request?: Request): Promise<void> => {
		const tenantId = tenantIdIn(await currentScope());
		if (tenantId === null) return sendWithTenant(data, request);
		const token = await bindToken(ctx, data.token, tenantId);
		await sendWithTenant({ ...data, token, url: data.url.replace(data.token, token) }, request);
	};
}
