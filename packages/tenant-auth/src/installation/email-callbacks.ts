import type { AuthContext, BetterAuthOptions } from "@better-auth/core";
import { currentScope } from "../context/current-scope";
import { findCurrentTenant } from "../context/current-tenant";
import { bindToken } from "../context/email-token";
import { ACROSS, PLATFORM_ID } from "../context/scope";

interface Mail {
	url: string;
	token: string;
}

type Send<Data> = (data: Data, request?: Request) => unknown;

/**
 * The host's options with its mail callbacks changed: each also gets the `tenant` (`null` for the
 * platform), and the links work in their own tenant only, without a header.
 */
export function withTenantMails(ctx: AuthContext): BetterAuthOptions {
	const { emailVerification, emailAndPassword, user } = ctx.options;
	const changed = { ...ctx.options };
	if (emailVerification?.sendVerificationEmail) {
		changed.emailVerification = {
			...emailVerification,
			sendVerificationEmail: bound(ctx, emailVerification.sendVerificationEmail),
		};
	}
	if (emailAndPassword?.sendResetPassword) {
		changed.emailAndPassword = {
			...emailAndPassword,
			sendResetPassword: informed(ctx, emailAndPassword.sendResetPassword),
		};
	}
	changed.user = user && withUserMails(ctx, user);
	return changed;
}

function withUserMails(ctx: AuthContext, user: NonNullable<BetterAuthOptions["user"]>) {
	const confirm = user.changeEmail?.sendChangeEmailConfirmation;
	const deletion = user.deleteUser?.sendDeleteAccountVerification;
	return {
		...user,
		...(confirm && user.changeEmail
			? { changeEmail: { ...user.changeEmail, sendChangeEmailConfirmation: bound(ctx, confirm) } }
			: {}),
		...(deletion && user.deleteUser
			? {
					deleteUser: {
						...user.deleteUser,
						sendDeleteAccountVerification: informed(ctx, deletion),
					},
				}
			: {}),
	};
}

/** The callback is told the tenant. */
function informed<Data extends object>(ctx: AuthContext, send: Send<Data>) {
	return async (data: Data, request?: Request): Promise<void> => {
		const tenant = await findCurrentTenant(ctx);
		await send({ ...data, tenant }, request);
	};
}

/** The callback is told the tenant, and the token is bound to it. */
function bound<Data extends Mail>(ctx: AuthContext, send: Send<Data>) {
	const tell = informed(ctx, send);
	return async (data: Data, request?: Request): Promise<void> => {
		const scope = await currentScope();
		if (scope === ACROSS || scope.tenantId === PLATFORM_ID) return tell(data, request);
		const token = await bindToken(ctx, data.token, scope.tenantId);
		await tell({ ...data, token, url: data.url.replace(data.token, token) }, request);
	};
}
