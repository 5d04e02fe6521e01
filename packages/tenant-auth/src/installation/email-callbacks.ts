import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { currentScope } from "../context/current-scope";
import { inCurrentState } from "../context/current-state";
import { bindToken } from "../context/gate";
import { tenantIdIn } from "../context/tenant";
import type { TenantHosts } from "../context/tenant-hosts";
import { findLinkOrigin, moveToOrigin } from "../domains/domain-links";
import type { ResolvedOptions } from "../options";
import { getCurrentTenant } from "../tenants/current-tenant";

interface Email {
	url: string;
	token: string;
}

interface EmailContext {
	ctx: AuthContext;
	hosts: TenantHosts | undefined;
}

type Send<Data> = (data: Data, request?: Request) => unknown;

/**
 * The app's options with its email callbacks wrapped: each also gets the `tenant` (`null` for the
 * platform), and the links work in their own tenant only, without a header.
 *
 * The options of an app win over those that a plugin returns from `init`. So the callbacks are wrapped
 * in a copy of the final options.
 */
export function withTenantEmails(
	ctx: AuthContext,
	{ hosts }: Pick<ResolvedOptions, "hosts">,
): BetterAuthOptions {
	const { emailVerification, emailAndPassword, user } = ctx.options;
	const emails: EmailContext = { ctx, hosts };
	const changed = { ...ctx.options };
	if (emailVerification?.sendVerificationEmail) {
		changed.emailVerification = {
			...emailVerification,
			sendVerificationEmail: withBoundToken(emails, emailVerification.sendVerificationEmail),
		};
	}
	if (emailAndPassword?.sendResetPassword) {
		changed.emailAndPassword = {
			...emailAndPassword,
			sendResetPassword: withTenant(emails, emailAndPassword.sendResetPassword),
		};
	}
	changed.user = user && withUserEmails(emails, user);
	return changed;
}

function withUserEmails(emails: EmailContext, user: NonNullable<BetterAuthOptions["user"]>) {
	const confirm = user.changeEmail?.sendChangeEmailConfirmation;
	const deletion = user.deleteUser?.sendDeleteAccountVerification;
	return {
		...user,
		...(confirm && user.changeEmail
			? {
					changeEmail: {
						...user.changeEmail,
						sendChangeEmailConfirmation: withBoundToken(emails, confirm),
					},
				}
			: {}),
		...(deletion && user.deleteUser
			? {
					deleteUser: {
						...user.deleteUser,
						sendDeleteAccountVerification: withTenant(emails, deletion),
					},
				}
			: {}),
	};
}

/** The callback gets the tenant, and the link leads to the tenant's primary domain, if there is one. */
function withTenant<Data extends Email>(emails: EmailContext, send: Send<Data>) {
	return async (data: Data, request?: Request): Promise<void> => {
		const tenant = await getCurrentTenant();
		const url = tenant ? await leadToDomain(emails, data.url, tenant.id) : data.url;
		// A plugin's callback may call an endpoint of its own, which must stay in this call.
		await inCurrentState(() => send({ ...data, url, tenant }, request));
	};
}

async function leadToDomain({ ctx, hosts }: EmailContext, link: string, tenantId: string) {
	if (!hosts?.customDomains) return link;
	const next = [new URL(link).searchParams.get("callbackURL")];
	return moveToOrigin(link, await findLinkOrigin(ctx, hosts, tenantId, next), hosts);
}

/** The callback gets the tenant, and the token is bound to it. */
function withBoundToken<Data extends Email>(emails: EmailContext, send: Send<Data>) {
	const sendWithTenant = withTenant(emails, send);
	return async (data: Data, request?: Request): Promise<void> => {
		const tenantId = tenantIdIn(await currentScope());
		if (tenantId === null) return sendWithTenant(data, request);
		const token = await bindToken(emails.ctx, data.token, tenantId);
		await sendWithTenant({ ...data, token, url: data.url.replace(data.token, token) }, request);
	};
}
